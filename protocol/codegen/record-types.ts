/** The records that games use as typed fields, for languages whose bindings have a class per record. */
import type { JsonSchema } from './json-schema.ts'
import type { Model } from './model.ts'
import { alternatives, isSchema, propertiesOf, referenceName } from './schema-fields.ts'
import { pascal } from './emit/names.ts'

export type FieldType =
  | { readonly kind: 'id' | 'text' | 'integer' | 'number' | 'flag' }
  | { readonly kind: 'list' | 'map'; readonly of: FieldType }
  | { readonly kind: 'record'; readonly name: string }
  /** A value of any shape. */
  | { readonly kind: 'json' }

export interface RecordField {
  readonly name: string
  readonly type: FieldType
  /** Absent or null in some values. */
  readonly isOptional: boolean
  readonly summary: string
}

export interface RecordType {
  readonly name: string
  readonly summary: string
  readonly fields: readonly RecordField[]
}

/** Definitions that games receive. A field that a bridge may add to one appears in every language. */
const DEFINITIONS = [
  'Authentication',
  'Channel',
  'ErrorData',
  'Lobby',
  'LobbyMessage',
  'ReadyData',
  'Relationship',
  'StoredTokens',
  'UserGuild',
  'UserMessage',
  'UserMessageSummary',
] as const

/** Responses and events that games receive and that no definition names. */
const UNNAMED = {
  Authorization: { table: 'commands', row: 'AUTHORIZE' },
  InviteReceived: { table: 'events', row: 'ACTIVITY_INVITE' },
  JoinReceived: { table: 'events', row: 'ACTIVITY_JOIN' },
  JoinRequestReceived: { table: 'events', row: 'ACTIVITY_JOIN_REQUEST' },
  RevocationReceived: { table: 'events', row: 'TOKEN_REVOKED' },
} as const

const keysOf = (schema: JsonSchema): readonly string[] => Object.keys(schema['properties'] ?? {})
const describe = (schema: JsonSchema): string =>
  typeof schema['description'] === 'string' ? `${schema['description'].replace(/\.$/, '')}.` : ''

const isNullable = (schema: JsonSchema): boolean =>
  [schema['type']].flat().includes('null') ||
  [schema['anyOf'] ?? schema['oneOf']].flat().some((branch) => isSchema(branch) && branch['type'] === 'null')

const SCALARS = { string: 'text', integer: 'integer', number: 'number', boolean: 'flag' } as const
/** Definitions that are decimal texts of 64 bits. */
const IDS: readonly string[] = ['Snowflake', 'BitFieldText']

const ANY: FieldType = { kind: 'json' }

class RecordTypes {
  readonly #definitions: Model['$defs']
  /** By name; parts come before what they are part of. */
  readonly #types = new Map<string, RecordType>()
  readonly #open = new Set<string>()

  constructor(definitions: Model['$defs']) {
    this.#definitions = definitions
  }

  all(): readonly RecordType[] {
    return [...this.#types.values()]
  }

  add(name: string, schema: JsonSchema): void {
    if (this.#types.has(name)) return
    if (schema['audience'] === 'operator') throw new Error(`the record ${name} is for operators, and games do not receive it`)
    if (this.#open.has(name)) throw new Error(`the record ${name} contains itself`)
    this.#open.add(name)
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const fields = propertiesOf(schema, `the record ${name}`).map(([key, field]) => {
      const type = this.#typeOf(field, `${name}${pascal(key)}`)
      return { name: key, type, isOptional: !required.includes(key) || isNullable(field), summary: describe(field) }
    })
    if (fields.length === 0) throw new Error(`the record ${name} has no fields`)
    this.#types.set(name, { name, summary: describe(schema), fields })
  }

  #typeOf(schema: JsonSchema, name: string): FieldType {
    const [one, ...others] = alternatives(schema)
    if (one === undefined || others.length > 0) return ANY
    const definition = referenceName(one)
    if (definition !== undefined) return this.#named(definition)
    const types = [one['type']].flat().filter((type) => type !== 'null')
    const [type] = types
    if (types.length !== 1 || typeof type !== 'string') return ANY
    if (type === 'array') return this.#collection('list', one['items'], name)
    if (type === 'object') return this.#object(one, name)
    return type in SCALARS ? { kind: SCALARS[type as keyof typeof SCALARS] } : ANY
  }

  #named(definition: string): FieldType {
    if (IDS.includes(definition)) return { kind: 'id' }
    const schema = this.#definitions[definition]
    if (schema === undefined) throw new Error(`no definition is named ${definition}`)
    return this.#typeOf(schema, definition)
  }

  #collection(kind: 'list' | 'map', part: unknown, name: string): FieldType {
    return isSchema(part) ? { kind, of: this.#typeOf(part, name) } : ANY
  }

  #object(schema: JsonSchema, name: string): FieldType {
    const keys = keysOf(schema)
    if (keys.length === 0) return this.#collection('map', schema['additionalProperties'], name)
    const same = this.#definitionWith(keys)
    const [known, definition] = same ?? [name, schema]
    this.add(known, definition)
    return { kind: 'record', name: known }
  }

  /** The definition with these fields, because a row may repeat one with fewer required fields. */
  #definitionWith(keys: readonly string[]): readonly [string, JsonSchema] | undefined {
    const wanted = keys.toSorted().join()
    return Object.entries(this.#definitions).find(([, schema]) => keysOf(schema).toSorted().join() === wanted)
  }
}

/** The records, in an order in which each uses only earlier ones. */
export function recordTypes(model: Model): readonly RecordType[] {
  const types = new RecordTypes(model.$defs)
  for (const name of DEFINITIONS) {
    const schema = model.$defs[name]
    if (schema === undefined) throw new Error(`no definition is named ${name}`)
    types.add(name, schema)
  }
  for (const [name, { table, row }] of Object.entries(UNNAMED)) {
    const found = model[table].find((one) => one.name === row)
    if (found === undefined || !('data' in found)) throw new Error(`no row of ${table} with data is named ${row}`)
    types.add(name, found.data)
  }
  return types.all()
}
