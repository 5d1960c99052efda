/** Converts zod schemas to plain JSON Schema with one shared set of named definitions. */
import * as z from 'zod'

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Definitions = Readonly<Record<string, JsonSchema>>
/** Direction of data from the caller's view: sent or received. */
export type Direction = 'input' | 'output'

const LARGEST = Number.MAX_SAFE_INTEGER
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Removes ids of zod and the bounds of safe integers. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (!isObject(node)) return node
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === '$schema' || keyword === '$defs') continue
    if ((keyword === 'minimum' && value === -LARGEST) || (keyword === 'maximum' && value === LARGEST)) continue
    kept[keyword] = keyword === 'properties' ? propertiesOf(value) : plain(value)
  }
  return kept
}

/** Without second spellings of a name, which are only accepted. */
const propertiesOf = (properties: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {})
      .filter(([, schema]) => !isObject(schema) || !('alias_of' in schema))
      .map(([name, schema]) => [name, plain(schema)]),
  )

/** Collects named definitions while rows are converted; throws if two different schemas have the same name. */
export class DefinitionSet {
  readonly #definitions = new Map<string, JsonSchema>()

  /** Converts the schema of one row. Named parts, and a named schema itself, become references. */
  convert(schema: z.ZodType, direction: Direction): JsonSchema {
    const raw: Record<string, unknown> = z.toJSONSchema(schema, { io: direction })
    for (const [name, definition] of Object.entries(isObject(raw['$defs']) ? raw['$defs'] : {})) this.#define(name, definition)
    return plain(raw) as JsonSchema
  }

  #define(name: string, raw: unknown): void {
    const definition = plain(raw) as JsonSchema
    const known = this.#definitions.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`two different schemas are named ${name}`)
    this.#definitions.set(name, definition)
  }

  /** Sorted by name. */
  all(): Definitions {
    return Object.fromEntries([...this.#definitions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}
