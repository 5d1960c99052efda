/** Programs that a test runs as an ordinary user of the machine, in folders of that user. */
import { chmodSync, chownSync, constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { OTHER_UID } from '#test/support/other-user.ts'
import type { Folders, Target } from './daemon.ts'
import { copyProgram, programMade } from './program.ts'

/** Words before a command. */
export const AS_USER = ['setpriv', `--reuid=${OTHER_UID}`, `--regid=${OTHER_UID}`, '--clear-groups'] as const

/** Folders of that user. */
export function foldersOfUser(): Folders {
  const base = mkdtempSync('/tmp/sp-user-')
  chownSync(base, OTHER_UID, OTHER_UID)
  return {
    base,
    runtime: join(base, 'run'),
    data: join(base, 'data'),
    remove: async () => rmSync(base, { recursive: true, maxRetries: 5 }),
  }
}

/** The same program as a copy in the folder, which that user may read, and run by them. It has no recorder: they may not write what the run records. */
export async function ofUser({ name, command: [program] }: Target, folder: string): Promise<Target> {
  await programMade()
  if (name === 'source') return { name, command: [...AS_USER, program, copyProgram(folder)] }
  const copy = join(folder, basename(program))
  copyFileSync(program, copy, constants.COPYFILE_FICLONE)
  chmodSync(copy, 0o755)
  return { name, command: [...AS_USER, copy] }
}
