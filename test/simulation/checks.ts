/** All that is judged from outside the daemon, with what each of them sees. */
import { CallCheck, watchSessions } from './call-check.ts'
import { EventCheck, observeGateway, watchGateway } from './event-check.ts'
import { HttpTraffic } from './http-traffic.ts'
import type { Direction, Link, Tap } from './machine/socket.ts'
import { PresenceCheck } from './presence-check.ts'
import { TokenCheck } from './token-check.ts'
import { WireCheck } from './wire-check.ts'
import { observeMessages, watchMessages, WriteCheck } from './write-check.ts'

watchGateway()
watchMessages()
watchSessions()

export class Checks implements Tap {
  readonly wire: WireCheck
  readonly events: EventCheck
  readonly calls: CallCheck
  readonly writes = new WriteCheck()
  readonly #presence: PresenceCheck
  readonly #tokens: TokenCheck
  readonly #traffic: HttpTraffic

  /** `now`: ms since the start of the run. `applicationOf`: the application of a game, by its name. */
  constructor(now: () => number, applicationOf: (game: string) => string) {
    this.events = new EventCheck(now, applicationOf)
    observeGateway(this.events)
    observeMessages(this.writes)
    this.#presence = new PresenceCheck(now)
    this.#tokens = new TokenCheck(now, applicationOf)
    this.#traffic = new HttpTraffic(now, (exchange, isReply) => {
      this.#presence.onExchange(exchange, isReply)
      this.#tokens.onExchange(exchange, isReply)
    })
    this.calls = new CallCheck(now, this.#traffic)
    this.wire = new WireCheck(now, (link, direction, message) => {
      for (const check of [this.events, this.#presence, this.#tokens, this.calls]) check.onMessage(link, direction, message)
    })
  }

  onBytes(link: Link, direction: Direction, bytes: Buffer): void {
    if (typeof link.address === 'string') this.wire.onBytes(link, direction, bytes)
    else this.#traffic.onBytes(link, direction, bytes)
  }

  /** Called from time to time, and at the end. */
  async review(dataDirectory: string): Promise<void> {
    this.wire.review()
    this.events.review()
    this.calls.review()
    this.#presence.review()
    await this.#tokens.review(dataDirectory)
  }

  get #all() {
    return [this.wire, this.events, this.calls, this.writes, this.#presence, this.#tokens]
  }

  get failures(): readonly string[] {
    return this.#all.flatMap(({ failures }) => failures)
  }

  get checked(): number {
    return this.#all.reduce((sum, { checked }) => sum + checked, 0)
  }
}
