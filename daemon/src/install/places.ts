/** Where the files of an installation are on Linux, for one user. */
import { posix } from 'node:path'
import { DESKTOP_NAME, TRAY_DESKTOP_NAME, UNIT_NAMES } from './linux-files.ts'
import type { Facts } from './steps.ts'

export interface Places {
  readonly socket: string
  readonly service: string
  readonly autostart: string
  readonly tray: string
  readonly applications: string
  readonly handler: string
}

export function placesOf({ env, home }: Pick<Facts, 'env' | 'home'>): Places {
  const config = env['XDG_CONFIG_HOME'] || posix.join(home, '.config')
  const applications = posix.join(env['XDG_DATA_HOME'] || posix.join(home, '.local', 'share'), 'applications')
  return {
    socket: posix.join(config, 'systemd', 'user', UNIT_NAMES.socket),
    service: posix.join(config, 'systemd', 'user', UNIT_NAMES.service),
    autostart: posix.join(config, 'autostart', DESKTOP_NAME),
    tray: posix.join(config, 'autostart', TRAY_DESKTOP_NAME),
    applications,
    handler: posix.join(applications, DESKTOP_NAME),
  }
}
