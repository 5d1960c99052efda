/** Lists the fields of a JSON Schema. */
import type { JsonSchema } from './json-schema.ts'

export interface Field {
  /** Dotted, `[]` for the items of a list, `*` for any key. Empty for the value itself. */
  readonly path: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)
const schemasIn = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : [])
const join = (path: string, step: string): string => (path === '' || step === '[]' ? `${path}${step}` : `${path}.${step}`)

export const referenceName = (schema: JsonSchema): string | undefined =>
  typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/$defs/', '') : undefined

/**
 * The properties of an object with their schemas, in order. Throws for one without a schema: every emitter reads fields here, so none leaves
 * a field out without a word.
 */
export const propertiesOf = (schema: JsonSchema, of: string): readonly (readonly [string, JsonSchema])[] =>
  Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).map(([name, property]) => {
    if (!isSchema(property)) throw new Error(`the field ${name} of ${of} has no schema`)
    return [name, property] as const
  })

/** Returns the alternatives of a schema, without null. */
export const alternatives = (schema: JsonSchema): readonly JsonSchema[] => {
  const branches = schemasIn(schema['anyOf'] ?? schema['oneOf'])
  return branches.length === 0 ? [schema] : branches.filter((branch) => branch['type'] !== 'null').flatMap(alternatives)
}

function children(schema: JsonSchema, path: string): Field[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields: Field[] = propertiesOf(schema, path === '' ? 'a record' : path).map(([name, property]) => ({
    path: join(path, name),
    schema: property,
    isRequired: required.includes(name),
  }))
  const { items, additionalProperties } = schema
  if (isSchema(items)) fields.push({ path: join(path, '[]'), schema: items, isRequired: true })
  if (isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0)
    fields.push({ path: join(path, '*'), schema: additionalProperties, isRequired: false })
  return fields
}

/** Returns all fields of a schema, depth first. References are leaves. */
export function fieldsOf(schema: JsonSchema, path = ''): Field[] {
  return alternatives(schema)
    .flatMap((branch) => children(branch, path))
    .flatMap((field) => [field, ...fieldsOf(field.schema, field.path)])
}
