/** Runs programs as another user of this machine, for tests that run as root. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'

/** The system user with this id owns nothing, and no daemon of a test runs as that user. */
export const OTHER_UID = 65534

/** Arguments of `setpriv` before the program. */
const AS_OTHER = [`--reuid=${OTHER_UID}`, `--regid=${OTHER_UID}`, '--clear-groups']

/** Whether a test can become another user here, one who can run this Node. */
export const canBeOther =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...AS_OTHER, process.execPath, '-e', '0'], { cwd: '/', env: {} }).status === 0

export const NO_OTHER_USER = 'Only root can become another user, by setpriv of util-linux.'

/** Runs a line of the shell as another user, to its end. Throws when it fails. */
export function asOther(line: string): void {
  execFileSync('setpriv', [...AS_OTHER, 'sh', '-c', line], { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Starts a script of Node as another user. */
export const spawnAsOther = (script: string, ...words: readonly string[]): ChildProcess =>
  spawn('setpriv', [...AS_OTHER, process.execPath, '-e', script, ...words], { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
