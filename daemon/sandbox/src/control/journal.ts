/** What requests of the control interface changed in the store, so that one request undoes it. */
import { JOURNAL_MAX } from '../constants.ts'
import type { Write } from '../store/collection.ts'
import type { Store } from '../store/store.ts'

export class Journal {
  readonly #store: Store
  /** Each document as it was before the first change, by kind and id. */
  readonly #before = new Map<string, Write>()
  #isRecording = false
  /** Documents beyond the maximum, which stay as they are. */
  #left = 0

  constructor(store: Store) {
    this.#store = store
    store.watch((changes) => {
      if (!this.#isRecording) return
      for (const { kind, id, before } of changes) {
        const key = `${kind} ${id}`
        if (this.#before.has(key)) continue
        if (this.#before.size < JOURNAL_MAX) this.#before.set(key, { kind, id, value: before })
        else this.#left += 1
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

  /** Brings the changed documents back in one commit, newest first. Returns their number, and how many were too many to remember. */
  undo(): { readonly undone: number; readonly left: number } {
    const writes = [...this.#before.values()].toReversed()
    const left = this.#left
    this.#before.clear()
    this.#left = 0
    this.#store.commit(writes)
    return { undone: writes.length, left }
  }
}
