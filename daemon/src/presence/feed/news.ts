/** One message to pages, made into text for the first of them and kept for the others. */
import type { BridgeMessage } from './message.ts'

export class News {
  readonly #message: BridgeMessage
  #text: string | undefined

  constructor(message: BridgeMessage) {
    this.#message = message
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.#message)
    return this.#text
  }
}
