/**
 * The bridge as users run it: the files of a bundle. Each test run builds its own files once, from the sources at that time. So no build is
 * necessary before, and later edits do not affect the run.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PARTS } from '#daemon/packaging/parts.ts'
import { bundleProgram, PROGRAM as BUILT } from '#daemon/packaging/program.ts'

/** Where left-behind.ts wants it; without it, as in a soak, the program that `npm start` runs. */
const OWN = process.env['SALLYPORT_TEST_PROGRAM']
export const PROGRAM = OWN ?? BUILT
/** All files of the program. */
export const PROGRAM_FILES = PARTS.map(({ file }) => join(dirname(PROGRAM), file))

/** Copies the program to a folder, which is made; returns the copy of the file that starts. */
export function copyProgram(folder: string): string {
  mkdirSync(folder, { recursive: true })
  for (const { file } of PARTS) copyFileSync(join(dirname(PROGRAM), file), join(folder, file))
  return join(folder, PARTS[0].file)
}

const LOOK_MS = 50

/** Test files run in parallel: the one that creates the folder builds the program. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure
    return false
  }
}

/** Resolves when the program is there: the first who needs it makes it. */
export async function programMade(): Promise<void> {
  if (OWN === undefined) return
  while (!existsSync(OWN)) {
    const claimed = `${OWN}.making`
    if (!claim(claimed)) {
      await pause(LOOK_MS)
      continue
    }
    try {
      await bundleProgram({ folder: claimed })
      // The file that starts comes last, because others wait for it.
      for (const { file } of PARTS.toReversed()) renameSync(join(claimed, file), join(dirname(OWN), file))
    } finally {
      rmSync(claimed, { recursive: true })
    }
  }
}
