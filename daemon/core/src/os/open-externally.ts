/** Opens a URL or a file with the user's default program, started without a shell. */
import { spawn } from 'node:child_process'
import { childEnvironment } from './child-environment.ts'
import { type Opener, OPENERS } from './openers.ts'
import { inOwnUnit, needsOwnUnit } from './own-unit.ts'

/** Tries the openers in their order. False when none could open it. */
export async function openWith(openers: readonly Opener[], target: string, signal: AbortSignal): Promise<boolean> {
  for (const opener of openers) {
    if (signal.aborted || (await start(opener, target, signal))) return true
  }
  return false
}

export const openExternally = (target: string): Promise<boolean> =>
  openWith(OPENERS[process.platform] ?? [], target, new AbortController().signal)

/** True when the opener exited with 0, or still runs when the signal aborts: some run as long as the browser. */
function start([opener, ...words]: Opener, target: string, signal: AbortSignal): Promise<boolean> {
  const env = childEnvironment('browser')
  const command = { program: opener, args: [...words, target] }
  const { program, args } = needsOwnUnit() ? inOwnUnit(command, { variables: Object.keys(env), isAwaited: true }) : command
  return new Promise((resolve) => {
    // Detached and unreferenced: the browser outlives this process, and does not keep it alive.
    const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true, env })
    child.unref()
    const settle = (isOpen: boolean) => {
      signal.removeEventListener('abort', stopWaiting)
      resolve(isOpen)
    }
    const stopWaiting = () => settle(true)
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
    signal.addEventListener('abort', stopWaiting, { once: true })
  })
}
