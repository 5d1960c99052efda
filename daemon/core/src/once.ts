/** Values that are made when they are first used. */

/**
 * Returns a function that makes the value at its first call and then returns the same one. Schemas are made this way, because a daemon uses
 * few of them and each takes time and memory.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
