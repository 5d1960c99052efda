/** Generates values from a schema: the required fields only, and all fields at their minimum and maximum. */
import type { EndpointRow } from '@sallyport/protocol'
import * as z from 'zod'

type Json = Readonly<Record<string, unknown>>

interface Mode {
  readonly optional: boolean
  readonly size: 'least' | 'most'
  /** Index of the alternative of each union; wraps around. */
  readonly branch: number
  /** Index in the innermost list; items differ because some lists must be unique. */
  readonly index: number
  /** Definitions that contain this value; a definition inside itself has only its required fields. */
  readonly inside: readonly string[]
}

const LEAST: Mode = { optional: false, size: 'least', branch: 0, index: 0, inside: [] }

/** Number of alternatives of the largest union; each is tried once. */
const MOST_BRANCHES = 40
const URL = 'https://game.test'
const TIME = '2026-11-01T12:00:00.000000+00:00'

/** Texts for patterns; the first match is used. */
const SHAPED = [
  { least: '1', most: '18446744073709551615' },
  { least: '1,2', most: '1,18446744073709551615' },
  { least: 'https://game.test', most: 'https://game.test/a/path?and=a&query' },
  { least: 'data:image/png;base64,AAAA', most: 'data:image/webp;base64,AAAAAAA=' },
  { least: 'data:audio/ogg;base64,AAAA', most: 'data:audio/mpeg;base64,AAAAAAA=' },
] as const

/** Texts with a special form, by schema id. */
const BY_ID: Readonly<Record<string, unknown>> = { IsoTime: TIME }

/** Returns different values of a schema, smallest first. */
export function valuesOf(type: z.ZodType): readonly unknown[] {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Json
  const definitions = (schema['$defs'] ?? {}) as Readonly<Record<string, Json>>
  const modes: Mode[] = [LEAST]
  for (let branch = 0; branch < widest(schema); branch++) {
    for (const size of ['least', 'most'] as const) modes.push({ optional: true, size, branch, index: 0, inside: [] })
  }
  const made = modes.map((mode) => sample(schema, mode, definitions))
  return [...new Map(made.map((value) => [JSON.stringify(value), value])).values()]
}

/** Returns the smallest argument object of the row: what its schema requires. */
export const leastSampleOf = ({ args }: EndpointRow): Json => {
  const schema = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' }) as Json
  return sample(schema, LEAST, (schema['$defs'] ?? {}) as Readonly<Record<string, Json>>) as Json
}

/** Returns different argument objects of the row, smallest first. `values` contains values that cannot be generated, by argument. */
export function samplesOf(row: EndpointRow, values: Json = {}): readonly Json[] {
  const made = valuesOf(row.args).map((args) => ({ ...(args as Json), ...values }))
  return [...new Map(made.map((args) => [JSON.stringify(args), args])).values()]
}

function widest(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 1
  const { anyOf, oneOf } = node as { anyOf?: readonly unknown[]; oneOf?: readonly unknown[] }
  const here = Math.max(1, anyOf?.length ?? 0, oneOf?.length ?? 0, ...Object.values(node).map(widest))
  return Math.min(here, MOST_BRANCHES)
}

function sample(schema: Json, mode: Mode, definitions: Readonly<Record<string, Json>>): unknown {
  const go = (inner: unknown) => sample(inner as Json, mode, definitions)
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const id = reference.split('/').at(-1) ?? ''
    if (id in BY_ID) return BY_ID[id]
    const inner = {
      ...mode,
      inside: [...mode.inside, id],
      ...(mode.inside.includes(id) ? { optional: false, size: 'least' as const } : {}),
    }
    return sample(definitions[id] ?? {}, inner, definitions)
  }
  if (typeof schema['id'] === 'string' && schema['id'] in BY_ID) return BY_ID[schema['id']]
  const union = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined
  if (union !== undefined) return go(union[mode.branch % union.length])
  if (Array.isArray(schema['allOf'])) return Object.assign({}, ...(schema['allOf'] as readonly Json[]).map(go))
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return chosen(schema['enum'], mode)
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, mode, go)
    case 'array':
      if (Array.isArray(schema['prefixItems'])) return schema['prefixItems'].map(go)
      return Array.from({ length: lengthOf(schema, mode, 'Items', 2) }, (_, index) =>
        sample((schema['items'] ?? {}) as Json, { ...mode, index }, definitions),
      )
    case 'string':
      return textOf(schema, mode)
    case 'integer':
    case 'number':
      return numberOf(schema, mode)
    case 'boolean':
      return mode.size === 'most'
    default:
      return null
  }
}

function objectOf(schema: Json, mode: Mode, go: (inner: unknown) => unknown): Json {
  const properties = Object.entries((schema['properties'] ?? {}) as Json)
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const named = properties.filter(([name]) => mode.optional || required.has(name)).map(([name, inner]) => [name, go(inner)])
  const isMap = properties.length === 0 && typeof schema['additionalProperties'] === 'object'
  return Object.fromEntries(isMap && mode.optional ? pairsOf(schema, go) : named) as Json
}

/** Small enough for total limits that a schema cannot express. */
const pairsOf = (schema: Json, go: (inner: unknown) => unknown): readonly (readonly [string, unknown])[] =>
  Array.from({ length: Math.min(2, Number(schema['maxProperties'] ?? 2)) }, (_, index) => {
    const value = go(schema['additionalProperties'])
    return [`key${index}`, typeof value === 'string' ? value.slice(0, 100) : value]
  })

const chosen = (choices: readonly unknown[], { size, index }: Mode): unknown =>
  choices[(size === 'least' ? index : choices.length - 1 + index) % choices.length]

function textOf(schema: Json, mode: Mode): string {
  const { pattern, format } = schema
  if (format === 'uri') return URL
  const shaped = typeof pattern === 'string' ? SHAPED.find(({ least }) => new RegExp(pattern).test(least)) : undefined
  const text = shaped?.[mode.size] ?? 'x'.repeat(lengthOf(schema, mode, 'Length', 8))
  return mode.index === 0 ? text : numbered(text, mode.index)
}

/** Replaces the end of the text with a number; keeps the length if possible. */
function numbered(text: string, index: number): string {
  const end = String(index).padStart(Math.min(3, text.length), '0')
  return text.length < end.length ? end : text.slice(0, -end.length) + end
}

function lengthOf(schema: Json, { size }: Mode, what: 'Items' | 'Length', whenOpen: number): number {
  const least = Number(schema[`min${what}`] ?? 0)
  return size === 'least' ? least : Number(schema[`max${what}`] ?? Math.max(least, whenOpen))
}

const numberOf = (schema: Json, { size }: Mode): number =>
  Number(size === 'least' ? (schema['minimum'] ?? schema['maximum'] ?? 0) : (schema['maximum'] ?? schema['minimum'] ?? 0))
