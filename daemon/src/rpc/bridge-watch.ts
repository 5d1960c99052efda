/**
 * Reports changes of the bridge to operators that stay connected, such as the tray: a read waits until the overview differs from the one before.
 * Nothing is computed while no operator is connected.
 */
import type { DataOf } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'

export type Overview = DataOf<'WATCH_BRIDGE'>

interface Watcher {
  /** The last response, as JSON. */
  seen: string | undefined
  /** Ends the wait of a read. */
  wake: () => void
}

const asleep = (): void => {}
/** Changes within this time are one, because an overview costs more than a change. */
const PACE_MS = 100

export class BridgeWatch {
  /** By the connection of the operator. */
  readonly #watchers = new Map<number, Watcher>()
  readonly #clock: Clock
  readonly #overview: () => Overview
  #isDue = false

  constructor(clock: Clock, overview: () => Overview) {
    this.#clock = clock
    this.#overview = overview
  }

  isWatching(connectionId: number): boolean {
    return this.#watchers.has(connectionId)
  }

  start(connectionId: number): void {
    this.endConnection(connectionId)
    this.#watchers.set(connectionId, { seen: undefined, wake: asleep })
  }

  endConnection(connectionId: number): void {
    this.#watchers.get(connectionId)?.wake()
    this.#watchers.delete(connectionId)
  }

  /** Something that the overview shows may have changed. */
  changed(): void {
    if (this.#isDue || this.#watchers.size === 0) return
    this.#isDue = true
    this.#clock.after(PACE_MS, () => {
      this.#isDue = false
      const text = JSON.stringify(this.#overview())
      for (const watcher of this.#watchers.values()) if (watcher.seen !== text) watcher.wake()
    })
  }

  /** The overview as soon as it differs from the last one of this connection, at the latest after `waitMs`. Ends an earlier read. */
  async read(connectionId: number, waitMs: number): Promise<Overview> {
    const watcher = this.#watchers.get(connectionId)
    const now = this.#overview()
    if (watcher === undefined) return now
    watcher.wake()
    const overview = waitMs > 0 && JSON.stringify(now) === watcher.seen ? await this.#next(watcher, waitMs) : now
    watcher.seen = JSON.stringify(overview)
    return overview
  }

  async #next(watcher: Watcher, waitMs: number): Promise<Overview> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#clock.after(waitMs, resolve)
    watcher.wake = resolve
    await promise
    cancel()
    return this.#overview()
  }
}
