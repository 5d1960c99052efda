/**
 * Kinds of settings. A kind checks a given value and returns the value that applies; undefined: refused. Flags and variables are text, values
 * of files may be numbers and booleans, so each kind accepts both. Written by hand, because every command and each start pays for the checks.
 */
import { Secret } from '@sallyport/core/secret'

export interface Kind<T> {
  (given: unknown): T | undefined
  /** Words that it accepts, for suggestions and completions; it may accept other text too. */
  readonly choices?: readonly string[]
}

const withChoices = <T>(kind: (given: unknown) => T | undefined, choices: readonly string[] = []): Kind<T> =>
  Object.assign(kind, { choices })

const isText = (given: unknown): given is string => typeof given === 'string'
const isWhole = (given: unknown): given is number => Number.isSafeInteger(given)

/** Any text but the empty one: a name, a file, a folder. */
export const text: Kind<string> = (given) => (isText(given) && given !== '' ? given : undefined)

/** Text without the spaces around it. */
export const trimmed: Kind<string> = (given) => (isText(given) ? text(given.trim()) : undefined)

export const matching =
  (pattern: RegExp): Kind<string> =>
  (given) =>
    isText(given) && pattern.test(given) ? given : undefined

export const choice = <const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> =>
  withChoices((given) => choices.find((one) => one === given), choices)

/** Any text; these are the usual ones. */
export const textLike = (...choices: readonly string[]): Kind<string> => withChoices((given) => text(given), choices)

/** Some of these, separated by commas. */
export const someOf = <const Choice extends string>(...choices: readonly Choice[]): Kind<readonly Choice[]> =>
  withChoices((given) => (isText(given) ? listOf(choice(...choices), given.split(',')) : undefined), choices)

const NAMES = /^[A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*$/

/** Names of commands and events, separated by commas. */
export const nameList: Kind<readonly string[]> = (given) => (isText(given) && NAMES.test(given) ? given.split(',') : undefined)

/** Folders below another one, separated by commas, or off. Dots lead nowhere else. */
const FOLDERS = /^(?!.*(?:^|[/,])\.{1,2}(?:[/,]|$))[\w.-]+(?:\/[\w.-]+)*(?:,[\w.-]+(?:\/[\w.-]+)*)*$/

/** Where games in Flatpak and Snap search, and where packaged clients of the platform listen. */
const CONTAINER_FOLDERS = ['app/com.discordapp.Discord', '.flatpak/com.discordapp.Discord/xdg-run', 'snap.discord'] as const

export const containerFolders: Kind<readonly string[] | 'off'> = withChoices(
  (given) => {
    if (given === 'off') return given
    if (given === 'auto') return CONTAINER_FOLDERS
    return isText(given) && FOLDERS.test(given) ? given.split(',') : undefined
  },
  ['auto', 'off'],
)

const isPlainAddress = ({ protocol, username, password, search, hash }: URL): boolean =>
  /^https?:$/.test(protocol) && [username, password, search, hash].join('') === ''

/** An http or https URL to which paths are added, or one of these words. It has no user and no password, because process lists show flags. */
export const addressOr = (...words: readonly string[]): Kind<string> =>
  withChoices((given) => {
    const url = isText(given) ? URL.parse(given) : null
    return words.find((word) => word === given) ?? (url !== null && isPlainAddress(url) ? url.href : undefined)
  }, words)

/** Labels of metrics, as `NAME=VALUE`, separated by commas. */
export const labelList: Kind<readonly string[]> = (given) =>
  isText(given) ? listOf(matching(/^[A-Za-z][A-Za-z0-9_]*=./s), given.split(',')) : undefined

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [false, false],
  ['false', false],
  ['0', false],
])

export const flag: Kind<boolean> = (given) => FLAGS.get(given)

const wholeUpTo =
  (max: number): Kind<number> =>
  (given) => {
    const number = isText(given) && /^\d+$/.test(given) ? Number(given) : given
    return isWhole(number) && number >= 0 && number <= max ? number : undefined
  }

const orOff = (kind: Kind<number>): Kind<number | 'off'> => withChoices((given) => (given === 'off' ? given : kind(given)), ['off'])

const MAX_PORT = 65_535
/** Thirty days. */
const MAX_SECONDS = 2_592_000

const MAX_COUNT = 1_000_000

/** A number of things. */
export const count = wholeUpTo(MAX_COUNT)

/** A port; 0: any free one. */
export const port = wholeUpTo(MAX_PORT)

export const portOrOff = orOff(port)

export const secondsOrOff = orOff(wholeUpTo(MAX_SECONDS))

const MAX_SEED_CHARACTERS = 64

/** Text or an integer. */
export const seed: Kind<string> = (given) => {
  const name = isWhole(given) ? String(given) : text(given)
  return name !== undefined && name.length <= MAX_SEED_CHARACTERS ? name : undefined
}

export const secret = (kind: Kind<string>): Kind<Secret<string>> =>
  withChoices((given) => {
    const value = kind(given)
    return value === undefined ? undefined : new Secret(value)
  }, kind.choices)

/** The values of a list with at least one element, if the kind accepts each. */
export function listOf<T>(kind: Kind<T>, given: readonly unknown[]): T[] | undefined {
  const values = given.map(kind).filter((value) => value !== undefined)
  return values.length > 0 && values.length === given.length ? values : undefined
}

/** A JSON object. */
export const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
