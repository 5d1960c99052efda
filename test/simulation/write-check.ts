/** Judges the messages that games send: each takes effect at the platform once or not at all, as the game was answered, over every break. */
import { CallError } from '@sallyport/client'
import { Collection } from '#daemon/sandbox/src/store/collection.ts'
import { judge, type Operation, type OperationEnd } from '#test/exactly-once/check.ts'

/** What the platform stores a message as. */
const KINDS: readonly string[] = ['message', 'user-message']

let current: WriteCheck | undefined

/** The check of the run from now on. */
export function observeMessages(check: WriteCheck): void {
  current = check
}

/** Each error of the daemon says that nothing happened, but the one that says that it may have. */
const endOf = (failure: unknown): OperationEnd =>
  failure instanceof CallError && failure.errorName !== 'UNKNOWN_OUTCOME' ? 'failed' : 'unknown'

export class WriteCheck {
  readonly #operations = new Map<string, Operation>()
  /** The messages of each text: no two calls send the same. */
  readonly #messages = new Map<string, Set<string>>()
  readonly failures: string[] = []
  checked = 0

  /** Follows a call that sends this text. */
  async follow<T>(text: string, command: string, call: Promise<T>): Promise<T> {
    const ended = (end: OperationEnd) => void this.#operations.set(text, { id: text, command, isSentAgain: false, end })
    ended('open')
    try {
      const answer = await call
      ended('ok')
      return answer
    } catch (failure) {
      ended(endOf(failure))
      throw failure
    }
  }

  onStored(id: string, text: string): void {
    const ids = this.#messages.get(text) ?? new Set()
    this.#messages.set(text, ids.add(id))
  }

  /** Called at the end. */
  review(): void {
    const effects = new Map([...this.#messages].map(([text, ids]) => [text, ids.size]))
    const { doubled, lost, ghosts, open } = judge({ operations: [...this.#operations.values()], effects, kills: [] })
    for (const [what, texts] of Object.entries({
      'was sent twice': doubled,
      'was answered as sent, and was not': lost,
      'was answered as refused, and was sent': ghosts,
      'was never answered': open,
    }))
      for (const text of texts) this.failures.push(`the message "${text}" ${what}`)
    this.checked += this.#operations.size
  }
}

/** Notes what the platform stores. */
export function watchMessages(): void {
  const { apply } = Collection.prototype
  Object.assign(Collection.prototype, {
    apply(this: Collection<object>, id: string, value: object | undefined) {
      // An edit is no new message.
      if (value !== undefined && KINDS.includes(this.kind) && this.get(id) === undefined)
        current?.onStored(id, String((value as { readonly content?: unknown }).content))
      apply.call(this, id, value)
    },
  })
}
