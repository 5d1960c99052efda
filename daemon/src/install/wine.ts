/** Plans the pipe bridge of a Wine prefix: its program, and the value by which Wine starts it before other programs of the prefix. */
import { posix } from 'node:path'
import { BRIDGE_IN_PREFIX } from '../identity/wine-program.ts'
import type { Plan, Step } from './steps.ts'

/** The file name of the pipe bridge in packages. */
export const WINE_BRIDGE = 'sallyport-wine.exe'

/** Wine starts these programs when a prefix starts, and does not wait for them. Proton does the same. */
const VALUE = { key: String.raw`Software\Microsoft\Windows\CurrentVersion\RunServices`, name: 'Sallyport' } as const

const PROGRAM = String.raw`C:\windows\sallyport-wine.exe`

export interface WineFacts {
  /** The folder with `system.reg`. */
  readonly prefix: string
  /** The program file of the pipe bridge in this installation. */
  readonly bridge: string
  /** The folder of the sockets, if the user chose one. */
  readonly runtimeDir: string | undefined
  /** The first part of socket and pipe names. */
  readonly ipcPrefix: string
}

/** A word of a Windows command line. A backslash before the closing quote would escape it. */
const quoted = (word: string): string => `"${word.replace(/\/+$/, '')}"`

const commandOf = ({ runtimeDir, ipcPrefix }: Pick<WineFacts, 'runtimeDir' | 'ipcPrefix'>): string =>
  [PROGRAM, ...(runtimeDir === undefined ? [] : ['--folder', quoted(runtimeDir)]), '--name', ipcPrefix].join(' ')

export const bridgeOf = (prefix: string): string => posix.join(prefix, BRIDGE_IN_PREFIX)
export const registryOf = (prefix: string): string => posix.join(prefix, 'system.reg')

export const planWineInstall = (facts: WineFacts): Plan => ({
  steps: [
    { do: 'copy', from: facts.bridge, path: bridgeOf(facts.prefix) },
    { do: 'registry', path: registryOf(facts.prefix), ...VALUE, text: commandOf(facts) },
  ],
  notes: ['Games of this prefix reach the bridge at their next start.'],
})

export const planWineUninstall = (prefix: string): Plan => ({
  steps: [{ do: 'registry', path: registryOf(prefix), ...VALUE } satisfies Step, { do: 'remove', path: bridgeOf(prefix), isHeld: true }],
  notes: [],
})
