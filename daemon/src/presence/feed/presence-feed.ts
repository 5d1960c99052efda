/** Sends the presence of every application to the subscribed pages, and the current presence to a new page. Ignores messages from pages. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Presence } from '../sink.ts'
import { clearedMessage, shownMessage } from './feed-message.ts'
import { SerializedMessage } from './serialized-message.ts'
import { FeedSubscriber } from './feed-subscriber.ts'

interface Shown {
  readonly presence: Presence
  readonly message: SerializedMessage
}

export class PresenceFeed {
  readonly #shown = new Map<string, Shown>()
  readonly #subscribers = new Set<FeedSubscriber>()

  get subscriberCount(): number {
    return this.#subscribers.size
  }

  show(applicationId: string, presence: Presence | undefined): void {
    const before = this.#shown.get(applicationId)?.presence
    // A presence that is sent again to a channel has not changed for a page.
    if (before === presence) return
    if (presence !== undefined) {
      const message = new SerializedMessage(shownMessage(presence))
      this.#shown.set(applicationId, { presence, message })
      this.#sendAll(applicationId, message)
    } else if (before !== undefined) {
      this.#shown.delete(applicationId)
      this.#sendAll(applicationId, new SerializedMessage(clearedMessage(before)))
    }
  }

  /** Adds an allowed page, on its socket. */
  addSubscriber(page: WebSocket, socket: Duplex): void {
    const subscriber = new FeedSubscriber(page, socket)
    this.#subscribers.add(subscriber)
    page.once('close', () => this.#subscribers.delete(subscriber))
    for (const [applicationId, { message }] of this.#shown) subscriber.send(applicationId, message)
  }

  #sendAll(applicationId: string, message: SerializedMessage): void {
    for (const subscriber of this.#subscribers) subscriber.send(applicationId, message)
  }
}
