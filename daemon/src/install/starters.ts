/** The files by which the system starts the bridge of this user: those that `sallyport install` writes, and those of a package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { DESKTOP_NAME, UNIT_NAMES } from './linux-files.ts'
import { agentFile } from './macos.ts'
import { placesOf } from './places.ts'
import type { Facts } from './steps.ts'

type System = Pick<Facts, 'platform' | 'env' | 'home'>

export interface Starter {
  readonly path: string
  /** Whose file it is. The user's hides the package's of the same name. */
  readonly owner: 'user' | 'package'
  readonly kind: 'unit' | 'autostart' | 'agent'
}

/** Where systemd finds units for every user, in its order. */
const SHARED_UNITS = ['/etc/systemd/user', '/usr/local/lib/systemd/user', '/usr/lib/systemd/user']
const SHARED_AUTOSTART = '/etc/xdg/autostart'

/** Whether systemd runs for this user. */
export const hasSystemd = (env: Facts['env']): boolean => {
  const runtimeDir = env['XDG_RUNTIME_DIR']
  return runtimeDir !== undefined && existsSync(posix.join(runtimeDir, 'systemd', 'private'))
}

const ofLinux = (system: System): readonly Starter[] => {
  const { service, autostart } = placesOf(system)
  return [
    { path: service, owner: 'user', kind: 'unit' },
    ...SHARED_UNITS.map((folder): Starter => ({ path: posix.join(folder, UNIT_NAMES.service), owner: 'package', kind: 'unit' })),
    { path: autostart, owner: 'user', kind: 'autostart' },
    { path: posix.join(SHARED_AUTOSTART, DESKTOP_NAME), owner: 'package', kind: 'autostart' },
  ]
}

/** Those that exist. None on Windows, where values of the registry start the bridge. */
export function startersOf(system: System): readonly Starter[] {
  const { platform, home } = system
  if (platform === 'win32') return []
  const known: readonly Starter[] = platform === 'darwin' ? [{ path: agentFile(home), owner: 'user', kind: 'agent' }] : ofLinux(system)
  return known.filter(({ path }) => existsSync(path))
}

/** The first of each kind, which is the one that counts. */
export const effectiveStarters = (starters: readonly Starter[]): readonly Starter[] =>
  starters.filter((one, index) => starters.findIndex(({ kind }) => kind === one.kind) === index)

/** The unit and what the user added to it. */
export function textsOf({ path }: Starter, system: System): readonly { readonly path: string; readonly text: string }[] {
  const folder = `${placesOf(system).service}.d`
  const additions =
    path.endsWith(UNIT_NAMES.service) && existsSync(folder) ? readdirSync(folder).map((name) => posix.join(folder, name)) : []
  return [path, ...additions.filter((name) => name.endsWith('.conf'))].map((file) => ({ path: file, text: readFileSync(file, 'utf8') }))
}

/** The names of a setting on a command line and in an environment. */
interface Names {
  readonly flag: string | undefined
  readonly env: string | undefined
}

/** How a text of such a file sets the option: `--flag` or `VARIABLE`; undefined if it does not. */
function namedIn(text: string, { flag, env }: Names): string | undefined {
  if (flag !== undefined && new RegExp(`["'\\s>]--${flag}(?=["'\\s=<]|$)`).test(text)) return `--${flag}`
  if (env !== undefined && new RegExp(`(?<![A-Z_])${env}=`).test(text)) return env
  return undefined
}

/** Where these files set an option, which wins over the settings file. */
export const overridesIn = (system: System, names: Names): readonly { readonly path: string; readonly by: string }[] =>
  effectiveStarters(startersOf(system))
    .flatMap((starter) => textsOf(starter, system))
    .flatMap(({ path, text }) => {
      const by = namedIn(text, names)
      return by === undefined ? [] : [{ path, by }]
    })
