/**
 * Publishes the state of the bridge to those who watch it. Changes of one turn are one state, and a state is published only if it differs from
 * the one before. Nothing is computed while no operator watches.
 */
import type { BridgeState } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'

export type StateListener = (state: BridgeState) => void

/** Changes within this time after a state are one, because a state costs more than a change. */
const PACE_MS = 100

/** Two states with the same key are the same to a display, whose own clock can count the uptime. */
const keyOf = (state: BridgeState): string => JSON.stringify({ ...state, uptime_s: 0 })

export class StatePublisher {
  readonly #clock: Pick<Clock, 'after' | 'elapsed'>
  readonly #build: () => BridgeState
  /** How often each wants what announces no change, in ms. */
  readonly #listeners = new Map<StateListener, number>()
  /** The key of the state that all listeners have. */
  #published: string | undefined
  #publishedAt = Number.NEGATIVE_INFINITY
  /** Whether a change waits to be published. */
  #isDue = false
  #cancel: () => void = () => {}

  constructor(clock: Pick<Clock, 'after' | 'elapsed'>, build: () => BridgeState) {
    this.#clock = clock
    this.#build = build
  }

  /** The state now. Who watches gets it too, if it differs from what they have. */
  current(): BridgeState {
    const state = this.#build()
    if (this.#listeners.size > 0) this.#publish(state)
    return state
  }

  /**
   * Calls `listener` with each state that differs from the one before, beginning with the next. Returns what ends it. What announces no change is
   * looked at every `reviewMs`: the health of providers, counters, warnings that end.
   */
  watch(listener: StateListener, reviewMs: number): () => void {
    this.#listeners.set(listener, reviewMs)
    if (this.#listeners.size === 1) this.#published = keyOf(this.#build())
    if (!this.#isDue) this.#review()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) {
        this.#cancel()
        this.#isDue = false
      } else if (!this.#isDue) this.#review()
    }
  }

  /** Something in the state may have changed. */
  changed(): void {
    if (this.#isDue || this.#listeners.size === 0) return
    this.#isDue = true
    this.#wait(Math.max(0, this.#publishedAt + PACE_MS - this.#clock.elapsed()))
  }

  #review(): void {
    this.#wait(Math.min(...this.#listeners.values()))
  }

  #wait(delayMs: number): void {
    this.#cancel()
    this.#cancel = this.#clock.after(delayMs, () => this.#publish(this.#build()))
  }

  #publish(state: BridgeState): void {
    this.#isDue = false
    this.#review()
    const key = keyOf(state)
    if (key === this.#published) return
    this.#published = key
    this.#publishedAt = this.#clock.elapsed()
    for (const listener of [...this.#listeners.keys()]) listener(state)
  }
}
