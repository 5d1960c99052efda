/** Values that are made when they are first used, at once or in parts. */

/** Thrown where the next part must wait for a later turn. One object, because a stack costs more than a part. */
const PAUSE = new Error('the next part waits for a later turn')

/** The run of `makeParts`, if one is on the stack; it is synchronous, so there is one at most. Parts are functions of modules, so all share it. */
class Turn {
  #partsMade = 0
  #mayGoOn: (() => boolean) | undefined

  run(make: () => unknown, mayGoOn: () => boolean): boolean {
    this.#partsMade = 0
    this.#mayGoOn = mayGoOn
    try {
      make()
      return true
    } catch (thrown) {
      if (thrown !== PAUSE) throw thrown
      return false
    } finally {
      this.#mayGoOn = undefined
    }
  }

  make<T>(part: () => T): T {
    if (this.#partsMade > 0 && this.#mayGoOn?.() === false) throw PAUSE
    const value = part()
    this.#partsMade++
    return value
  }
}

const TURN = new Turn()

/**
 * Returns a function that makes the value at its first call and then returns the same one. Schemas are made this way, because a daemon uses
 * few of them and each takes time and memory. Each such value is a part of the ones whose making calls it.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: TURN.make(make) }).value
}

/**
 * Makes parts of a value while `mayGoOn`, but at least one. `make` has no effects besides, since it runs again for the next parts; those that
 * are made stay. Returns whether `make` came to its end.
 */
export const makeParts = (make: () => unknown, mayGoOn: () => boolean): boolean => TURN.run(make, mayGoOn)
