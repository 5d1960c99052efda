/** Tells the pages that listen what every application shows, and a page that comes what is shown already. What pages say is not read. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Presence } from '../sink.ts'
import { clearedMessage, shownMessage } from './message.ts'
import { News } from './news.ts'
import { Reader } from './reader.ts'

interface Shown {
  readonly presence: Presence
  readonly news: News
}

export class PresenceBridge {
  readonly #shown = new Map<string, Shown>()
  readonly #readers = new Set<Reader>()

  get pages(): number {
    return this.#readers.size
  }

  show(applicationId: string, presence: Presence | undefined): void {
    const before = this.#shown.get(applicationId)?.presence
    // What a way out is shown again is no news to a page.
    if (before === presence) return
    if (presence !== undefined) {
      const news = new News(shownMessage(presence))
      this.#shown.set(applicationId, { presence, news })
      this.#tellAll(applicationId, news)
    } else if (before !== undefined) {
      this.#shown.delete(applicationId)
      this.#tellAll(applicationId, new News(clearedMessage(before)))
    }
  }

  /** A page that may read, on its connection. */
  welcome(page: WebSocket, carrier: Duplex): void {
    const reader = new Reader(page, carrier)
    this.#readers.add(reader)
    page.once('close', () => this.#readers.delete(reader))
    for (const [applicationId, { news }] of this.#shown) reader.tell(applicationId, news)
  }

  #tellAll(applicationId: string, news: News): void {
    for (const reader of this.#readers) reader.tell(applicationId, news)
  }
}
