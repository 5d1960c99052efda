/** Marks the results of calls that were made before: what follows from a call has followed already. */
const results = new WeakSet<object>()

/** Returns the value. Only objects carry the mark. */
export function asKept(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) results.add(value)
  return value
}

/** Whether no request was made for this result. */
export const isKept = (value: unknown): boolean => typeof value === 'object' && value !== null && results.has(value)
