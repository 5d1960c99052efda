/** Calls as operators see them: values of arguments that no table knows are replaced, because a game may have put a secret there. */
import { commandArgsParser, COMMANDS, type CommandRow, isCommandName, type Parser } from '@sallyport/protocol'
import { UNKNOWN } from '@sallyport/core/redacted'
import { type Path, unknownIn, without } from './unknown-arguments.ts'

type ArgsParser = Parser<CommandRow['args']>

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Levels of objects in the deepest arguments: an unknown name may hide others below it. */
const MAX_ROUNDS = 16

export class MaskedArguments {
  readonly #parsers = new Map<string, ArgsParser>()

  /** `shown`: what is shown of the message of a game, with the mark in it. */
  of(message: unknown, shown: unknown): unknown {
    if (!isFields(message) || !isFields(message['args']) || !isFields(shown)) return shown
    const { cmd, args } = message
    if (typeof cmd !== 'string' || !isCommandName(cmd)) return shown
    return { ...shown, args: maskedBy(shown['args'], this.#knownPart(this.#parserOf(cmd), args)) }
  }

  #parserOf(name: keyof typeof COMMANDS): ArgsParser {
    const made = this.#parsers.get(name) ?? commandArgsParser(COMMANDS[name])
    this.#parsers.set(name, made)
    return made
  }

  /** What the schema takes: some drop unknown names, the others refuse them by name. */
  #knownPart(parse: ArgsParser, args: unknown): unknown {
    let known = args
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const parsed = parse(known)
      if (parsed.success) return parsed.data
      const paths: readonly Path[] = unknownIn(parsed.error.issues)
      if (paths.length === 0) return known
      known = without(known, paths)
    }
    return known
  }
}

/** A copy with the mark in place of what `known` lacks. */
function maskedBy(value: unknown, known: unknown): unknown {
  if (Array.isArray(value)) return Array.isArray(known) ? value.map((inner: unknown, index) => maskedBy(inner, known[index])) : value
  if (!isFields(value) || !isFields(known)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, Object.hasOwn(known, key) ? maskedBy(inner, known[key]) : UNKNOWN]),
  )
}
