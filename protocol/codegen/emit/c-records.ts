/** Emits C structs of the records that games read: one JSON value per field, filled in one pass. */
import type { JsonSchema } from '../json-schema.ts'
import type { Model } from '../model.ts'
import { alternatives, isSchema, propertiesOf, referenceName } from '../schema-fields.ts'
import { doc, typeName } from './c-text.ts'

/** Records in the responses and events of games. A struct for each of them is part of the header's contract. */
const RECORDS = [
  'Activity',
  'Authentication',
  'Channel',
  'Entitlement',
  'ErrorData',
  'Lobby',
  'LobbyMember',
  'LobbyMessage',
  'Message',
  'ReadyData',
  'Relationship',
  'RpcUser',
  'Sku',
  'User',
  'UserGuild',
  'UserMessage',
  'VoiceState',
] as const

function typeOfOne(schema: JsonSchema): string {
  const name = referenceName(schema)
  if (name !== undefined) return name
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(', ')
  if (isSchema(schema['items'])) return `list of ${typeOf(schema['items'])}`
  const types = [schema['type']].flat().filter((type) => typeof type === 'string' && type !== 'null')
  return types.length === 0 ? 'any' : types.join(' or ')
}

const isNullable = (schema: JsonSchema): boolean =>
  [schema['type']].flat().includes('null') ||
  [schema['anyOf'] ?? schema['oneOf']].flat().some((branch) => isSchema(branch) && branch['type'] === 'null')

const typeOf = (schema: JsonSchema): string =>
  [...new Set(alternatives(schema).map(typeOfOne)), ...(isNullable(schema) ? ['null'] : [])].join(' or ')

interface RecordField {
  readonly name: string
  readonly sentences: readonly string[]
}

/** Words of C and C++ that cannot name a member. */
const RESERVED = new Set(['default', 'private', 'public', 'new', 'class', 'operator', 'register', 'delete', 'template'])
const memberName = (name: string): string => (RESERVED.has(name) ? `${name}_` : name)

const describe = (schema: JsonSchema): string =>
  typeof schema['description'] === 'string' ? `${schema['description'].replace(/\.$/, '')}.` : ''

function fieldsOf(record: string, schema: JsonSchema): readonly RecordField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = propertiesOf(schema, `the record ${record}`).map(([name, field]) => ({
    name,
    sentences: [`${typeOf(field)}${required.includes(name) ? '' : ', optional'}.`, describe(field)],
  }))
  if (fields.length === 0) throw new Error(`the record ${record} has no fields`)
  return fields
}

const records = ({ $defs }: Model) =>
  RECORDS.map((name) => {
    const schema = $defs[name]
    if (schema === undefined) throw new Error(`no record is named ${name}`)
    return { name, summary: describe(schema), fields: fieldsOf(name, schema) }
  })

/** The type and the declaration of the reader of each record. */
export const recordDeclarations = (model: Model): string =>
  records(model)
    .map(({ name, summary, fields }) =>
      [
        doc([summary, 'A missing field is SALLYPORT_JSON_MISSING.']),
        `typedef struct ${typeName(name)} {`,
        ...fields.flatMap((field) => [doc(field.sentences, '  '), `  sallyport_json ${memberName(field.name)};`]),
        `} ${typeName(name)};`,
        `SALLYPORT_API int ${typeName(`Read${name}`)}(sallyport_json value, ${typeName(name)} *record, size_t size);`,
      ].join('\n'),
    )
    .join('\n\n')

/** The reader of each record. */
export const recordReaders = (model: Model): string =>
  records(model)
    .map(({ name, fields }) =>
      [
        `int ${typeName(`Read${name}`)}(sallyport_json value, ${typeName(name)} *record, size_t size) {`,
        `  static const char *const keys[] = {${fields.map((field) => `"${field.name}"`).join(', ')}};`,
        `  ${typeName(name)} own;`,
        `  sallyport_json values[${fields.length}];`,
        '  if (record == NULL) return 0;',
        `  sallyport_json_fields(value, keys, ${fields.length}, values);`,
        ...fields.map((field, index) => `  own.${memberName(field.name)} = values[${index}];`),
        '  sally_copy_sized(record, size, &own, sizeof own);',
        '  return sallyport_json_type_of(value) == SALLYPORT_JSON_OBJECT;',
        '}',
      ].join('\n'),
    )
    .join('\n\n')
