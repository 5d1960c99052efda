/** Turns the words after a command's name into operands and raw settings, by the rows of the OPTIONS table. */
import { parseArgs } from 'node:util'
import type { RawSettings } from '../config/load.ts'
import { type OptionKey, OPTIONS, type OptionRow } from '../config/schema.ts'
import { SettingsError } from '../config/settings-error.ts'
import { didYouMean } from '../config/suggest.ts'
import type { Command } from './command.ts'

export interface ParsedLine {
  readonly wantsHelp: boolean
  readonly operands: readonly string[]
  readonly flags: RawSettings
}

/** Names and slips of names. Anything else may be a token or an address with a code, which is not repeated: terminals are recorded. */
const WORD = /^-{0,2}[a-z]+(?:-[a-z]+)*$/i
const LONGEST_WORD = 24
export const isWord = (text: string): boolean => text.length <= LONGEST_WORD && WORD.test(text)

const HELP = 'help'
const SHORT_HELP = 'h'

/** The options of a command that can stand on its command line, by flag. */
const flagsOf = (command: Command): ReadonlyMap<string, OptionKey> => {
  const known = new Map<string, OptionKey>()
  for (const key of [...command.flags, 'json'] as const) {
    const { flag } = OPTIONS[key]
    if (flag !== undefined) known.set(flag, key)
  }
  return known
}

/** Throws SettingsError for a flag the command does not take, a flag without its value or in a wrong place, or too few or too many operands. */
export function parseLine(command: Command, words: readonly string[]): ParsedLine {
  const known = flagsOf(command)
  const takesValue = (key: OptionKey) => (OPTIONS[key] as OptionRow).placeholder !== undefined
  const types = [...known].map(([flag, key]) => [flag, { type: takesValue(key) ? 'string' : 'boolean' } as const] as const)
  const { tokens } = parseArgs({
    args: [...words],
    options: { ...Object.fromEntries(types), [HELP]: { type: 'boolean', short: SHORT_HELP } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })

  const flags: RawSettings = {}
  const operands: string[] = []
  let wantsHelp = false
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    if (command.isOperandLast && operands.length > 0)
      throw new SettingsError(`${command.name} takes no flag after its operand. ${usageOf(command)}`)
    if (token.name === HELP) {
      wantsHelp = true
      continue
    }
    const key = known.get(token.name)
    if (key === undefined) throw new SettingsError(unknownFlag(command, token.rawName, known.keys()))
    const isMissing = takesValue(key) && (token.value === undefined || (!token.inlineValue && token.value.startsWith('-')))
    if (isMissing) throw new SettingsError(`${token.rawName} needs a value: ${token.rawName} ${OPTIONS[key].placeholder}.`)
    flags[key] = token.value ?? true
  }
  if (!wantsHelp) checkOperands(command, operands)
  return { wantsHelp, operands, flags }
}

function unknownFlag(command: Command, given: string, known: Iterable<string>): string {
  const flags = [...known].map((flag) => `--${flag}`)
  return `${command.name} has no ${isWord(given) ? `flag ${given}` : 'such flag'}.${didYouMean(given, flags)} It takes: ${flags.join(', ')}.`
}

const usageOf = ({ name, usage }: Command): string => `Usage: sallyport ${name} ${usage}`.trim()

function checkOperands(command: Command, given: readonly string[]): void {
  const { name, operands } = command
  if (given.length < operands.least) throw new SettingsError(`${name} needs more: ${usageOf(command)}`)
  if (given.length > operands.most) throw new SettingsError(`${name} does not know what to do with so many words. ${usageOf(command)}`)
}
