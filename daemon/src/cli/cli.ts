/** Runs a command line: finds the command, loads the settings, runs it, and reports failures. Returns the exit code. */
import { loadSettings } from '../config/load.ts'
import { SettingsError } from '../config/settings-error.ts'
import { didYouMean } from '../config/suggest.ts'
import { BridgeError } from '@sallyport/core/errors'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import type { Command, CommandTable, Io } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { Look } from './help.ts'
import { painterOf } from './paint.ts'
import { isPlainWord, parseLine, usageOf } from './parse.ts'
import { protect, PROTECTION } from './protection.ts'
import { shownIo } from './shown-io.ts'

const HELP_WORDS = new Set(['help', '--help', '-h'])
const VERSION_WORDS = new Set(['--version', '-v', '-V'])

/** Never rejects. `words`: the arguments after the program's name. */
export async function runCli(words: readonly string[], given: Io, table: CommandTable): Promise<ExitCode> {
  const io = shownIo(given)
  const [first, ...rest] = words
  if (first === undefined) {
    const { overview } = await import('./help.ts')
    io.info(overview(await allOf(table), lookOf(io, 'info')))
    return EXIT.usage
  }
  if (HELP_WORDS.has(first)) return help(rest, io, table)
  const name = VERSION_WORDS.has(first) ? 'version' : first
  const load = table.get(name)
  if (load === undefined) return rejectUnknownCommand(name, io, table)
  const command = await load()
  try {
    return await runCommand(command, rest, io, table)
  } catch (failure) {
    return report(command, failure, wantsJson(rest, io), io)
  }
}

const allOf = (table: CommandTable): Promise<readonly Command[]> => Promise.all([...table.values()].map((load) => load()))

const lookOf = ({ columns, colours }: Io, stream: 'out' | 'info'): Look => ({ columns, paint: painterOf(colours[stream]) })

/** `sallyport help COMMAND [WORD]` is `sallyport COMMAND --help`. */
async function help(words: readonly string[], io: Io, table: CommandTable): Promise<ExitCode> {
  const asked = words.find((word) => !word.startsWith('-'))
  if (asked !== undefined) return runCli([asked, '--help', ...words.filter((word) => word.startsWith('-'))], io, table)
  const { overview, overviewData } = await import('./help.ts')
  const commands = await allOf(table)
  io.out(words.includes('--json') ? JSON.stringify(overviewData(commands)) : overview(commands, lookOf(io, 'out')))
  return EXIT.ok
}

async function runCommand(command: Command, words: readonly string[], io: Io, table: CommandTable): Promise<ExitCode> {
  const { wantsHelp, operands, flags } = parseLine(command, words)
  if (wantsHelp) {
    const { commandHelp, commandHelpData } = await import('./help.ts')
    io.out(flags.json === undefined ? commandHelp(command, lookOf(io, 'out')) : JSON.stringify(commandHelpData(command)))
    return EXIT.ok
  }
  await checkWord(command, operands)
  const loaded = loadSettings(flags, io.machine, command.edits?.(operands))
  io.clearSecrets()
  if (PROTECTION[command.name]?.from === 'start') protect(io)
  return command.run({ table, operands, loaded, io })
}

/** Throws SettingsError if the command takes certain words first, and this is none of them. */
async function checkWord(command: Command, [first]: readonly string[]): Promise<void> {
  if (first === undefined) return
  const { firstWords } = await import('./usage.ts')
  const words = firstWords(command.usage)
  if (words.length === 0 || words.includes(first)) return
  const what = isPlainWord(first) ? `word ${first}` : 'such word'
  throw new SettingsError(`${command.name} has no ${what}.${didYouMean(first, words)} ${usageOf(command)}`)
}

function rejectUnknownCommand(name: string, io: Io, table: CommandTable): ExitCode {
  // Without the word `callback`, the argument may be a URL with a code.
  const hint = name.includes(':') ? ' To deliver an authorization callback: sallyport callback URL.' : didYouMean(name, [...table.keys()])
  io.info(`${isPlainWord(name) ? `Unknown command ${name}` : 'Unknown command'}.${hint} See sallyport --help.`)
  return EXIT.usage
}

/** Whether to report an error as JSON; independent of the parser, because the line may be invalid. */
const wantsJson = (words: readonly string[], io: Io): boolean =>
  words.includes('--json') || ['1', 'true'].includes(io.machine.env['SALLYPORT_JSON'] ?? '')

interface FailureReport {
  readonly exitCode: ExitCode
  readonly message: string
  readonly detail: object
}

/** The first of several failures: the others came when what it left was closed. */
const firstOf = (failure: unknown): unknown => (failure instanceof SuppressedError ? firstOf(failure.suppressed) : failure)

function describeFailure(failure: unknown): FailureReport {
  if (failure instanceof SettingsError) return { exitCode: EXIT.usage, message: failure.message, detail: {} }
  if (failure instanceof CommandFailure) return { exitCode: failure.exitCode, message: failure.message, detail: failure.detail }
  if (failure instanceof BridgeError || failure instanceof NewerDataError)
    return {
      exitCode: failure instanceof NewerDataError ? EXIT.newerData : EXIT.failed,
      message: failure.message,
      detail: { ...failure.toWire(), name: failure.error },
    }
  // A bug or a system error, so the stack is printed.
  return { exitCode: EXIT.failed, message: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure), detail: {} }
}

function report(command: Command, failure: unknown, asJson: boolean, io: Io): ExitCode {
  const { exitCode, message, detail } = describeFailure(firstOf(failure))
  const name = painterOf(io.colours.info)('red', `sallyport ${command.name}:`)
  io.info(asJson ? JSON.stringify({ error: { message, ...detail, exit_code: exitCode } }) : `${name} ${message}`)
  return exitCode
}
