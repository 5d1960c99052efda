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
  readonly isRequired: boolean
  /** The only value that the field can have, if there is one. */
  readonly constant: string | number | boolean | undefined
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

const isWhole = (value: unknown): boolean => Number.isInteger(value)
/** The schema of numbers with a type of their own: zod prints an enumeration of whole numbers as numbers. */
const isIntegers = (schema: JsonSchema): boolean =>
  Array.isArray(schema['enum']) ? schema['enum'].every(isWhole) : 'const' in schema && isWhole(schema['const'])

const constantOf = ({ const: value }: JsonSchema): RecordField['constant'] =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined

/** Records that games receive, or objects that they send: these have names of their own, because a definition can be of both. */
type Direction = 'received' | 'sent'

class RecordTypes {
  readonly #direction: Direction
  readonly #definitions: Model['$defs']
  /** By name; parts come before what they are part of. */
  readonly #types = new Map<string, RecordType>()
  readonly #open = new Set<string>()

  constructor(direction: Direction, definitions: Model['$defs']) {
    this.#direction = direction
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
      const isRequired = required.includes(key)
      const isOptional = !isRequired || isNullable(field)
      return { name: key, type, isOptional, isRequired, constant: constantOf(field), summary: describe(field) }
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
    if (this.#direction === 'sent' && isIntegers(one)) return { kind: 'integer' }
    return type in SCALARS ? { kind: SCALARS[type as keyof typeof SCALARS] } : ANY
  }

  #named(definition: string): FieldType {
    if (IDS.includes(definition)) return { kind: 'id' }
    const schema = this.#definitions[definition]
    if (schema === undefined) throw new Error(`no definition is named ${definition}`)
    return this.#typeOf(schema, this.#direction === 'received' ? definition : `${definition.replace(/Input$/, '')}Input`)
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
    if (this.#direction === 'sent') return undefined
    const wanted = keys.toSorted().join()
    return Object.entries(this.#definitions).find(([, schema]) => keysOf(schema).toSorted().join() === wanted)
  }
}

/** The records, in an order in which each uses only earlier ones. `more`: definitions that games send. */
export function recordTypes(model: Model, more: readonly string[] = []): readonly RecordType[] {
  const types = new RecordTypes('received', model.$defs)
  for (const name of [...DEFINITIONS, ...more]) {
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

export interface ArgumentTypes {
  /** The objects, in an order in which each uses only earlier ones. */
  readonly types: readonly RecordType[]
  /** The command of each type that has all arguments of one, by its name. */
  readonly commands: ReadonlyMap<string, string>
}

/** The objects that games send: the arguments of each command that has some, and their parts. */
export function argumentTypes(model: Model): ArgumentTypes {
  const types = new RecordTypes('sent', model.$defs)
  const commands = new Map<string, string>()
  for (const row of model.commands) {
    const schema = 'args' in row ? row.args : model.endpoints.find(({ name }) => name === row.endpoint)?.args
    if (schema === undefined) throw new Error(`no endpoint is named ${row.name}`)
    const [one, ...others] = alternatives(schema)
    if (one === undefined || others.length > 0 || keysOf(one).length === 0) continue
    const name = `${pascal(row.name)}Arguments`
    types.add(name, one)
    commands.set(name, row.name)
  }
  return { types: types.all(), commands }
}
