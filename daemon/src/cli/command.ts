/** What a command is: a value. The table in commands.ts lists them; help, checks and dispatch read the same rows. */
import type { LoadedSettings } from '../config/load.ts'
import type { Machine } from '../config/paths.ts'
import type { OptionKey } from '../config/schema.ts'
import type { Confirm } from '@sallyport/core/confirm'
import type { Secret } from '@sallyport/core/secret'
import type { ExitCode } from './exit-codes.ts'

/** What a command may touch of the world. */
export interface Io {
  /** Data: one line to stdout. */
  out(text: string): void
  /** Words for people: one line to stderr. */
  say(text: string): void
  /** A secret from the person or program at stdin, never shown; undefined when they gave none. */
  readSecret(prompt: string): Promise<Secret<string> | undefined>
  readonly machine: Machine
  /** Whether a person reads stdout as it comes: else it may be kept, in a log of the system say. */
  readonly isWatched: boolean
  /** Absent when nobody sits at a terminal. */
  readonly confirm?: Confirm
  /** Takes the secrets that the settings were given out of this process's environment. */
  forgetSecrets(): void
  /** Closes this process to other programs of the user; false when the system refused. */
  harden(): boolean
  /** Whether this process is in the foreground of a terminal, so that a person can see what it does. */
  isAtTerminal(): boolean
  /** Asks for a line in the terminal; absent when nobody sits there. Undefined when the terminal gives none. */
  readonly readLine?: (prompt: string) => Promise<string | undefined>
  /** Calls back once, after so many milliseconds; the function that it gives calls it off. */
  after(ms: number, action: () => void): () => void
  /** Resolves at the first request to stop (Ctrl-C, SIGTERM); from the call on, a second one ends the process at once. */
  untilStopped(): Promise<string>
}

export interface Context {
  readonly operands: readonly string[]
  readonly loaded: LoadedSettings
  readonly io: Io
}

export interface Command {
  readonly name: string
  readonly summary: string
  /** Operands as the help shows them, after the name. */
  readonly usage: string
  /** How many operands it takes. */
  readonly operands: { readonly least: number; readonly most: number }
  /** Its operand is written by other programs, so no flag is taken after it. */
  readonly isOperandLast?: true
  /** Options it reads; every command also has --help and --json. */
  readonly flags: readonly OptionKey[]
  run(context: Context): Promise<ExitCode>
}

export interface CommandTable {
  /** In the order of the help. */
  readonly commands: readonly Command[]
  /** Names of the contract that this version does not have: answered with an exit code of their own, so that a script can tell them from a slip. */
  readonly later: readonly Pick<Command, 'name' | 'summary'>[]
}
