/** Tells the pages that listen what every application shows, and a page that comes what is shown already. What pages say is not read. */
import { LIMITS } from '@sallyport/protocol'
import type { WebSocket } from 'ws'
import type { Presence, PresenceSink } from '../../sink.ts'
import { clearedMessage, shownMessage } from './message.ts'

export class PresenceBridge implements PresenceSink {
  readonly #shown = new Map<string, Presence>()
  readonly #pages = new Set<WebSocket>()

  get pages(): number {
    return this.#pages.size
  }

  show(applicationId: string, presence: Presence | undefined): void {
    const before = this.#shown.get(applicationId)
    // What a way out is shown again is no news to a page.
    if (before === presence) return
    if (presence === undefined) this.#shown.delete(applicationId)
    else this.#shown.set(applicationId, presence)
    if (this.#pages.size === 0) return
    const message = presence === undefined ? before && clearedMessage(before) : shownMessage(presence)
    const text = JSON.stringify(message)
    for (const page of this.#pages) tell(page, text)
  }

  /** A page that may read. */
  welcome(page: WebSocket): void {
    this.#pages.add(page)
    page.once('close', () => this.#pages.delete(page))
    page.on('ping', (data: Buffer) => {
      if (isReading(page)) page.pong(data)
    })
    for (const presence of this.#shown.values()) tell(page, JSON.stringify(shownMessage(presence)))
  }
}

const tell = (page: WebSocket, text: string): void => {
  if (isReading(page)) page.send(text)
}

/** One that has stopped reading is given up: it can come back and is then told what is shown. */
function isReading(page: WebSocket): boolean {
  if (page.readyState !== page.OPEN) return false
  const isBehind = page.bufferedAmount > LIMITS.bridgeUnreadBytes.value
  if (isBehind) page.terminate()
  return !isBehind
}
