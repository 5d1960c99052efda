/** Installation on Linux: a socket unit of systemd that starts the bridge, or an autostart entry of the desktop; and the URL handler. */
import {
  autostartEntry,
  dashboardEntry,
  ENABLED_AT_LOGIN,
  handlerEntry,
  serviceUnit,
  socketUnit,
  trayEntry,
  UNIT_NAMES,
} from './linux-files.ts'
import { type Places, placesOf } from './places.ts'
import type { Facts, Plan, Step } from './steps.ts'

const systemctl = (...words: readonly string[]): Step => ({ do: 'run', command: ['systemctl', '--user', ...words] })
const optional = (step: Step): Step => (step.do === 'run' ? { ...step, mayFail: true } : step)
const refreshHandlers = (applications: string): Step => ({
  do: 'run',
  command: ['update-desktop-database', applications],
  mayFail: true,
})

const handlerSteps = ({ program, schemes }: Facts, { handler, applications }: Places): readonly Step[] => [
  { do: 'write', path: handler, text: handlerEntry(program, schemes) },
  // Not "xdg-mime default": it writes into a list of the user, from which nothing removes the entry again.
  refreshHandlers(applications),
]

const desktopSteps = (facts: Facts, places: Places): readonly Step[] => [
  { do: 'write', path: places.icon, text: facts.icon },
  { do: 'write', path: places.tray, text: trayEntry(facts.program, facts.flags) },
  { do: 'write', path: places.dashboard, text: dashboardEntry(facts.program, facts.flags) },
  ...handlerSteps(facts, places),
]

const FOREIGN_NOTE =
  "Another program has the first slot, perhaps the platform's desktop client. It keeps the slot. The bridge has the next one, and takes the first when that program ends."
const NO_SYSTEMD_NOTE = "No systemd of this user runs, so the desktop's autostart starts the bridge at login."
const PACKAGE_NOTE = 'A package starts the bridge for every user of this machine, so no second set of files was placed.'
const PACKAGE_STAYS_NOTE = `The package still starts the bridge. Remove the package, or switch its socket off for you alone: systemctl --user mask --now ${UNIT_NAMES.socket}`

const start = ({ program, flags }: Facts): Step => ({ do: 'start', command: [...program, 'run', ...flags] })

/** The user's own units and entries, which hide those of a package. */
const ownFiles = ({ socket, service, autostart, tray, dashboard, icon }: Places): readonly Step[] =>
  [socket, service, autostart, tray, dashboard, icon].map((path): Step => ({ do: 'remove', path }))

const stopOwnUnits = ({ hasOwnUnit, hasSystemd }: Facts): readonly Step[] =>
  hasOwnUnit && hasSystemd
    ? [optional(systemctl('disable', UNIT_NAMES.socket)), optional(systemctl('stop', UNIT_NAMES.socket, UNIT_NAMES.service))]
    : []

/** Now, and not at the next login only. It ends by itself where the user has no desktop, and where another one runs. */
const showTray = ({ program, flags }: Facts): Step => ({ do: 'start', command: [...program, 'tray', '--if-desktop', ...flags] })

/** The files of the package start the bridge. The user's own only add schemes. */
function installBesidePackage(facts: Facts, places: Places): Plan {
  const { hasSystemd, isRunning, schemes } = facts
  const unit = [systemctl('daemon-reload'), systemctl('start', UNIT_NAMES.socket)]
  return {
    steps: [
      ...stopOwnUnits(facts),
      ...ownFiles(places),
      ...(schemes.length > 1 ? handlerSteps(facts, places) : []),
      ...(hasSystemd ? unit : isRunning ? [] : [start(facts)]),
      hasSystemd ? optional(systemctl('start', UNIT_NAMES.tray)) : showTray(facts),
    ],
    notes: [PACKAGE_NOTE],
  }
}

function installOwnFiles(facts: Facts, places: Places): Plan {
  const { program, flags, ipcPrefix, runtimeDir, isRunning, hasSystemd } = facts
  const desktop = desktopSteps(facts, places)
  if (!hasSystemd) {
    const entry: Step = { do: 'write', path: places.autostart, text: autostartEntry(program, flags) }
    return { steps: [entry, ...desktop, ...(isRunning ? [] : [start(facts)]), showTray(facts)], notes: [NO_SYSTEMD_NOTE] }
  }
  return {
    steps: [
      { do: 'remove', path: places.autostart },
      { do: 'write', path: places.socket, text: socketUnit(ipcPrefix, runtimeDir) + ENABLED_AT_LOGIN },
      { do: 'write', path: places.service, text: serviceUnit(program, flags) },
      systemctl('daemon-reload'),
      systemctl('enable', UNIT_NAMES.socket),
      systemctl('start', UNIT_NAMES.socket),
      ...desktop,
      showTray(facts),
    ],
    notes: [],
  }
}

export function installOnLinux(facts: Facts): Plan {
  const { steps, notes } = (facts.hasPackageUnit ? installBesidePackage : installOwnFiles)(facts, placesOf(facts))
  return { steps, notes: facts.hasForeignServer ? [...notes, FOREIGN_NOTE] : notes }
}

export function uninstallOnLinux(facts: Facts, isPurge: boolean): Plan {
  const { hasPackageUnit, hasOwnUnit, hasSystemd, dataDir } = facts
  const places = placesOf(facts)
  // Without an own unit, tray and bridge are the package's, and go on.
  const ends = !hasPackageUnit || hasOwnUnit || isPurge
  return {
    steps: [
      ...stopOwnUnits(facts),
      ...(ends ? [{ do: 'stop-tray', dataDir } as const, { do: 'stop-bridge' } as const] : []),
      ...ownFiles(places),
      { do: 'remove', path: places.handler },
      ...(hasSystemd ? [optional(systemctl('daemon-reload'))] : []),
      ...(hasSystemd && hasPackageUnit && hasOwnUnit ? [optional(systemctl('start', UNIT_NAMES.socket))] : []),
      refreshHandlers(places.applications),
    ],
    notes: hasPackageUnit ? [PACKAGE_STAYS_NOTE] : [],
  }
}
