/** A message to pages that is serialized once, for the first page. */
import type { FeedMessage } from './feed-message.ts'

export class SerializedMessage {
  readonly #message: FeedMessage
  #text: string | undefined

  constructor(message: FeedMessage) {
    this.#message = message
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.#message)
    return this.#text
  }
}
