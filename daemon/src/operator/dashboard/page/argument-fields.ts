/**
 * The fields of a form, from the JSON schema of a command's arguments; and the arguments from what the user typed. What has an own field is
 * checked here by its schema; lists and objects are typed as JSON, and checked by the bridge. Pure.
 */
import { REDACTED, UNKNOWN } from '@sallyport/core/redacted'
import { isSecretName } from '@sallyport/core/secret-names'
import type { DocumentDefinitions, DocumentSchema } from '@sallyport/protocol'

/** A command, or an event. */
export interface ProtocolRow {
  readonly name: string
  readonly summary: string
  /** Alternatives; all scopes of one suffice. */
  readonly scopes: readonly (readonly string[])[]
  readonly args?: DocumentSchema
}

/** What the form of a call is made of. */
export interface FormProtocol {
  readonly commands: readonly ProtocolRow[]
  readonly events: readonly ProtocolRow[]
  readonly $defs: DocumentDefinitions
}

export interface ArgumentField {
  readonly name: string
  readonly isRequired: boolean
  /** Its value is hidden while it is typed. */
  readonly isSecret: boolean
  /** `json`: everything that is typed as JSON. */
  readonly kind: 'text' | 'number' | 'integer' | 'choice' | 'json'
  /** What it can be, by its text. */
  readonly choices: ReadonlyMap<string, unknown>
  readonly hint: string
  readonly schema: DocumentSchema
  /** Whether a text that is no JSON is meant as it stands. */
  readonly mayBeText: boolean
}

const DEFINITIONS = '#/$defs/'

function resolved(schema: DocumentSchema, definitions: DocumentDefinitions): DocumentSchema {
  if (schema.$ref === undefined) return schema
  const { description } = schema
  const found = resolved(definitions[schema.$ref.slice(DEFINITIONS.length)] ?? {}, definitions)
  return description === undefined ? found : { ...found, description }
}

/** What a value may be, without null: an argument that is left out is the same. */
function alternativesOf(given: DocumentSchema, definitions: DocumentDefinitions): readonly DocumentSchema[] {
  const schema = resolved(given, definitions)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => alternativesOf(one, definitions))
  if (typeof schema.type === 'object')
    return schema.type.filter((type) => type !== 'null').flatMap((type) => alternativesOf({ ...schema, type }, definitions))
  return schema.type === 'null' ? [] : [schema]
}

const choicesOf = ({ enum: values, const: only, type }: DocumentSchema): readonly unknown[] | undefined =>
  values ?? (only === undefined ? (type === 'boolean' ? [true, false] : undefined) : [only])

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function limitsOf({ minLength, maxLength, minimum, maximum }: DocumentSchema): string {
  if (maxLength !== undefined)
    return `${minLength === undefined || minLength === 0 ? 'at most' : `${minLength} to`} ${maxLength} characters`
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) return `${minimum} to ${maximum}`
  return minimum === undefined ? '' : `at least ${minimum}`
}

function fieldOf(name: string, given: DocumentSchema, isRequired: boolean, definitions: DocumentDefinitions): ArgumentField {
  const all = alternativesOf(given, definitions)
  const [only = {}] = all
  const choices = all.map(choicesOf)
  const isChoice = all.length > 0 && choices.every((one) => one !== undefined)
  const { type } = only
  const isPlain = all.length === 1 && (type === 'string' || type === 'number' || type === 'integer')
  const description = given.description ?? only.description ?? ''
  return {
    name,
    isRequired,
    isSecret: isSecretName(name),
    kind: isChoice ? 'choice' : isPlain ? (type === 'string' ? 'text' : type) : 'json',
    choices: new Map(isChoice ? choices.flatMap((one) => one ?? []).map((one) => [shown(one), one]) : []),
    hint: [description, isPlain ? limitsOf(only) : isChoice ? '' : 'JSON'].filter((part) => part !== '').join(' '),
    schema: isPlain ? only : {},
    mayBeText: all.some((one) => one.type === 'string'),
  }
}

