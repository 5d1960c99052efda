/**
 * Attaches to a value the JSON text that it was parsed from, so that it need not be serialized again. The value must not be modified;
 * copy it instead.
 */

const TEXT = Symbol('JSON text')

/** Returns the value. Only objects carry the text. */
export function withJsonText(value: unknown, text: string): unknown {
  return typeof value === 'object' && value !== null ? Object.defineProperty(value, TEXT, { value: text }) : value
}

export const jsonTextOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? (value as { readonly [TEXT]?: string })[TEXT] : undefined
