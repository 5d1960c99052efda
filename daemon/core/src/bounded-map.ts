/** A map with at most `max` entries. A set entry moves to the end; beyond the limit, the entry that was set first is evicted. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    const oldest = this.keys().next()
    if (this.size > this.#max && oldest.done !== true) this.delete(oldest.value)
    return this
  }
}
