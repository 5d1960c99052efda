/** One page that reads, at the pace at which it reads: of what it has not been told, it is told the newest of each application. */
import type { Duplex } from 'node:stream'
import { LIMITS } from '@sallyport/protocol'
import type { WebSocket } from 'ws'
import type { News } from './news.ts'

export class Reader {
  readonly #page: WebSocket
  /** By application, while the page is behind. */
  readonly #untold = new Map<string, News>()
  /** The newest ping that came while the page was behind; older ones need no answer. */
  #ping: Buffer | undefined

  constructor(page: WebSocket, carrier: Duplex) {
    this.#page = page
    carrier.on('drain', () => this.#catchUp())
    page.on('ping', (data: Buffer) => {
      if (this.#isBehind) this.#ping = data
      else page.pong(data)
    })
  }

  tell(applicationId: string, news: News): void {
    if (this.#isBehind) this.#untold.set(applicationId, news)
    else this.#send(news)
  }

  get #isBehind(): boolean {
    return this.#untold.size > 0 || this.#isFull
  }

  get #isFull(): boolean {
    return this.#page.bufferedAmount > LIMITS.bridgeUnreadBytes.value
  }

  #catchUp(): void {
    if (this.#ping !== undefined) this.#page.pong(this.#ping)
    this.#ping = undefined
    for (const [applicationId, news] of this.#untold) {
      if (this.#isFull) return
      this.#untold.delete(applicationId)
      this.#send(news)
    }
  }

  #send(news: News): void {
    if (this.#page.readyState === this.#page.OPEN) this.#page.send(news.text)
  }
}
