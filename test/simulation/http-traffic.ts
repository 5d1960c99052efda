/** Reads the requests of the daemon to the platform, one at a time on each connection, and how long each waits for its reply. */
import type { Direction, Link } from './machine/socket.ts'

/** A request, and what has come of its reply. */
export interface Exchange {
  /** `POST /api/v10/oauth2/token`. */
  readonly line: string
  readonly at: number
  request: string
  reply: string
}

export type OnExchange = (exchange: Exchange, isReply: boolean) => void

interface Pending {
  readonly link: Link
  readonly exchange: Exchange
}

const FIRST_LINE = /^([A-Z]+ \S+) HTTP\/1\.1\r\n/
/** Websockets: what they send is no request. */
const UPGRADE = /\r\nupgrade: websocket\r\n/i
/** A reply that takes longer is one that a call may wait for in vain; ms. */
const SLOW_MS = 5_000
/** How long it is remembered that one was slow; ms. */
const REMEMBERED_MS = 5 * 60_000

/** The rest of a reply is lost on a half-open connection. */
const isWaiting = (link: Link, reply: string): boolean => reply === '' || link.isSilent

export class HttpTraffic {
  readonly #now: () => number
  readonly #onExchange: OnExchange
  readonly #pending = new Map<Link, Pending>()
  /** When a request waited long, or broke. */
  #slow: { readonly from: number; readonly to: number }[] = []

  constructor(now: () => number, onExchange: OnExchange) {
    this.#now = now
    this.#onExchange = onExchange
  }

  onBytes(link: Link, direction: Direction, bytes: Buffer): void {
    const text = bytes.toString('latin1')
    const pending = this.#pending.get(link)
    if (direction === 'up') this.#up(link, text, pending)
    // On a half-open connection the request waits, and no reply arrives.
    else if (pending !== undefined && !link.isSilent) this.#down(pending, text)
  }

  /** Whether a request waited long at some time since then, or waits now. */
  wasSlowSince(from: number): boolean {
    this.#settleBroken()
    const now = this.#now()
    const waitsLong = [...this.#pending.values()].some(({ link, exchange: { at, reply } }) => isWaiting(link, reply) && now - at > SLOW_MS)
    return waitsLong || this.#slow.some(({ to }) => to >= from)
  }

  #up(link: Link, text: string, pending: Pending | undefined): void {
    const line = FIRST_LINE.exec(text)?.[1]
    if (line === undefined) {
      if (pending === undefined || pending.exchange.reply !== '') return
      pending.exchange.request += text
      this.#onExchange(pending.exchange, false)
      return
    }
    if (UPGRADE.test(text)) return
    const exchange: Exchange = { line, at: this.#now(), request: text, reply: '' }
    this.#pending.set(link, { link, exchange })
    this.#onExchange(exchange, false)
  }

  #down({ exchange }: Pending, text: string): void {
    if (exchange.reply === '') this.#note(exchange.at)
    exchange.reply += text
    this.#onExchange(exchange, true)
  }

  /** Connections that ended before their reply: the call may try again, until its time is up. */
  #settleBroken(): void {
    for (const [link, { exchange }] of this.#pending) {
      if (!link.up.destroyed && !link.down.destroyed) continue
      this.#pending.delete(link)
      if (isWaiting(link, exchange.reply)) this.#slow.push({ from: exchange.at, to: this.#now() })
    }
  }

  #note(from: number): void {
    const now = this.#now()
    if (now - from <= SLOW_MS) return
    this.#slow = [...this.#slow.filter(({ to }) => now - to < REMEMBERED_MS), { from, to: now }]
  }
}
