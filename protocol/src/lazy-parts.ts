/** The parts of a schema behind `z.lazy`, which zod makes when a value first needs them. */
import type * as z from 'zod'

/** Calls every lazy part in a schema, so that it is made. */
function makeLazy(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): void {
  if (seen.has(schema)) return
  seen.add(schema)
  for (const inner of innerOf(schema)) makeLazy(inner, seen)
}

function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'lazy':
      return [def.getter()]
    case 'optional':
    case 'nullable':
      return [def.innerType]
    case 'array':
      return [def.element]
    case 'object':
      return Object.values(def.shape)
    case 'union':
      return def.options
    default:
      return []
  }
}

function hasLazy(schema: z.core.$ZodType): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === 'lazy' || innerOf(schema).some(hasLazy)
}

/** The lazy parts of one schema that are not made yet, by the field of the schema that has them. */
export class LazyParts {
  readonly #fields: Map<string, z.core.$ZodType>

  constructor(schema: z.ZodType) {
    const { def } = (schema as unknown as z.core.$ZodTypes)._zod
    this.#fields = new Map(def.type === 'object' ? Object.entries(def.shape).filter(([, field]) => hasLazy(field)) : [])
  }

  /** Whether the fields of this value need none. */
  areMadeFor(value: unknown): boolean {
    return this.#fields.size === 0 || this.#neededBy(value).length === 0
  }

  /** Makes those that the fields of this value may need. */
  makeFor(value: unknown): void {
    for (const name of this.#neededBy(value)) {
      const field = this.#fields.get(name)
      if (field !== undefined) makeLazy(field)
      this.#fields.delete(name)
    }
  }

  #neededBy(value: unknown): readonly string[] {
    if (typeof value !== 'object' || value === null) return []
    return [...this.#fields.keys()].filter((name) => Reflect.get(value, name) != null)
  }
}
