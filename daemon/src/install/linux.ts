/** Installation on Linux: a socket unit of systemd that starts the bridge, or an autostart entry of the desktop; and the URL handler. */
import { posix } from 'node:path'
import {
  autostartEntry,
  DESKTOP_NAME,
  handlerEntry,
  serviceUnit,
  socketUnit,
  TRAY_DESKTOP_NAME,
  trayEntry,
  UNIT_NAMES,
} from './linux-files.ts'
import type { Facts, Plan, Step } from './steps.ts'

interface Places {
  readonly socket: string
  readonly service: string
  readonly autostart: string
  readonly tray: string
  readonly applications: string
  readonly handler: string
}

function placesOf({ env, home }: Facts): Places {
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

const systemctl = (...words: readonly string[]): Step => ({ do: 'run', command: ['systemctl', '--user', ...words] })
const optional = (step: Step): Step => (step.do === 'run' ? { ...step, mayFail: true } : step)
const refreshHandlers = (applications: string): Step => ({
  do: 'run',
  command: ['update-desktop-database', applications],
  mayFail: true,
})

function desktopSteps({ program, schemes, flags }: Facts, { handler, applications, tray }: Places): readonly Step[] {
  return [
    { do: 'write', path: tray, text: trayEntry(program, flags) },
    { do: 'write', path: handler, text: handlerEntry(program, schemes) },
    // Not "xdg-mime default": it writes into a list of the user, from which nothing removes the entry again.
    refreshHandlers(applications),
  ]
}

const SERVED_NOTE =
  'Another server has the first slot now, so the socket of systemd takes it at your next login. To have it now, stop that server and run this command again.'

export function installOnLinux(facts: Facts): Plan {
  const places = placesOf(facts)
  const { program, flags, ipcPrefix, runtimeDir, isServed, hasSystemd } = facts
  const desktop = desktopSteps(facts, places)
  if (!hasSystemd) {
    return {
      steps: [
        { do: 'write', path: places.autostart, text: autostartEntry(program, flags) },
        ...desktop,
        ...(isServed ? [] : [{ do: 'start', command: [...program, 'run', ...flags] } as const]),
      ],
      notes: ["No systemd of this user runs, so the desktop's autostart starts the bridge at login."],
    }
  }
  return {
    steps: [
      { do: 'remove', path: places.autostart },
      { do: 'write', path: places.socket, text: socketUnit(ipcPrefix, runtimeDir) },
      { do: 'write', path: places.service, text: serviceUnit(program, flags) },
      systemctl('daemon-reload'),
      systemctl('enable', UNIT_NAMES.socket),
      ...(isServed ? [] : [systemctl('start', UNIT_NAMES.socket)]),
      ...desktop,
    ],
    notes: isServed ? [SERVED_NOTE] : [],
  }
}

export function uninstallOnLinux(facts: Facts): Plan {
  const places = placesOf(facts)
  const units: readonly Step[] = [
    optional(systemctl('disable', UNIT_NAMES.socket)),
    optional(systemctl('stop', UNIT_NAMES.socket, UNIT_NAMES.service)),
  ]
  return {
    steps: [
      ...(facts.hasSystemd ? units : []),
      { do: 'stop-tray', dataDir: facts.dataDir },
      { do: 'stop-bridge' },
      ...[places.socket, places.service, places.autostart, places.tray, places.handler].map((path): Step => ({ do: 'remove', path })),
      ...(facts.hasSystemd ? [optional(systemctl('daemon-reload'))] : []),
      refreshHandlers(places.applications),
    ],
    notes: [],
  }
}
