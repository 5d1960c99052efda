/** Compares what a server sent with what a vector expects. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** Values of which a vector knows only the form: `{ "$matches": "^https://" }` is text, `{ "$anyOf": [null, …] }` one of several, `{ "$absent": true }` no value. */
interface Form {
  readonly $matches?: string
  readonly $anyOf?: readonly unknown[]
  readonly $absent?: true
}

const MAX_SHOWN = 300
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The first difference; undefined if there is none. Objects can have more fields than expected; lists and plain values must be equal. */
export function difference(actual: unknown, expected: unknown, at = ''): string | undefined {
  const { $matches: pattern, $anyOf: choices, $absent: isAbsent } = (isObject(expected) ? expected : {}) as Form
  if (choices?.some((choice) => difference(actual, choice) === undefined)) return undefined
  if (isAbsent === true && actual === undefined) return undefined
  if (pattern !== undefined && typeof actual === 'string' && new RegExp(pattern).test(actual)) return undefined
  const isComparable = isObject(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual)
  const isSameLength = !Array.isArray(expected) || !Array.isArray(actual) || expected.length === actual.length
  if (!isComparable || !isSameLength)
    return Object.is(actual, expected) ? undefined : `${at}expected ${shown(expected)}, got ${shown(actual)}`
  for (const [key, value] of Object.entries(expected)) {
    const found = difference(Object.hasOwn(actual, key) ? actual[key] : undefined, value, `${at}${key}: `)
    if (found !== undefined) return found
  }
  return undefined
}
