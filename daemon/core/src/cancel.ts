/**
 * A cheaper AbortController. An AbortSignal is also a CancelSignal. Every forwarded call has a signal, but few are cancelled, and an
 * AbortSignal with its listeners costs as much as the rest of a call.
 */

export interface CancelListener {
  handleEvent(): void
}

/** The part of AbortSignal that work needs. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: CancelListener): void
  removeEventListener(type: 'abort', listener: CancelListener): void
}

export class Canceller implements CancelSignal {
  #isCancelled = false
  #listeners: CancelListener[] = []
  #controller: AbortController | undefined

  get aborted(): boolean {
    return this.#isCancelled
  }

  /** The equivalent AbortSignal; created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isCancelled) this.#controller.abort()
    }
    return this.#controller.signal
  }

  addEventListener(_type: 'abort', listener: CancelListener): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: CancelListener): void {
    const at = this.#listeners.lastIndexOf(listener)
    // Usually the last one.
    if (at === this.#listeners.length - 1) this.#listeners.length = Math.max(at, 0)
    else if (at !== -1) this.#listeners.splice(at, 1)
  }

  /** Notifies every listener, once. */
  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    const listeners = this.#listeners
    this.#listeners = []
    this.#controller?.abort()
    for (const listener of listeners) listener.handleEvent()
  }
}
