/** Compares two JSON Schemas as a game sees them: what it sends must still be accepted, what it receives must still be there. Pure. */
import { adds, at, breaksCode, breaksGames, type Difference, isSame } from './difference.ts'

export type Schema = Readonly<Record<string, unknown>>
/** From the view of the game. */
export type Direction = 'sent' | 'received'

/** Two versions of the definitions that `$ref` names. */
export interface Definitions {
  readonly old: Readonly<Record<string, Schema>>
  readonly new: Readonly<Record<string, Schema>>
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const schemaOf = (value: unknown): Schema => (isSchema(value) ? value : {})
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const REFERENCE = '#/$defs/'
export const referenceOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined

/** The forms that a value may have: the alternatives of a union, and each type of a list of types. */
function formsOf(schema: Schema): readonly Schema[] {
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) return union.flatMap((one) => formsOf(schemaOf(one)))
  const { type } = schema
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : [schema]
}

/** Forms of two versions are compared when they have the same key. */
const keyOf = (form: Schema): string =>
  referenceOf(form) ??
  (Object.hasOwn(form, 'const') ? `the value ${JSON.stringify(form['const'])}` : typeof form['type'] === 'string' ? form['type'] : 'any')

const LARGEST = ['maxLength', 'maximum', 'maxItems', 'maxProperties', 'x-max-total-length'] as const
const SMALLEST = ['minLength', 'minimum', 'minItems'] as const
/** Another text of these means another set of values; which one is larger cannot be known. */
const OPAQUE = ['pattern', 'format', 'propertyNames', 'prefixItems'] as const

const boundOf = (form: Schema, keyword: string, absent: number): number => (typeof form[keyword] === 'number' ? form[keyword] : absent)

/** Bounds of what a game sends. Those of what it receives are no promise. */
function* boundDifferences(older: Schema, newer: Schema, path: string): Generator<Difference> {
  for (const keyword of LARGEST) {
    const [was, is] = [boundOf(older, keyword, Infinity), boundOf(newer, keyword, Infinity)]
    if (is < was) yield breaksGames(path, `${keyword} is ${is} instead of ${was}`)
    if (is > was) yield adds(path, `${keyword} is ${is} instead of ${was}`)
  }
  for (const keyword of SMALLEST) {
    const [was, is] = [boundOf(older, keyword, -Infinity), boundOf(newer, keyword, -Infinity)]
    if (is > was) yield breaksGames(path, `${keyword} is ${is} instead of ${was}`)
    if (is < was) yield adds(path, `${keyword} is ${is} instead of ${was}`)
  }
  for (const keyword of OPAQUE) {
    if (isSame(older[keyword], newer[keyword])) continue
    yield newer[keyword] === undefined ? adds(path, `${keyword} is gone`) : breaksGames(path, `${keyword} is another one`)
  }
}

function* valueDifferences(older: Schema, newer: Schema, direction: Direction, path: string): Generator<Difference> {
  if (older['enum'] === undefined && newer['enum'] === undefined) return
  const [was, is] = [older['enum'], newer['enum']].map((values) => (values === undefined ? undefined : textsOf(values)))
  if (was === undefined || is === undefined) {
    if (direction === 'sent' && is !== undefined) yield breaksGames(path, `only ${is.join(', ')} is accepted`)
    else yield adds(path, is === undefined ? 'any text is possible' : `only ${is.join(', ')} is possible`)
    return
  }
  for (const value of was)
    if (!is.includes(value)) yield direction === 'sent' ? breaksGames(path, `${value} is refused`) : adds(path, `${value} never comes`)
  for (const value of is) if (!was.includes(value)) yield adds(path, `${value} is possible`)
}

