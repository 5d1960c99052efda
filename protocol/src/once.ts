/** Values that are made when they are first used, at once or in parts. */

/** Thrown where the next part must wait for a later turn. One object, because a stack costs more than a part. */
const PAUSE = new Error('the next part waits for a later turn')

/** While a value is made in parts. */
let turn: { partsMade: number; readonly mayGoOn: () => boolean } | undefined

/**
 * Returns a function that makes the value at its first call and then returns the same one. Schemas are made this way, because a daemon uses
 * few of them and each takes time and memory. Each such value is a part of the ones whose making calls it.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    if (made !== undefined) return made.value
    if (turn !== undefined && turn.partsMade > 0 && !turn.mayGoOn()) throw PAUSE
    made = { value: make() }
    if (turn !== undefined) turn.partsMade++
    return made.value
  }
}

/**
 * Makes parts of a value while `mayGoOn`, but at least one. `make` has no effects besides, since it runs again for the next parts; those that
 * are made stay. Returns whether `make` came to its end.
 */
export function makeParts(make: () => unknown, mayGoOn: () => boolean): boolean {
  turn = { partsMade: 0, mayGoOn }
  try {
    make()
    return true
  } catch (thrown) {
    if (thrown !== PAUSE) throw thrown
    return false
  } finally {
    turn = undefined
  }
}
