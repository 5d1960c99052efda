/**
 * Being told that work is given up. AbortSignal says the same and may be handed in wherever a CancelSignal is wanted; every forwarded
 * call has one, nearly none is ever stopped, and an AbortSignal with its listeners costs as much as all the rest of a call.
 */

export interface StopListener {
  handleEvent(): void
}

/** The part of AbortSignal that work needs. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: StopListener): void
  removeEventListener(type: 'abort', listener: StopListener): void
}

export class Canceller implements CancelSignal {
  #isStopped = false
  #listeners: StopListener[] = []
  #controller: AbortController | undefined

  get aborted(): boolean {
    return this.#isStopped
  }

  /** The same for those who need all of AbortSignal; made when it is first asked for. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isStopped) this.#controller.abort()
    }
    return this.#controller.signal
  }

  addEventListener(_type: 'abort', listener: StopListener): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: StopListener): void {
    const at = this.#listeners.lastIndexOf(listener)
    // Nearly always the last one.
    if (at === this.#listeners.length - 1) this.#listeners.length = Math.max(at, 0)
    else if (at !== -1) this.#listeners.splice(at, 1)
  }

  /** Tells everybody, once. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    const listeners = this.#listeners
    this.#listeners = []
    this.#controller?.abort()
    for (const listener of listeners) listener.handleEvent()
  }
}
