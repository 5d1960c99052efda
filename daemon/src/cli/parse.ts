/** Parses the arguments of a command into operands and raw settings, by the OPTIONS table. */
import { parseArgs } from 'node:util'
import type { RawSettings } from '../config/load.ts'
import { type OptionKey, OPTIONS, type OptionRow } from '../config/schema.ts'
import { SettingsError } from '../config/settings-error.ts'
import { didYouMean } from '../config/suggest.ts'
import type { Command } from './command.ts'

interface ParsedLine {
  readonly wantsHelp: boolean
  readonly operands: readonly string[]
  readonly flags: RawSettings
}

/** Matches names. Other text may be a token or a URL with a code, so messages do not repeat it. */
const WORD = /^-{0,2}[a-z]+(?:-[a-z]+)*$/i
const MAX_WORD_CHARACTERS = 24
export const isPlainWord = (text: string): boolean => text.length <= MAX_WORD_CHARACTERS && WORD.test(text)

const HELP = 'help'
const SHORT_HELP = 'h'

/** The options of a command by flag. */
const flagsOf = (command: Command): ReadonlyMap<string, OptionKey> => {
  const known = new Map<string, OptionKey>()
  for (const key of [...command.flags, 'json'] as const) {
    const { flag } = OPTIONS[key]
    if (flag !== undefined) known.set(flag, key)
  }
  return known
}

/** Throws SettingsError for an unknown flag, a flag without value or after the last operand, and a wrong number of operands. */
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
      throw new SettingsError(`${command.name} accepts no flags after its operand. ${usageOf(command)}`)
    if (token.name === HELP) {
      wantsHelp = true
      continue
    }
    const key = known.get(token.name)
    if (key === undefined) throw new SettingsError(unknownFlag(command, token.rawName, known.keys()))
    const isMissing = takesValue(key) && (token.value === undefined || (!token.inlineValue && token.value.startsWith('-')))
    if (isMissing) throw new SettingsError(`${token.rawName} needs a value: ${token.rawName} ${OPTIONS[key].placeholder}.`)
    const isRepeated = (OPTIONS[key] as OptionRow).isList === true && flags[key] !== undefined
    flags[key] = isRepeated ? `${String(flags[key])},${token.value}` : (token.value ?? true)
  }
  if (!wantsHelp) checkOperands(command, operands)
  return { wantsHelp, operands, flags }
}

function unknownFlag(command: Command, given: string, known: Iterable<string>): string {
  const flags = [...known].map((flag) => `--${flag}`)
  return `${command.name} has no ${isPlainWord(given) ? `flag ${given}` : 'such flag'}.${didYouMean(given, flags)} Its flags: ${flags.join(', ')}.`
}

export const usageOf = ({ name, usage }: Command): string => `Usage: sallyport ${name} ${usage}`.trim()

function checkOperands(command: Command, given: readonly string[]): void {
  const { name, operands } = command
  if (given.length < operands.min) throw new SettingsError(`${name} needs more operands. ${usageOf(command)}`)
  if (given.length > operands.max) throw new SettingsError(`${name} has too many operands. ${usageOf(command)}`)
}
