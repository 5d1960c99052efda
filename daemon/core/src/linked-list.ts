/**
 * Items in the order in which they were added. Every step is of constant cost: a `Set` keeps the places of deleted items for a while, and finding
 * its first item walks over all of them.
 */

/** An item keeps its neighbours; it is in one list at most. */
export interface Linked<Item> {
  before: Item | undefined
  after: Item | undefined
}

export class LinkedList<Item extends Linked<Item>> {
  #first: Item | undefined
  #last: Item | undefined

  get first(): Item | undefined {
    return this.#first
  }

  has(item: Item): boolean {
    return item === this.#first || item.before !== undefined
  }

  /** Adds an item at the end, unless it is in the list. */
  add(item: Item): void {
    if (this.has(item)) return
    item.before = this.#last
    if (this.#last === undefined) this.#first = item
    else this.#last.after = item
    this.#last = item
  }

  /** Does nothing for an item that is not in the list. */
  delete(item: Item): void {
    if (!this.has(item)) return
    const { before, after } = item
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    item.before = undefined
    item.after = undefined
  }
}
