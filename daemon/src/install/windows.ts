/** Installation on Windows: values below HKEY_CURRENT_USER, which need no administrator. The installer writes the same ones. */
import { win32 } from 'node:path'
import type { CommandLine, Facts, Plan, Step } from './steps.ts'

/** A text value; `name` is empty for the default value of the key. */
export interface RegistryValue {
  readonly key: string
  readonly name: string
  readonly text: string
}

const RUN_KEY = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`
const RUN_NAME = 'Sallyport'
const TRAY_NAME = 'SallyportTray'
const schemeKey = (scheme: string): string => String.raw`HKCU\Software\Classes` + `\\${scheme}`

/** A word of a command line, by the rules that Windows programs parse it with. */
const quoted = (word: string): string => `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`

const commandText = (command: CommandLine): string => command.map(quoted).join(' ')

/** Starts the bridge at login. */
export const runValue = (command: CommandLine): RegistryValue => ({ key: RUN_KEY, name: RUN_NAME, text: commandText(command) })

/** Shows the icon in the tray at login. */
export const trayValue = (command: CommandLine): RegistryValue => ({ key: RUN_KEY, name: TRAY_NAME, text: commandText(command) })

/** Delivers authorization callbacks of a URL scheme to the bridge. */
export const schemeValues = (program: CommandLine, scheme: string): readonly RegistryValue[] => [
  { key: schemeKey(scheme), name: '', text: 'URL:Sallyport authorization' },
  { key: schemeKey(scheme), name: 'URL Protocol', text: '' },
  // A quote in the URL ends its word; the command takes no flags after its first operand.
  { key: String.raw`${schemeKey(scheme)}\shell\open\command`, name: '', text: `${commandText([...program, 'callback', '--'])} "%1"` },
]

/** Undo of `runValue`, `trayValue` and `schemeValues`. */
export const REMOVALS = {
  values: [RUN_NAME, TRAY_NAME].map((name) => ({ key: RUN_KEY, name })),
  keys: (schemes: readonly string[]): readonly string[] => schemes.map(schemeKey),
} as const

const registryTool = (env: Facts['env']): string => win32.join(env['SystemRoot'] || String.raw`C:\Windows`, 'System32', 'reg.exe')

const valueWords = (name: string): readonly string[] => (name === '' ? ['/ve'] : ['/v', name])

export function installOnWindows({ env, program, quietProgram, flags, schemes, isRunning, hasTray }: Facts): Plan {
  const reg = registryTool(env)
  const add = ({ key, name, text }: RegistryValue): Step => ({
    do: 'run',
    command: [reg, 'add', key, ...valueWords(name), '/t', 'REG_SZ', '/d', text, '/f'],
  })
  const start: CommandLine = [...(quietProgram ?? program), 'run', ...flags]
  const tray: CommandLine = [...(quietProgram ?? program), 'tray', ...flags]
  return {
    steps: [
      add(runValue(start)),
      ...(hasTray ? [add(trayValue(tray)), { do: 'start', command: tray } as const] : []),
      ...schemes.flatMap((scheme) => schemeValues(quietProgram ?? program, scheme)).map(add),
      ...(isRunning ? [] : [{ do: 'start', command: start } as const]),
    ],
    notes:
      quietProgram === undefined ? ['The bridge opens a console window at login. The installer brings a launcher that avoids it.'] : [],
  }
}

/** Ends the bridge and the tray that the launcher started, so that the bridge says goodbye to its games. */
export const LAUNCHER_STOP = '--stop'

export function uninstallOnWindows({ env, quietProgram, schemes }: Facts): Plan {
  const reg = registryTool(env)
  return {
    steps: [
      ...(quietProgram === undefined ? [] : [{ do: 'run', command: [...quietProgram, LAUNCHER_STOP], mayFail: true } as const]),
      { do: 'stop-bridge' },
      ...REMOVALS.values.map(({ key, name }): Step => ({ do: 'run', command: [reg, 'delete', key, '/v', name, '/f'], mayFail: true })),
      ...REMOVALS.keys(schemes).map((scheme): Step => ({ do: 'run', command: [reg, 'delete', scheme, '/f'], mayFail: true })),
    ],
    notes: [],
  }
}
