/** One count per value of a label. Games and the platform choose some values, so their number is bounded: further ones share one count. */

/** The label of all values beyond the bound. */
export const OTHER = 'other'

export class BoundedLabels<Count> {
  readonly #most: number
  readonly #make: () => Count
  readonly #counts = new Map<string, Count>()

  /** `most`: the number of values with a count of their own. */
  constructor(most: number, make: () => Count) {
    this.#most = most
    this.#make = make
  }

  /** The count of a value. Allocates memory only for a new one. */
  of(value: string): Count {
    return this.#counts.get(value) ?? this.#add(this.#counts.size < this.#most ? value : OTHER)
  }

  /** What the series of a value is labelled with. */
  labelOf(value: string): string {
    return this.#counts.has(value) ? value : OTHER
  }

  entries(): Iterable<readonly [string, Count]> {
    return this.#counts
  }

  #add(value: string): Count {
    const known = this.#counts.get(value)
    if (known !== undefined) return known
    const made = this.#make()
    this.#counts.set(value, made)
    return made
  }
}
