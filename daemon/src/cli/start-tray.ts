/** Starts the tray for a question of the bridge. It ends by itself where it has no desktop, and where another one runs. */
import { spawn } from 'node:child_process'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import { inOwnUnit, needsOwnUnit } from '@sallyport/core/os/own-unit'
import { sessionBusAddress } from '../tray/linux/bus-address.ts'
import type { Context } from './command.ts'
import { keptFlags, programHere, quietProgramHere } from './install-steps.ts'
import { hasTrayHere } from './native-tray.ts'

export function startTray(context: Context): void {
  if (!hasTrayHere() || (process.platform === 'linux' && sessionBusAddress(process.env) === undefined)) return
  const [program, ...words] = quietProgramHere() ?? programHere()
  const env = childEnvironment('tray')
  const tray = { program, args: [...words, 'tray', '--if-desktop', ...keptFlags(context)] }
  const command = needsOwnUnit() ? inOwnUnit(tray, { variables: Object.keys(env), isAwaited: false }) : tray
  const child = spawn(command.program, command.args, { detached: true, stdio: 'ignore', windowsHide: true, env })
  child.on('error', () => {}) // The prompt is on the dashboard too.
  child.unref()
}
