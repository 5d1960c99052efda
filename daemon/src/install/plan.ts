/** Plans an installation for this user, and its undo. Pure: the same facts give the same steps, and done twice they change nothing more. */
import { installOnLinux, uninstallOnLinux } from './linux.ts'
import { installOnMacos, uninstallOnMacos } from './macos.ts'
import type { Facts, Plan, Step } from './steps.ts'
import { installOnWindows, uninstallOnWindows } from './windows.ts'

/** The scheme that every installation registers: a game may name it in AUTHORIZE instead of one of its own. */
export const OWN_SCHEME = 'sallyport'

/** RFC 3986, and lower case, because systems compare schemes in different ways. */
const SCHEME = /^[a-z][a-z0-9+.-]{0,63}$/

/** Schemes of the system and of browsers, which no bridge may take. */
const RESERVED = new Set(['http', 'https', 'file', 'ftp', 'mailto', 'data', 'javascript', 'about', 'blob', 'ws', 'wss', 'tel', 'sms'])

export const isUsableScheme = (scheme: string): boolean => SCHEME.test(scheme) && !RESERVED.has(scheme)

const record = (schemes: readonly string[]): string => `${JSON.stringify({ schemes }, undefined, 2)}\n`

/** The schemes in a record; none if it is not readable. */
export function schemesIn(text: string | undefined): readonly string[] {
  try {
    const { schemes } = JSON.parse(text ?? '{}') as { schemes?: unknown }
    const all: readonly unknown[] = Array.isArray(schemes) ? schemes : []
    return all.filter((scheme) => typeof scheme === 'string').filter(isUsableScheme)
  } catch {
    return []
  }
}

const BY_SYSTEM = {
  win32: { install: installOnWindows, uninstall: uninstallOnWindows },
  darwin: { install: installOnMacos, uninstall: uninstallOnMacos },
  other: { install: installOnLinux, uninstall: uninstallOnLinux },
}
const systemOf = ({ platform }: Facts) => BY_SYSTEM[platform === 'win32' || platform === 'darwin' ? platform : 'other']

export function planInstall(facts: Facts): Plan {
  const { steps, notes } = systemOf(facts).install(facts)
  const { platformChoice, isRunning } = facts
  // First, because the bridge reads it when it starts.
  const choice: readonly Step[] = platformChoice === undefined ? [] : [{ do: 'set', key: 'platform', ...platformChoice }]
  const said = choice.length > 0 && isRunning ? [...notes, RUNNING_NOTE] : notes
  return {
    steps: [...choice, ...steps, { do: 'write', path: facts.recordFile, text: record(facts.schemes), isPrivate: true }],
    notes: said,
  }
}

const RUNNING_NOTE = 'The running bridge keeps its platform and its folders until it is started again.'

/** `purge`: also the data and the settings of the user. */
export function planUninstall(facts: Facts, purge: boolean): Plan {
  const { steps, notes } = systemOf(facts).uninstall(facts, purge)
  const data = [facts.dataDir, facts.configDir]
  return {
    steps: [
      ...steps,
      { do: 'remove', path: facts.recordFile },
      ...(purge ? data.map((path) => ({ do: 'remove-folder', path }) as const) : []),
    ],
    notes: purge ? notes : [...notes, `Your data stays in ${facts.dataDir}. To remove it too, uninstall with --purge.`],
  }
}
