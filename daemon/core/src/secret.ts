/** A secret value: prints, serialises and inspects as `[redacted]`. */
import { inspect } from 'node:util'

export class Secret<T> {
  readonly #value: T
  constructor(value: T) {
    this.#value = value
  }
  /** Returns the value; call it only where the value is sent or stored. */
  reveal(): T {
    return this.#value
  }
  toString(): string {
    return '[redacted]'
  }
  toJSON(): string {
    return '[redacted]'
  }
  [inspect.custom](): string {
    return '[redacted]'
  }
}
