/** From the words of a command line to an exit code: finds the command, loads the settings, runs it, and puts failures into words. */
import { loadSettings } from '../config/load.ts'
import { SettingsError } from '../config/settings-error.ts'
import { didYouMean } from '../config/suggest.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Command, CommandTable, Io } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { commandHelp, commandHelpData, overview } from './help.ts'
import { isWord, parseLine } from './parse.ts'

const HELP_WORDS = new Set(['help', '--help', '-h'])
const VERSION_WORDS = new Set(['--version', '-v'])

/** Never rejects. `words`: what follows the program's name. */
export async function runCli(words: readonly string[], io: Io, table: CommandTable): Promise<ExitCode> {
  const [first, ...rest] = words
  if (first === undefined) {
    io.say(overview(table))
    return EXIT.usage
  }
  if (HELP_WORDS.has(first)) {
    io.out(overview(table))
    return EXIT.ok
  }
  const name = VERSION_WORDS.has(first) ? 'version' : first
  const command = table.commands.find((candidate) => candidate.name === name)
  if (command === undefined) return refuseName(name, io, table)
  try {
    return await runCommand(command, rest, io)
  } catch (failure) {
    return report(command, failure, wantsJson(rest, io), io)
  }
}

async function runCommand(command: Command, words: readonly string[], io: Io): Promise<ExitCode> {
  const { wantsHelp, operands, flags } = parseLine(command, words)
  if (wantsHelp) {
    io.out(flags.json === undefined ? commandHelp(command) : JSON.stringify(commandHelpData(command)))
    return EXIT.ok
  }
  const loaded = loadSettings(flags, io.machine)
  io.forgetSecrets()
  return command.run({ operands, loaded, io })
}

function refuseName(name: string, io: Io, { commands, later }: CommandTable): ExitCode {
  if (later.some((row) => row.name === name)) {
    io.say(`sallyport ${name} is not in this version.`)
    return EXIT.notInThisVersion
  }
  const names = commands.map((command) => command.name)
  // Whoever forgot the word `callback` gave an address with a code in it.
  const meant = name.includes(':') ? ' To hand over the address a sign-in ended at: sallyport callback URL.' : didYouMean(name, names)
  io.say(`There is no command ${isWord(name) ? name : 'of that name'}.${meant} sallyport --help lists them.`)
  return EXIT.usage
}

/** For the form of an error only: the line may be the very thing that is wrong. */
const wantsJson = (words: readonly string[], io: Io): boolean =>
  words.includes('--json') || ['1', 'true'].includes(io.machine.env['SALLYPORT_JSON'] ?? '')

interface Told {
  readonly exitCode: ExitCode
  readonly message: string
  readonly detail: object
}

function tell(failure: unknown): Told {
  if (failure instanceof SettingsError) return { exitCode: EXIT.usage, message: failure.message, detail: {} }
  if (failure instanceof CommandFailure) return { exitCode: failure.exitCode, message: failure.message, detail: failure.detail }
  if (failure instanceof BridgeError)
    return { exitCode: EXIT.failed, message: failure.message, detail: { ...failure.toWire(), name: failure.error } }
  // A bug, or the system saying no: the stack is what helps.
  return { exitCode: EXIT.failed, message: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure), detail: {} }
}

function report(command: Command, failure: unknown, asJson: boolean, io: Io): ExitCode {
  const { exitCode, message, detail } = tell(failure)
  io.say(asJson ? JSON.stringify({ error: { message, ...detail, exit_code: exitCode } }) : `sallyport ${command.name}: ${message}`)
  return exitCode
}
