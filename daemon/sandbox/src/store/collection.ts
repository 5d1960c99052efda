/** Documents of one kind in memory. Changes are values that the store applies. */

/** One change: a document to set, or to delete when `value` is undefined. */
export interface Write {
  readonly kind: string
  readonly id: string
  readonly value: object | undefined
}

export class Collection<T extends object> {
  readonly kind: string
  readonly #groupOf: (value: T) => string
  readonly #items = new Map<string, T>()
  readonly #groups = new Map<string, Map<string, T>>()

  /** `groupOf` returns the name of the document's group. */
  constructor(kind: string, groupOf: (value: T) => string = () => '') {
    this.kind = kind
    this.#groupOf = groupOf
  }

  get size(): number {
    return this.#items.size
  }

  get(id: string): T | undefined {
    return this.#items.get(id)
  }

  /** All documents, in the order of their first write. */
  all(): T[] {
    return [...this.#items.values()]
  }

  /** The documents of a group, in the order of their first write. */
  group(name: string): T[] {
    return [...(this.#groups.get(name)?.values() ?? [])]
  }

  /** What stores all documents. */
  writes(): readonly Write[] {
    return [...this.#items].map(([id, value]) => this.put(id, value))
  }

  put(id: string, value: T): Write {
    return { kind: this.kind, id, value }
  }

  delete(id: string): Write {
    return { kind: this.kind, id, value: undefined }
  }

  /** Applies a change that is already saved. Only the store calls this. */
  apply(id: string, value: T | undefined): void {
    const before = this.#items.get(id)
    if (before !== undefined && (value === undefined || this.#groupOf(before) !== this.#groupOf(value))) this.#leaveGroup(id, before)
    if (value === undefined) {
      this.#items.delete(id)
      return
    }
    this.#items.set(id, value)
    const name = this.#groupOf(value)
    const group = this.#groups.get(name) ?? new Map<string, T>()
    this.#groups.set(name, group.set(id, value))
  }

  #leaveGroup(id: string, value: T): void {
    const name = this.#groupOf(value)
    const group = this.#groups.get(name)
    group?.delete(id)
    if (group?.size === 0) this.#groups.delete(name)
  }
}
