/**
 * A value and the JSON text it was read from, travelling as one: whoever writes it as JSON need not print it again. The value must not be
 * changed on the way; whoever wants other values makes new ones.
 */

const TEXT = Symbol('JSON text')

/** Gives back the value. What is no object carries nothing. */
export function withJsonText(value: unknown, text: string): unknown {
  return typeof value === 'object' && value !== null ? Object.defineProperty(value, TEXT, { value: text }) : value
}

export const jsonTextOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? (value as { readonly [TEXT]?: string })[TEXT] : undefined