/** Required ones first. Empty for a command that takes none. */
export function fieldsOf(schema: DocumentSchema | undefined, definitions: DocumentDefinitions): readonly ArgumentField[] {
  const object = alternativesOf(schema ?? {}, definitions).find(({ properties }) => properties !== undefined)
  const required = new Set(object?.required)
  return Object.entries(object?.properties ?? {})
    .map(([name, one]) => fieldOf(name, one, required.has(name), definitions))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

type Read = { readonly value: unknown } | { readonly problem: string }

function textProblem(text: string, { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: DocumentSchema): string | undefined {
  if (text.length < minLength) return `It must have at least ${minLength} characters, and has ${text.length}.`
  if (text.length > maxLength) return `It must have at most ${maxLength} characters, and has ${text.length}.`
  return pattern === undefined || new RegExp(pattern, 'u').test(text) ? undefined : `It must match ${pattern}.`
}

function numberRead(
  text: string,
  isWhole: boolean,
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: DocumentSchema,
): Read {
  const value = Number(text)
  if (!Number.isFinite(value) || (isWhole && !Number.isInteger(value))) return { problem: `It must be a ${isWhole ? 'whole ' : ''}number.` }
  if (value < minimum) return { problem: `It must be at least ${minimum}.` }
  return value > maximum ? { problem: `It must be at most ${maximum}.` } : { value }
}

function jsonRead(text: string, mayBeText: boolean): Read {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return mayBeText ? { value: text } : { problem: 'It must be JSON: texts and names need quotation marks.' }
  }
}

function read({ kind, schema, choices, mayBeText }: ArgumentField, text: string): Read {
  if (kind === 'integer' || kind === 'number') return numberRead(text, kind === 'integer', schema)
  if (kind === 'json') return jsonRead(text, mayBeText)
  if (kind === 'choice')
    return choices.has(text) ? { value: choices.get(text) } : { problem: `It must be one of ${[...choices.keys()].join(', ')}.` }
  const problem = textProblem(text, schema)
  return problem === undefined ? { value: text } : { problem }
}

export interface ReadArguments {
  readonly args: Readonly<Record<string, unknown>>
  /** By the name of the argument: a sentence. */
  readonly problems: ReadonlyMap<string, string>
}

/** `typed`: by name. An empty field is an argument that is left out. */
export function argumentsOf(fields: readonly ArgumentField[], typed: ReadonlyMap<string, string>): ReadArguments {
  const args: Record<string, unknown> = {}
  const problems = new Map<string, string>()
  for (const field of fields) {
    const text = typed.get(field.name) ?? ''
    if (text === '') {
      if (field.isRequired) problems.set(field.name, 'It is required.')
      continue
    }
    const found = read(field, text)
    if ('problem' in found) problems.set(field.name, found.problem)
    else args[field.name] = found.value
  }
  return { args, problems }
}

export interface Refilled {
  /** What the user would have typed, by name. */
  readonly typed: ReadonlyMap<string, string>
  /** Where the record has a mask in place of a value: these are left out. */
  readonly masked: readonly string[]
}

const isMask = (value: unknown): boolean => typeof value === 'string' && [REDACTED, UNKNOWN].some((mask) => value.includes(mask))

/** A copy without masks, whose places are added to `masked`. Undefined: nothing is left. */
function withoutMasks(value: unknown, place: string, masked: string[]): unknown {
  if (isMask(value)) {
    masked.push(place)
    return undefined
  }
  if (Array.isArray(value)) return value.map((inner, at) => withoutMasks(inner, `${place}[${at}]`, masked) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutMasks(inner, `${place}.${name}`, masked)] as const)
  const left = entries.filter(([, inner]) => inner !== undefined)
  return left.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(left)
}

/** The arguments of a call that was made, for its form. */
export function refill(args: unknown, fields: readonly ArgumentField[]): Refilled {
  const given = typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>) : {}
  const masked: string[] = []
  const typed = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    const left = withoutMasks(value, name, masked)
    const field = fields.find((one) => one.name === name)
    if (left === undefined || left === null || field === undefined) continue
    typed.set(name, field.kind === 'json' ? JSON.stringify(left) : shown(left))
  }
  return { typed, masked }
}
