/** A list that keeps its first items and counts the others. */
export class FewList<T> {
  readonly kept: T[] = []
  readonly #most: number
  count = 0

  constructor(most: number) {
    this.#most = most
  }

  add(item: T): void {
    this.count++
    if (this.kept.length < this.#most) this.kept.push(item)
  }
}
