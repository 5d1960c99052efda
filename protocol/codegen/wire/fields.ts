/** The fields of a JSON Schema by their paths, such as `embeds[].image.url`, with the kinds of values that each may have. Pure. */

export type Schema = Readonly<Record<string, unknown>>
export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'object'

/** Empty: the schema does not say. */
export type Kinds = ReadonlySet<Kind>

/** By path. */
export type Fields = ReadonlyMap<string, Kinds>

const KIND_OF: Readonly<Record<string, Kind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
}

const schemasOf = (value: unknown): readonly Schema[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is Schema => typeof one === 'object' && one !== null && !Array.isArray(one))

/** Below `schemas` of a document: the schema that `$ref` names. Throws for one that it does not have. */
export type Resolve = (reference: string) => Schema

/** The forms that a value may have: unions and intersections opened, references resolved. `chain`: the references that lead here. */
function formsOf(
  schema: Schema,
  resolve: Resolve,
  chain: readonly string[],
): readonly { readonly form: Schema; readonly chain: readonly string[] }[] {
  const { $ref } = schema
  if (typeof $ref === 'string') return chain.includes($ref) ? [] : formsOf(resolve($ref), resolve, [...chain, $ref])
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => schemasOf(schema[key] ?? []))
  return [{ form: schema, chain }, ...parts.flatMap((part) => formsOf(part, resolve, chain))]
}

function kindsOf({ type, enum: values, const: value }: Schema): readonly Kind[] {
  const named = [type].flat().flatMap((one) => (typeof one === 'string' ? (KIND_OF[one] ?? []) : []))
  if (named.length > 0) return named
  const given = Array.isArray(values) ? values : value === undefined ? [] : [value]
  return given.flatMap((one) => KIND_OF[typeof one] ?? [])
}

/** Adds the fields of one schema, whose own path is `path`. */
function collect(schema: Schema, path: string, resolve: Resolve, chain: readonly string[], found: Map<string, Set<Kind>>): void {
  const kinds = found.get(path) ?? new Set()
  if (path !== '') found.set(path, kinds)
  for (const { form, chain: here } of formsOf(schema, resolve, chain)) {
    for (const kind of kindsOf(form)) kinds.add(kind)
    for (const items of schemasOf(form['items'] ?? [])) collect(items, `${path}[]`, resolve, here, found)
    for (const [name, field] of Object.entries((form['properties'] ?? {}) as Readonly<Record<string, Schema>>))
      collect(field, path === '' ? name : `${path}.${name}`, resolve, here, found)
  }
}

export function fieldsOf(schema: Schema, resolve: Resolve): Fields {
  const found = new Map<string, Set<Kind>>()
  collect(schema, '', resolve, [], found)
  return found
}

/** The path that a path lies in; undefined for a field of the operation itself. */
export function parentOf(path: string): string | undefined {
  const end = path.endsWith('[]') ? path.length - 2 : path.lastIndexOf('.')
  return end <= 0 ? undefined : path.slice(0, end)
}
