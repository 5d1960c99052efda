/** Where the files of an installation are on Linux, for one user. */
import { posix } from 'node:path'
import { DASHBOARD_DESKTOP_NAME, DESKTOP_NAME, TRAY_DESKTOP_NAME, UNIT_NAMES } from './linux-files.ts'
import type { Facts } from './steps.ts'

export interface Places {
  readonly socket: string
  readonly service: string
  readonly autostart: string
  readonly tray: string
  readonly applications: string
  readonly handler: string
  readonly dashboard: string
  readonly icon: string
}

export function placesOf({ env, home }: Pick<Facts, 'env' | 'home'>): Places {
  const config = env['XDG_CONFIG_HOME'] || posix.join(home, '.config')
  const data = env['XDG_DATA_HOME'] || posix.join(home, '.local', 'share')
  const applications = posix.join(data, 'applications')
  return {
    socket: posix.join(config, 'systemd', 'user', UNIT_NAMES.socket),
    service: posix.join(config, 'systemd', 'user', UNIT_NAMES.service),
    autostart: posix.join(config, 'autostart', DESKTOP_NAME),
    tray: posix.join(config, 'autostart', TRAY_DESKTOP_NAME),
    applications,
    handler: posix.join(applications, DESKTOP_NAME),
    dashboard: posix.join(applications, DASHBOARD_DESKTOP_NAME),
    icon: posix.join(data, 'icons', 'hicolor', 'scalable', 'apps', 'sallyport.svg'),
  }
}
