/** Checks arguments against a schema. The error names the field, the rule and the given size. */
import type { Parser } from '@sallyport/protocol'
import type * as z from 'zod'
import { BridgeError } from '@sallyport/core/errors'
import { didYouMean } from '../config/suggest.ts'
import { namesAt } from './known-names.ts'

type Issue = z.core.$ZodIssue

/** Longer names from a game are truncated, so that the response stays short. */
const MAX_SHOWN = 64
const truncated = (name: string): string => (name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name)

/** `embeds[0].title` for `['embeds', 0, 'title']`. */
export const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? truncated(String(key)) : `${text}.${truncated(String(key))}`,
    '',
  )

const sizeOf = (value: unknown): number | undefined =>
  typeof value === 'string' || Array.isArray(value) ? value.length : typeof value === 'number' ? value : undefined

const UNIT: Readonly<Record<string, string>> = { string: ' characters', array: ' items', set: ' items' }

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), root)

const isOfType = ({ code }: Issue): boolean => code === 'too_big' || code === 'too_small' || code === 'invalid_format'

/** The issue of the best matching union branch, which is more precise than the issue of the union. */
function mostSpecific(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1))
  // Prefers the branch whose type matched and whose rule failed.
  const inner = branches.toSorted((a, b) => b.path.length - a.path.length || Number(isOfType(b)) - Number(isOfType(a)))[0]
  return inner === undefined || (inner.path.length === 0 && !isOfType(inner))
    ? issue
    : mostSpecific({ ...inner, path: [...issue.path, ...inner.path] })
}

/** The problem without the value, because a wrong field may hold a secret. */
function describe(issue: Issue, given: unknown): string {
  const size = sizeOf(given)
  const verb = typeof given === 'string' || Array.isArray(given) ? 'have' : 'be'
  switch (issue.code) {
    case 'too_big':
      return `must ${verb} at most ${issue.maximum}${UNIT[issue.origin] ?? ''}${size === undefined ? '' : `, ${size} given`}`
    case 'too_small':
      return `must ${verb} at least ${issue.minimum}${UNIT[issue.origin] ?? ''}${size === undefined ? '' : `, ${size} given`}`
    case 'invalid_type':
      return given === undefined
        ? 'is missing'
        : `must be ${issue.expected}, not ${given === null ? 'null' : Array.isArray(given) ? 'array' : typeof given}`
    case 'unrecognized_keys':
      return 'is not known'
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `must be a valid ${issue.format}` : issue.message
    default:
      return issue.message
  }
}

/** Returns the parsed arguments. Throws INVALID_PAYLOAD for the first problem. */
export const validate = <Schema extends z.ZodType>(parse: Parser<Schema>, given: unknown): z.output<Schema> =>
  validArgs(parse(given), given)

/** The same for arguments that were parsed already. With their schema, the error of an unknown name suggests the nearest known one. */
export function validArgs<Output>(parsed: z.ZodSafeParseResult<Output>, given: unknown, schema?: z.ZodType): Output {
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  if (first === undefined) throw new BridgeError('INVALID_PAYLOAD', 'The arguments are not valid.')
  const issue = mostSpecific(first)
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = pathOf([...issue.path, ...keys])
  const [unknown] = keys
  const hint = unknown === undefined || schema === undefined ? '' : didYouMean(unknown, namesAt(schema, issue.path))
  const problem = describe(issue, valueAt(given, issue.path))
  throw new BridgeError('INVALID_PAYLOAD', `${path === '' ? 'args' : `"${path}"`} ${problem}.${hint}`, { path })
}
