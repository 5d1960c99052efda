/** Where the session bus is. Without the library of the bus, so that a daemon can ask whether there is one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The address of the session bus; undefined if the session has none. */
export function sessionBusAddress(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['DBUS_SESSION_BUS_ADDRESS']
  if (named !== undefined && named !== '') return named
  const socket = join(env['XDG_RUNTIME_DIR'] ?? '', 'bus')
  return env['XDG_RUNTIME_DIR'] !== undefined && existsSync(socket) ? `unix:path=${socket}` : undefined
}
