/** What requests of the control interface changed in the store, so that one request undoes it. */
import type { Write } from '../store/collection.ts'
import type { Store } from '../store/store.ts'

export class Journal {
  readonly #store: Store
  /** Each document as it was before the first change, by kind and id. */
  readonly #before = new Map<string, Write>()
  #isRecording = false

  constructor(store: Store) {
    this.#store = store
    store.watch((changes) => {
      if (!this.#isRecording) return
      for (const { kind, id, before } of changes) {
        const key = `${kind} ${id}`
        if (!this.#before.has(key)) this.#before.set(key, { kind, id, value: before })
      }
    })
  }

  /** Runs the synchronous work and remembers what it changes. */
  record<Result>(work: () => Result): Result {
    this.#isRecording = true
    try {
      return work()
    } finally {
      this.#isRecording = false
    }
  }

  /** The ids of the documents of a kind that were created. */
  created(kind: string): readonly string[] {
    return [...this.#before.values()].flatMap((one) => (one.kind === kind && one.value === undefined ? [one.id] : []))
  }

  /** Brings every changed document back in one commit, newest first. Returns their number. */
  undo(): number {
    const writes = [...this.#before.values()].toReversed()
    this.#before.clear()
    this.#store.commit(writes)
    return writes.length
  }
}
