/** Connections of operators that watch the bridge with WATCH_BRIDGE: a read waits until the state differs from the one before. */
import type { BridgeState } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { StatePublisher } from './state-publisher.ts'

interface Watcher {
  /** The key of the last response. */
  seen: string | undefined
  /** Ends the wait of a read. */
  wake: () => void
  readonly end: () => void
  readonly showsPrompts: boolean
}

const asleep = (): void => {}
/** Seldom, so that an idle daemon with a tray is hardly woken. */
const REVIEW_MS = 60_000
/** Counters grow with each read of an operator, so they are no change. */
const keyOf = (state: BridgeState): string => JSON.stringify({ ...state, uptime_s: 0, counters: undefined })

export class OperatorConnections {
  readonly #watchers = new Map<number, Watcher>()
  readonly #clock: Clock
  readonly #publisher: StatePublisher

  constructor(clock: Clock, publisher: StatePublisher) {
    this.#clock = clock
    this.#publisher = publisher
  }

  isWatching(connectionId: number): boolean {
    return this.#watchers.has(connectionId)
  }

  /** Whether an operator shows prompts to the user. */
  get showPrompts(): boolean {
    return [...this.#watchers.values()].some(({ showsPrompts }) => showsPrompts)
  }

  start(connectionId: number, showsPrompts: boolean): void {
    this.endConnection(connectionId)
    const end = this.#publisher.watch((state) => {
      if (keyOf(state) !== watcher.seen) watcher.wake()
    }, REVIEW_MS)
    const watcher: Watcher = { seen: undefined, wake: asleep, end, showsPrompts }
    this.#watchers.set(connectionId, watcher)
  }

  endConnection(connectionId: number): void {
    const watcher = this.#watchers.get(connectionId)
    watcher?.end()
    watcher?.wake()
    this.#watchers.delete(connectionId)
  }

  /** The state as soon as it differs from the last one of this connection, at the latest after `waitMs`. Ends an earlier read. */
  async read(connectionId: number, waitMs: number): Promise<BridgeState> {
    const watcher = this.#watchers.get(connectionId)
    const now = this.#publisher.current()
    if (watcher === undefined) return now
    watcher.wake()
    const state = waitMs > 0 && keyOf(now) === watcher.seen ? await this.#next(watcher, waitMs) : now
    watcher.seen = keyOf(state)
    return state
  }

  async #next(watcher: Watcher, waitMs: number): Promise<BridgeState> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#clock.after(waitMs, resolve)
    watcher.wake = resolve
    await promise
    cancel()
    return this.#publisher.current()
  }
}
