/** A value that must not be seen: it prints, serialises and inspects as `[redacted]`. */
import { inspect } from 'node:util'

export class Secret<T> {
  readonly #value: T
  constructor(value: T) {
    this.#value = value
  }
  /** The value itself, at the one place that must send or store it. */
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
