/**
 * The relationships that are kept of a user who has more than the limit. A game asks for friends most. A blocked user who were left out would
 * look like a stranger, so they come next, then requests that wait for an answer. Implicit ones say least. Of one kind, the later ones stay.
 */
import { BoundedMap } from '@sallyport/core/bounded-map'

const TYPES = { friend: 1, blocked: 2, incoming: 3, outgoing: 4, implicit: 5 } as const

/** By type; a lower rank is left out later. */
const RANKS: ReadonlyMap<number, number> = new Map([
  [TYPES.friend, 0],
  [TYPES.blocked, 1],
  [TYPES.incoming, 2],
  [TYPES.outgoing, 3],
  [TYPES.implicit, 5],
])
const RANK_OF_UNKNOWN = 4
const RANK_COUNT = 6

export class KeptRelationships<Value extends { readonly type: number }> {
  /** How many were left out. */
  leftOut = 0
  readonly #max: number
  /** By the id of the other user. */
  readonly #byRank: readonly BoundedMap<string, Value>[]

  constructor(max: number) {
    this.#max = max
    this.#byRank = Array.from({ length: RANK_COUNT }, () => new BoundedMap<string, Value>(max + 1))
  }

  get size(): number {
    return this.#byRank.reduce((sum, { size }) => sum + size, 0)
  }

  get(id: string): Value | undefined {
    for (const ofRank of this.#byRank) {
      const value = ofRank.get(id)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** In the order of their ranks. */
  entries(): readonly (readonly [string, Value])[] {
    return this.#byRank.flatMap((ofRank) => [...ofRank])
  }

  set(id: string, value: Value): void {
    this.delete(id)
    this.#byRank[RANKS.get(value.type) ?? RANK_OF_UNKNOWN]?.set(id, value)
    if (this.size > this.#max) this.#leaveOneOut()
  }

  /** Returns whether it was there. */
  delete(id: string): boolean {
    return this.#byRank.some((ofRank) => ofRank.delete(id))
  }

  clear(): void {
    for (const ofRank of this.#byRank) ofRank.clear()
    this.leftOut = 0
  }

  #leaveOneOut(): void {
    this.leftOut++
    let count = 0
    this.#byRank.findLast(({ size }) => size > 0)?.deleteOldest(() => count++ === 0)
  }
}
