/**
 * Compares a value with a schema of the platform's description: required fields, formats, and fields that no schema has. A finding names the
 * record and its field, wherever the record stands, so that one fault has one name.
 */
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { Schema } from '../openapi/description.ts'

/** What is needed of a description. */
export interface Schemas {
  resolved(schema: Schema): Schema
  validator(schema: Schema): ValidateFunction
}

interface Found {
  readonly text: string
  /** The value is of another kind or has another constant, so the schema is not the meant one of several. */
  readonly isOther: boolean
}

/** A resolved schema with the name of its record and the path below it. */
interface Place {
  readonly schema: Schema
  readonly at: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const describesObject = (schema: Schema): boolean =>
  schema['properties'] !== undefined || schema['additionalProperties'] !== undefined || [schema['type']].flat().includes('object')

export class Shape {
  readonly #schemas: Schemas
  readonly #leaves = new WeakMap<Schema, ValidateFunction>()

  constructor(schemas: Schemas) {
    this.#schemas = schemas
  }

  /** Returns one sentence per difference. `at` names the value unless its schema has a name. */
  differences(value: unknown, schema: Schema, at: string): readonly string[] {
    return [...new Set(this.#compare(value, { schema, at }).map(({ text }) => text))]
  }

  #compare(value: unknown, given: Place): readonly Found[] {
    const { schema, at } = this.#named(given)
    const alternatives = alternativesOf(schema)
    if (alternatives !== undefined) return this.#closest(value, alternatives, at)
    if (describesObject(schema)) return this.#ofObject(value, schema, at)
    if (schema['items'] !== undefined && Array.isArray(value))
      return value.flatMap((item) => this.#compare(item, { schema: schema['items'] as Schema, at: `${at}[]` }))
    return this.#ofLeaf(value, schema, at)
  }

  /** Follows references and joins the parts of `allOf`. The name of an object's schema replaces the path that led to it. */
  #named({ schema, at }: Place): Place {
    if (typeof schema['$ref'] === 'string') {
      const found = this.#named({ schema: this.#schemas.resolved({ $ref: schema['$ref'] }), at })
      return describesObject(found.schema) ? { schema: found.schema, at: schema['$ref'].split('/').at(-1) ?? at } : found
    }
    const parts = schema['allOf'] as readonly Schema[] | undefined
    if (parts === undefined) return { schema, at }
    const [first, ...others] = parts.map((part) => this.#named({ schema: part, at }))
    // A constant of a list of values stands beside the list.
    if (first === undefined || !describesObject(first.schema)) return { schema, at }
    if (others.length === 0) return first
    return { schema: [first, ...others].map((part) => part.schema).reduce(joined), at }
  }

  /** Of several schemas, the one that the value is meant for: with its type and constants, and the fewest differences. */
  #closest(value: unknown, alternatives: readonly Schema[], at: string): readonly Found[] {
    const others = (found: readonly Found[]): number => found.filter(({ isOther }) => isOther).length
    const [closest = []] = alternatives
      .map((schema) => this.#compare(value, { schema, at }))
      .toSorted((a, b) => others(a) - others(b) || a.length - b.length)
    return closest
  }

  #ofObject(value: unknown, schema: Schema, at: string): readonly Found[] {
    if (value === null && [schema['type']].flat().includes('null')) return []
    if (!isObject(value)) return [{ text: `${at}: ${value === null ? 'null' : typeof value}, not an object`, isOther: true }]
    const {
      properties = {},
      required = [],
      additionalProperties,
    } = schema as {
      properties?: Readonly<Record<string, Schema>>
      required?: readonly string[]
      additionalProperties?: Schema | boolean
    }
    // Without properties, any are meant.
    const isOpen = additionalProperties === true || (schema['properties'] === undefined && additionalProperties === undefined)
    return [
      ...required.filter((name) => !(name in value)).map((name) => ({ text: `${at}.${name}: required, missing`, isOther: false })),
      ...Object.entries(value).flatMap(([name, inner]): readonly Found[] => {
        const property = properties[name]
        if (property !== undefined) return this.#compare(inner, { schema: property, at: `${at}.${name}` })
        if (typeof additionalProperties === 'object') return this.#compare(inner, { schema: additionalProperties, at: `${at}.*` })
        return isOpen ? [] : [{ text: `${at}.${name}: not described`, isOther: false }]
      }),
    ]
  }

  #ofLeaf(value: unknown, schema: Schema, at: string): readonly Found[] {
    const check = this.#leaves.get(schema) ?? this.#schemas.validator(schema)
    this.#leaves.set(schema, check)
    if (check(value)) return []
    const errors = check.errors ?? []
    const isConstant = errors.some(({ keyword }) => keyword === 'const' || keyword === 'enum')
    const isOther = (isConstant && isSingle(schema)) || (typeof value === 'object' && errors.some(({ keyword }) => keyword === 'type'))
    const why = isConstant ? `${JSON.stringify(value)} is not described` : [...new Set(errors.map(({ message }) => message))].join(', ')
    return [{ text: `${at}: ${why}`, isOther }]
  }
}

/** Of one value, as the types of records are. */
const isSingle = (schema: Schema): boolean => 'const' in schema || (schema['enum'] as readonly unknown[] | undefined)?.length === 1

/** The schemas of which one fits. A list of constants is one schema of a value, not several. */
function alternativesOf(schema: Schema): readonly Schema[] | undefined {
  const alternatives = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined
  return alternatives?.every((one) => 'const' in one) === true ? undefined : alternatives
}

/** Both schemas at once, of objects. */
const joined = (one: Schema, other: Schema): Schema => ({
  ...one,
  ...other,
  properties: { ...(one['properties'] as object | undefined), ...(other['properties'] as object | undefined) },
  required: [
    ...((one['required'] as readonly string[] | undefined) ?? []),
    ...((other['required'] as readonly string[] | undefined) ?? []),
  ],
})
