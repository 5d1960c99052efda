/** Emits a JSON Schema as a Markdown list: fields, types, bounds and descriptions. */
import type { JsonSchema } from '../json-schema.ts'
import { alternatives, type Field, fieldsOf, referenceName } from '../schema-fields.ts'
import { list, wrapped } from './text.ts'

const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

const isNullable = (schema: JsonSchema): boolean =>
  elements(schema['type']).includes('null') ||
  elements(schema['anyOf'] ?? schema['oneOf']).some((branch) => isSchema(branch) && branch['type'] === 'null')

/** Returns the link to a record, relative to the page that it is on. */
export type RecordLink = (record: string) => string

function typeOfOne(schema: JsonSchema, link: RecordLink): string {
  const name = referenceName(schema)
  if (name !== undefined) return `[${name}](${link(name)})`
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(', ')
  if (Array.isArray(schema['prefixItems']))
    return `[${schema['prefixItems']
      .filter(isSchema)
      .map((one) => typeOf(one, link))
      .join(', ')}]`
  if (isSchema(schema['items'])) return `list of ${typeOf(schema['items'], link)}`
  const types = [schema['type']].flat().filter((type) => typeof type === 'string' && type !== 'null')
  return types.length === 0 ? 'any' : types.join(' or ')
}

/** Returns the type of a schema as text; records are links. */
function typeOf(schema: JsonSchema, link: RecordLink): string {
  if (schema['type'] === 'null') return 'null'
  const types = alternatives(schema).map((one) => typeOfOne(one, link))
  return [...new Set(types), ...(isNullable(schema) ? ['null'] : [])].join(' or ')
}

function range(schema: JsonSchema, lowest: string, highest: string, unit: string): string | undefined {
  const [low, high] = [schema[lowest], schema[highest]].map((bound) => (typeof bound === 'number' ? bound : undefined))
  if (low === undefined) return high === undefined ? undefined : `at most ${high}${unit}`
  if (low === high) return `exactly ${low}${unit}`
  return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`
}

/** A pattern is shown only if there is no description. */
function boundsOf(schema: JsonSchema): string {
  const { description } = schema
  return alternatives(schema)
    .flatMap((branch) => [
      range(branch, 'minLength', 'maxLength', ' characters'),
      range(branch, 'minItems', 'maxItems', ' items'),
      range(branch, 'minimum', 'maximum', ''),
      typeof branch['pattern'] === 'string' && description === undefined ? `matches \`${branch['pattern']}\`` : undefined,
    ])
    .filter((bound) => bound !== undefined)
    .join('; ')
}

const described = (schema: JsonSchema): string => (typeof schema['description'] === 'string' ? ` ${schema['description']}` : '')

function fieldItem({ path, schema, isRequired }: Field, link: RecordLink): string {
  const facts = [typeOf(schema, link), boundsOf(schema)].filter((fact) => fact !== '')
  return `\`${path}\`${isRequired ? '' : ' (optional)'}: ${facts.join(', ')}.${described(schema)}`
}

/** Returns a list of the fields, or one line if there are none. */
export function fieldList(schema: JsonSchema, link: RecordLink): string {
  const fields = fieldsOf(schema).filter((field) => !field.path.endsWith('[]'))
  if (fields.length > 0) return list(fields.map((field) => fieldItem(field, link)))
  const type = typeOf(schema, link)
  return type === 'object or null' ? 'none' : wrapped(type)
}
