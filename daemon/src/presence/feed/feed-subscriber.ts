/** A subscribed page. While it reads slowly, only the latest message of each application is kept for it. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { SerializedMessage } from './serialized-message.ts'

export class FeedSubscriber {
  readonly #page: WebSocket
  /** Latest unsent message by application, while the page is behind. */
  readonly #unsent = new Map<string, SerializedMessage>()
  /** The latest ping while the page was behind; older pings need no pong. */
  #ping: Buffer | undefined

  constructor(page: WebSocket, socket: Duplex) {
    this.#page = page
    socket.on('drain', () => this.#flush())
    page.on('ping', (data: Buffer) => {
      if (this.#isBehind) this.#ping = data
      else page.pong(data)
    })
  }

  send(applicationId: string, message: SerializedMessage): void {
    if (this.#isBehind) this.#unsent.set(applicationId, message)
    else this.#write(message)
  }

  get #isBehind(): boolean {
    return this.#unsent.size > 0 || this.#isFull
  }

  get #isFull(): boolean {
    return this.#page.bufferedAmount > BUDGETS.presenceFeedBufferBytes.value
  }

  #flush(): void {
    if (this.#ping !== undefined) this.#page.pong(this.#ping)
    this.#ping = undefined
    for (const [applicationId, message] of this.#unsent) {
      if (this.#isFull) return
      this.#unsent.delete(applicationId)
      this.#write(message)
    }
  }

  #write(message: SerializedMessage): void {
    if (this.#page.readyState === this.#page.OPEN) this.#page.send(message.text)
  }
}
