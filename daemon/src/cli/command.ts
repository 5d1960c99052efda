/** The type of a command. The table in commands.ts lists all commands, for help, checks and dispatch. */
import type { FileEdits, LoadedSettings } from '../config/load.ts'
import type { Machine } from '../config/paths.ts'
import type { OptionKey } from '../config/schema.ts'
import type { Confirm } from '@sallyport/core/confirm'
import type { Secret } from '@sallyport/core/secret'
import type { ExitCode } from './exit-codes.ts'

/** The process as commands see it; tests replace it. */
export interface Io {
  /** Prints one line of data to stdout. */
  out(text: string): void
  /** Prints one message to stderr. */
  info(text: string): void
  /** Reads a secret from stdin without echo; undefined if it is empty. */
  readSecret(prompt: string): Promise<Secret<string> | undefined>
  readonly machine: Machine
  /** Whether stdout is a terminal; otherwise its content may be stored, e.g. in a system log. */
  readonly isStdoutTerminal: boolean
  /** Of the terminal of stdout, or a usual number without one. */
  readonly columns: number
  /** Whether stdout (`out`) and stderr (`info`) show colours. */
  readonly colours: { readonly out: boolean; readonly info: boolean }
  /** Undefined without a terminal. */
  readonly confirm?: Confirm
  /** Deletes the secrets of the settings from the environment of this process. */
  clearSecrets(): void
  /** Shows a line at the terminal, in place of the one before; undefined removes it. Absent without a terminal. */
  readonly status?: (text: string | undefined) => void
  /** Protects this process from other programs of the user; false if the system refused. */
  harden(): boolean
  /** Whether this process is in the foreground of a terminal. */
  isAtTerminal(): boolean
  /** Reads a line from the terminal; undefined without a terminal. Resolves with undefined at the end of input. */
  readonly readLine?: (prompt: string) => Promise<string | undefined>
  /** Runs `action` once after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, action: () => void): () => void
  /** Resolves at the first stop signal (Ctrl-C, SIGTERM) with its name, or with what else ended it; a second one ends the process at once. */
  untilStopped(): Promise<string>
  /** The words by which a user starts this program at a terminal. */
  ownCommand(): string
  /** Resolves when what is printed is lost: the reader has left, or the device is full. */
  untilUnread(): Promise<string>
}

export interface Context {
  /** All commands. */
  readonly table: CommandTable
  readonly operands: readonly string[]
  readonly loaded: LoadedSettings
  readonly io: Io
}

export interface Command {
  readonly name: string
  readonly summary: string
  /** Operands in the help, after the name. */
  readonly usage: string
  /** The allowed number of operands. */
  readonly operands: { readonly min: number; readonly max: number }
  /** Other programs supply the operand, so no flags are allowed after it. */
  readonly isOperandLast?: true
  /** Options of the command, in addition to --help and --json. */
  readonly flags: readonly OptionKey[]
  /** What it writes into the settings file. The settings are loaded as if it were there, so a bad file can be mended. */
  readonly edits?: (operands: readonly string[]) => FileEdits
  run(context: Context): Promise<ExitCode>
}

/** What loads each command, by its name, in the order of the help. */
export type CommandTable = ReadonlyMap<string, () => Promise<Command>>
