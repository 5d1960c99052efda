/** Whether a connection would start the bridge, so that a command which only looks must not connect. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { readSocketAddress } from '@sallyport/core/storage/daemon-addresses'
import { activationPath, UNIT_NAMES } from '../install/linux-files.ts'
import { hasSystemd } from '../install/starters.ts'
import type { Context } from './command.ts'

const isServiceActive = (): Promise<boolean> =>
  new Promise((resolve) => {
    execFile('systemctl', ['--user', 'is-active', '--quiet', UNIT_NAMES.service], (failure) => resolve(failure === null))
  })

/** Whether systemd listens in place of a bridge that does not run: a connection would start it. */
export async function isAsleep({ loaded: { settings }, io }: Context): Promise<boolean> {
  const { platform, env } = io.machine
  if (platform !== 'linux' || readSocketAddress(settings.dataDir) !== undefined || !hasSystemd(env)) return false
  return existsSync(activationPath(settings.runtimeDir, settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX)) && !(await isServiceActive())
}
