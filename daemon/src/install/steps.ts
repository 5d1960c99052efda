/** What an installation does, as data: a plan lists steps, `carry-out.ts` does them. */

import type { KeychainEntry } from '../auth/vault/encrypted-file.ts'

/** A program and its arguments. */
export type CommandLine = readonly [string, ...string[]]

export type Step =
  /** Writes a text file and its missing folders, unless it has this text. */
  | { readonly do: 'write'; readonly path: string; readonly text: string; readonly isPrivate?: boolean }
  /** Sets a key of a settings file, and keeps the others. */
  | { readonly do: 'set'; readonly file: string; readonly key: string; readonly value: string }
  /** Copies a file to a place where a program may run it, unless that has the same content. */
  | { readonly do: 'copy'; readonly from: string; readonly path: string }
  /** Sets a text value in a registry file of Wine; without a text, removes the value. No program of the prefix may run. */
  | { readonly do: 'registry'; readonly path: string; readonly key: string; readonly name: string; readonly text?: string }
  /** Removes a file, if it exists. `isHeld`: no folder of the path may be a link. */
  | { readonly do: 'remove'; readonly path: string; readonly isHeld?: true }
  /** Removes what this program made in a folder, and the folder when it is empty then. */
  | { readonly do: 'remove-folder'; readonly path: string }
  /** Removes the key of a vault from the system's keychain. `mayFail`: the key is in a file too. */
  | { readonly do: 'forget-key'; readonly entry: string; readonly mayFail?: true }
  /** Runs a program to its end. `mayFail`: its failure changes nothing that matters, for example because there is nothing to remove. */
  | { readonly do: 'run'; readonly command: CommandLine; readonly mayFail?: true }
  /** Starts a program that goes on when the installation ends. */
  | { readonly do: 'start'; readonly command: CommandLine }
  /** Ends the running bridge as a service manager would, and waits until it has ended. */
  | { readonly do: 'stop-bridge' }
  /** Ends the tray that follows the bridge of this data folder, if one runs. */
  | { readonly do: 'stop-tray'; readonly dataDir: string }

export interface Plan {
  readonly steps: readonly Step[]
  /** What the user should know. */
  readonly notes: readonly string[]
}

/** What a plan depends on. */
export interface Facts {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Undefined on Windows. */
  readonly uid: number | undefined
  /** Runs the command line of this program. */
  readonly program: CommandLine
  /** Runs it without a console window; on Windows only, if the launcher is beside the program. */
  readonly quietProgram: CommandLine | undefined
  /** Whether this installation can show a tray: on Windows and macOS it needs the native helper. */
  readonly hasTray: boolean
  /** The icon of the program, as SVG. */
  readonly icon: string
  /** Settings for `run`, as flags. */
  readonly flags: readonly string[]
  /** Whether the user's systemd runs. */
  readonly hasSystemd: boolean
  /** The first part of socket names. */
  readonly ipcPrefix: string
  /** The folder of the sockets, if the user chose one. */
  readonly runtimeDir: string | undefined
  /** Whether a bridge of this user runs on the data folder. */
  readonly isRunning: boolean
  /** Whether another program listens on the first slot. */
  readonly hasForeignServer: boolean
  /** Whether a unit of a package starts the bridge for every user. */
  readonly hasPackageUnit: boolean
  /** Whether this user has a unit, which hides the package's. */
  readonly hasOwnUnit: boolean
  /** The platform that this installation sets in the settings file; undefined if it leaves the choice as it is. */
  readonly platformChoice: { readonly file: string; readonly value: string } | undefined
  /** URL schemes whose callbacks this program delivers. */
  readonly schemes: readonly string[]
  readonly dataDir: string
  /** The folder of the settings file. */
  readonly configDir: string
  /** Entries of the keychain for the vaults in the data folder. */
  readonly keychainEntries: readonly KeychainEntry[]
  /** Lists the registered schemes for a later removal. */
  readonly recordFile: string
}

/** One line for people. */
export function stepText(step: Step): string {
  switch (step.do) {
    case 'write':
    case 'remove':
      return `${step.do} ${step.path}`
    case 'set':
      return `set ${step.key} to ${step.value} in ${step.file}`
    case 'copy':
      return `copy ${step.from} to ${step.path}`
    case 'registry':
      return `${step.text === undefined ? 'remove' : 'set'} ${step.key}\\${step.name} in ${step.path}${step.text === undefined ? '' : `: ${step.text}`}`
    case 'remove-folder':
      return `remove the files of Sallyport in ${step.path}, and the folder if it is empty then`
    case 'forget-key':
      return `remove the key ${step.entry} of Sallyport from the keychain`
    case 'run':
    case 'start':
      return `${step.do} ${step.command.map(shown).join(' ')}`
    case 'stop-bridge':
      return 'stop the running bridge'
    case 'stop-tray':
      return 'stop the tray'
  }
}

const shown = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)
