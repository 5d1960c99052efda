/** Emits a JSON Schema as a Markdown table: fields, types and bounds. */
import type { JsonSchema } from '../json-schema.ts'
import { alternatives, fieldsOf, referenceName } from '../schema-fields.ts'

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Escapes text for a table cell. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const isNullable = (schema: JsonSchema): boolean =>
  list(schema['type']).includes('null') ||
  list(schema['anyOf'] ?? schema['oneOf']).some((branch) => isSchema(branch) && branch['type'] === 'null')

function typeOfOne(schema: JsonSchema): string {
  const name = referenceName(schema)
  if (name !== undefined) return `[${name}](records.md#${name.toLowerCase()})`
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(', ')
  if (Array.isArray(schema['prefixItems'])) return `[${schema['prefixItems'].filter(isSchema).map(typeOf).join(', ')}]`
  if (isSchema(schema['items'])) return `list of ${typeOf(schema['items'])}`
  const types = [schema['type']].flat().filter((type) => typeof type === 'string' && type !== 'null')
  return types.length === 0 ? 'any' : types.join(' or ')
}

/** Returns the type of a schema as text; records are links. */
export function typeOf(schema: JsonSchema): string {
  if (schema['type'] === 'null') return 'null'
  const types = alternatives(schema).map(typeOfOne)
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

/** Returns a table of the fields, or one line if there are none. */
export function fieldsTable(schema: JsonSchema): string {
  const fields = fieldsOf(schema).filter((field) => !field.path.endsWith('[]'))
  if (fields.length === 0) return typeOf(schema) === 'object or null' ? 'none' : cell(typeOf(schema))
  const rows = fields.map(({ path, schema: field, isRequired }) => {
    const description = typeof field['description'] === 'string' ? field['description'] : ''
    return `| \`${path}\`${isRequired ? '' : '?'} | ${cell(typeOf(field))} | ${cell(boundsOf(field))} | ${cell(description)} |`
  })
  return ['| Field | Type | Bounds | |', '|---|---|---|---|', ...rows].join('\n')
}