function* objectDifferences(
  definitions: Definitions,
  older: Schema,
  newer: Schema,
  direction: Direction,
  path: string,
): Generator<Difference> {
  const [was, is] = [schemaOf(older['properties']), schemaOf(newer['properties'])]
  const [needed, needs] = [textsOf(older['required']), textsOf(newer['required'])]
  for (const name of Object.keys(was)) {
    const [before, after] = [schemaOf(was[name]), is[name]]
    if (after === undefined) {
      yield direction === 'sent' && newer['additionalProperties'] !== false
        ? breaksGames(at(path, name), 'has no effect any more')
        : breaksGames(at(path, name), direction === 'sent' ? 'is refused' : 'is gone')
      continue
    }
    yield* schemaDifferences(definitions, before, schemaOf(after), direction, at(path, name))
    if (needs.includes(name) === needed.includes(name)) continue
    const isNeeded = needs.includes(name)
    if (direction === 'sent') yield isNeeded ? breaksGames(at(path, name), 'is required') : adds(at(path, name), 'is optional')
    else yield isNeeded ? adds(at(path, name), 'is always there') : breaksGames(at(path, name), 'may be absent')
  }
  const names = Object.keys(is)
  for (const [index, name] of names.entries()) {
    if (Object.hasOwn(was, name)) continue
    if (direction === 'sent' && needs.includes(name)) yield breaksGames(at(path, name), 'is new and required')
    else yield adds(at(path, name), 'is new')
    if (direction === 'received' && names.slice(index + 1).some((later) => Object.hasOwn(was, later)))
      yield breaksCode(at(path, name), 'stands before an older field; the structs of C have the older ones first')
  }
  const [open, isOpen] = [older['additionalProperties'], newer['additionalProperties']].map((value) => value !== false)
  if (direction === 'sent' && open === true && isOpen === false) yield breaksGames(path, 'refuses fields that it does not have')
  if (direction === 'sent' && open === false && isOpen === true) yield adds(path, 'accepts fields that it does not have')
  if (isSchema(older['additionalProperties']) && isSchema(newer['additionalProperties']))
    yield* schemaDifferences(definitions, older['additionalProperties'], newer['additionalProperties'], direction, at(path, '*'))
}

function* formDifferences(
  definitions: Definitions,
  older: Schema,
  newer: Schema,
  direction: Direction,
  path: string,
): Generator<Difference> {
  if (isSame(older, newer)) return
  if (direction === 'sent') yield* boundDifferences(older, newer, path)
  yield* valueDifferences(older, newer, direction, path)
  if (isSchema(older['items']) && isSchema(newer['items']))
    yield* schemaDifferences(definitions, older['items'], newer['items'], direction, `${path}[]`)
  yield* objectDifferences(definitions, older, newer, direction, path)
}

/** The same definition under another name is compared by what it contains. */
const withoutNewName = (forms: readonly Schema[], others: readonly Schema[], definitions: Definitions['old']): readonly Schema[] =>
  forms.flatMap((form) => {
    const name = referenceOf(form)
    const isKnown = name === undefined || others.some((other) => referenceOf(other) === name)
    return isKnown ? [form] : formsOf(schemaOf(definitions[name]))
  })

/** What is different for a game that sends or receives such a value. References to one name are equal: definitions are compared on their own. */
export function* schemaDifferences(
  definitions: Definitions,
  older: Schema,
  newer: Schema,
  direction: Direction,
  path: string,
): Generator<Difference> {
  if (isSame(older, newer)) return
  const [was, is] = [formsOf(older), formsOf(newer)]
  const before = withoutNewName(was, is, definitions.old)
  const after = withoutNewName(is, was, definitions.new)
  const rest = new Set(after)
  for (const form of before) {
    const same = [...rest].find((one) => isSame(one, form)) ?? [...rest].find((one) => keyOf(one) === keyOf(form))
    if (same !== undefined) {
      rest.delete(same)
      yield* formDifferences(definitions, form, same, direction, path)
    } else yield direction === 'sent' ? breaksGames(path, `${keyOf(form)} is refused`) : adds(path, `${keyOf(form)} never comes`)
  }
  for (const form of rest)
    yield direction === 'sent' ? adds(path, `${keyOf(form)} is accepted`) : breaksGames(path, `may be ${keyOf(form)}`)
}
