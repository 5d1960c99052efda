/** Runs another-user-process.ts as the user who owns nothing. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment } from './daemon.ts'

/** Why tests of another user are skipped, where they are. */
export const NO_OTHER_USER = 'Only root on Linux can run a program as another user here.'
export const hasAnotherUser = process.platform === 'linux' && process.getuid?.() === 0

const AS_OTHER = ['--reuid=65534', '--regid=65534', '--clear-groups'] as const
/** As a text: the folder of this checkout may be closed to others. */
const PROGRAM = readFileSync(join(import.meta.dirname, 'another-user-process.ts'), 'utf8')
const RUN = ['--input-type=module-typescript', '--eval', PROGRAM, '--', 'another-user-process.ts'] as const

/** Starts it; its findings come first, and `end` lets go of what it holds. */
export function startAsAnotherUser(...words: readonly string[]): { readonly findings: Promise<unknown>; end(): Promise<void> } {
  const child = spawn('setpriv', [...AS_OTHER, process.execPath, ...RUN, ...words], {
    cwd: '/',
    env: { PATH: cleanEnvironment()['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { promise: findings, resolve, reject } = Promise.withResolvers<unknown>()
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.endsWith('\n')) resolve(JSON.parse(printed))
  })
  const over = ended(child).then((code) => reject(new Error(`The other user's program ended with ${code}.`)))
  child.once('error', reject)
  return {
    findings,
    async end() {
      child.stdin.end()
      await over
    },
  }
}

export async function asAnotherUser(...words: readonly string[]): Promise<unknown> {
  const program = startAsAnotherUser(...words)
  try {
    return await program.findings
  } finally {
    await program.end()
  }
}
