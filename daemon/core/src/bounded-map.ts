/**
 * A map with at most `max` entries. A set entry moves to the end; beyond the limit, the entry that was set first is evicted.
 *
 * It keeps one iterator. V8 keeps the places of deleted entries for a while, and each new iterator walks over all of them.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number
  #iterator: MapIterator<Key> | undefined
  /** What the iterator returned last, while it is the oldest entry. */
  #oldest: { readonly key: Key } | undefined
  /** Entries that were set since the iterator was made. */
  #setsSince = 0

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    // An iterator keeps the tables that V8 has replaced since, so none gets old.
    if (++this.#setsSince > this.#max) this.#restart()
    const oldest = this.size > this.#max ? this.#findOldest() : undefined
    if (oldest !== undefined) this.delete(oldest.key)
    return this
  }

  override delete(key: Key): boolean {
    if (this.#oldest?.key === key) this.#oldest = undefined
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#restart()
  }

  /** Deletes entries, the one that was set first before the others, until `isPast` is false for one. */
  deleteOldest(isPast: (value: Value) => boolean): void {
    for (;;) {
      const oldest = this.#findOldest()
      if (oldest === undefined || !isPast(this.get(oldest.key) as Value)) return
      this.delete(oldest.key)
    }
  }

  #findOldest(): { readonly key: Key } | undefined {
    if (this.size === 0) return undefined
    if (this.#oldest !== undefined) return this.#oldest
    this.#iterator ??= this.keys()
    const next = this.#iterator.next()
    if (next.done === true) {
      this.#iterator = undefined
      return this.#findOldest()
    }
    this.#oldest = { key: next.value }
    return this.#oldest
  }

  #restart(): void {
    this.#iterator = undefined
    this.#oldest = undefined
    this.#setsSince = 0
  }
}
