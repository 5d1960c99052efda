/** What completes each word of a command line, from the tables of commands, options and the protocol. Pure. */
import { COMMANDS, SCOPES } from '@sallyport/protocol'
import { OPTION_KEYS, OPTIONS, type OptionKey, type OptionRow } from '../config/schema.ts'
import type { Command } from './command.ts'
import { type IdKind, ID_KINDS } from './completion-ids.ts'
import { flagRows } from './help.ts'
import { type Alternative, alternativesOf } from './usage.ts'

/** What completes one word. */
export interface Candidates {
  readonly words: readonly string[]
  /** Also paths of files and folders. */
  readonly hasPaths?: true
  /** Also ids, which the shell asks `sallyport completion ids` for. */
  readonly ids?: IdKind
}

/** A place of an operand, as a pattern of a shell: the operands before it, each with a colon behind. `*` is any. */
export interface Place {
  readonly at: string
  readonly candidates: Candidates
}

const NONE: Candidates = { words: [] }
const PATHS: Candidates = { words: [], hasPaths: true }

const isIdKind = (name: string): name is IdKind => Object.hasOwn(ID_KINDS, name)

const settingsInFile = (): readonly OptionKey[] =>
  OPTION_KEYS.filter((key) => OPTIONS[key].fileKey !== undefined && OPTIONS[key].flag !== undefined && key !== 'config')

const scopeNames = (): readonly string[] => Object.keys(SCOPES).filter((name) => !name.startsWith('rpc.'))

/** By the name of the operand in the usage line. */
const OPERANDS: Readonly<Record<string, (command: string) => Candidates>> = {
  FILE: () => PATHS,
  PREFIX: () => PATHS,
  URL: () => NONE,
  SCHEME: () => NONE,
  'ARGS-JSON': () => NONE,
  VALUE: () => NONE,
  CMD: () => ({ words: Object.keys(COMMANDS) }),
  KEY: () => ({ words: settingsInFile().map((key) => String(OPTIONS[key].fileKey)) }),
  KIND: () => ({ words: Object.keys(ID_KINDS) }),
  PLACE: () => ({ words: ['account', 'web', 'default'] }),
  SCOPE: () => ({ words: scopeNames() }),
  ID: (command) => (isIdKind(command) ? { words: [], ids: command } : NONE),
}

/** Those flags whose values are neither words of their kind nor paths. */
const FLAG_VALUES: Readonly<Partial<Record<OptionKey, () => Candidates>>> = {
  application: () => ({ words: [], ids: 'applications' }),
  cmd: () => ({ words: Object.keys(COMMANDS) }),
  scopes: () => ({ words: scopeNames() }),
}

const PATH = /\b(?:FILE|DIR)\b/

/** Of the value of a flag; undefined for one without value. */
export function valueCandidates(row: OptionRow): Candidates | undefined {
  const { placeholder, check, fileKey, flag } = row
  if (placeholder === undefined) return undefined
  const key = OPTION_KEYS.find((one) => OPTIONS[one].flag === flag && OPTIONS[one].fileKey === fileKey)
  const own = key === undefined ? undefined : FLAG_VALUES[key]
  return own?.() ?? { words: check.choices ?? [], ...(PATH.test(placeholder) ? { hasPaths: true } : {}) }
}

/** Where the values of single settings are known. */
const valuesOfKeys = (before: string): readonly Place[] =>
  settingsInFile().flatMap((key) => {
    const row: OptionRow = OPTIONS[key]
    const candidates = row.placeholder === undefined ? { words: ['true', 'false'] } : valueCandidates(row)
    return candidates === undefined ? [] : [{ at: `${before}${row.fileKey}:`, candidates }]
  })

function placesOfAlternative({ name }: Command, operands: Alternative): readonly Place[] {
  const places: Place[] = []
  let at = `${name}:`
  for (const { text, isWord, isRepeated } of operands) {
    if (text === 'VALUE') places.push(...valuesOfKeys(at.replace(/\*:$/, '')))
    const candidates = isWord ? { words: [text] } : OPERANDS[text]?.(name)
    // A name that is not in the table completes nothing.
    places.push({ at: isRepeated ? `${at}*` : at, candidates: candidates ?? NONE })
    if (isRepeated) places.push({ at, candidates: candidates ?? NONE })
    at += isWord ? `${text}:` : '*:'
  }
  return places
}

const joined = (one: Candidates, other: Candidates): Candidates => ({
  ...one,
  ...other,
  words: [...new Set([...one.words, ...other.words])],
})

/** All operands of a command, those with more before them first: a pattern with `*` would take those too. */
export function placesOf(command: Command): readonly Place[] {
  const merged = new Map<string, Candidates>()
  for (const { at, candidates } of alternativesOf(command.usage).flatMap((one) => placesOfAlternative(command, one)))
    merged.set(at, joined(merged.get(at) ?? NONE, candidates))
  return [...merged]
    .filter(([, { words, hasPaths, ids }]) => words.length > 0 || hasPaths === true || ids !== undefined)
    .map(([at, candidates]) => ({ at, candidates }))
    .toSorted((one, other) => Number(one.at.includes('*')) - Number(other.at.includes('*')))
}

/** The names of operands that a usage line may have. */
export const isKnownOperand = (text: string): boolean => Object.hasOwn(OPERANDS, text)

/** Each flag of the commands once. */
export const flagsOfAll = (commands: readonly Command[]): readonly OptionRow[] => [...new Set(commands.flatMap(flagRows))]

export const flagNames = (command: Command): readonly string[] => [...flagRows(command).map(({ flag }) => `--${flag}`), '--help']
