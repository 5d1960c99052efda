/** A change that other parts react to. The part that notices the change emits it, and knows none of those that listen. */

type SignalListener<Value> = (value: Value) => void

/** The side of those that listen. */
export interface SignalSource<Value> {
  /** Adds a listener, and returns what removes it. */
  on(listener: SignalListener<Value>): () => void
}

export class Signal<Value = void> implements SignalSource<Value> {
  #listeners: readonly SignalListener<Value>[] = []

  on(listener: SignalListener<Value>): () => void {
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener)
    }
  }

  /** Calls every listener now, in the order in which they were added. A listener that is removed or added meanwhile counts from the next time. */
  emit(value: Value): void {
    for (const listener of this.#listeners) listener(value)
  }
}
