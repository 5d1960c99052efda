/** What a target is: a function of bytes that throws when a property does not hold, and inputs to begin with. */
export interface Target {
  readonly seeds: readonly (string | Uint8Array)[]
  /** Words that inputs may have, besides those that comparisons show. */
  readonly words?: readonly string[]
  readonly run: (bytes: Buffer) => void
  /** Removes what it made. */
  readonly close?: () => void
}

export class Broken extends Error {
  override readonly name = 'Broken'
}

/** Throws Broken unless it holds. */
export function hold(isTrue: boolean, property: string): asserts isTrue {
  if (!isTrue) throw new Broken(property)
}

/** The error that a decoder documents, or undefined; any other error goes on. */
export function refusalOf(work: () => unknown, isDocumented: (failure: unknown) => boolean): unknown {
  try {
    work()
    return undefined
  } catch (failure) {
    if (!isDocumented(failure)) throw failure
    return failure
  }
}

/** Whether JSON can say the value. */
export const isPlain = (one: unknown): boolean =>
  one === null ||
  ['string', 'number', 'boolean'].includes(typeof one) ||
  (Array.isArray(one)
    ? one.every(isPlain)
    : typeof one === 'object' && Object.getPrototypeOf(one) === Object.prototype && Object.values(one).every(isPlain))
