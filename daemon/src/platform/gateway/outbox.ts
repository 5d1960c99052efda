/** What goes out over one connection: within the platform's budget, in order, with room kept for what holds the connection itself. */
import { GATEWAY_OPCODES, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'

export interface OutboxParts {
  readonly clock: Clock
  readonly write: (text: string) => void
  /** The interval of the heartbeats that room is kept for, in ms. */
  readonly heartbeatMs: () => number | undefined
}

interface Waiting {
  readonly op: number
  text: string
  readonly settle: { readonly sent: () => void; readonly failed: (failure: BridgeError) => void }[]
}

/** What may wait: a minute's worth. */
const MOST_WAITING = 120
/** Room for Identify or Resume, and for heartbeats out of turn. */
const SPARE = 3
const SECOND_MS = 1000

export class GatewayOutbox {
  readonly #parts: OutboxParts
  /** When something went out within the window, in ms since the epoch, oldest first. */
  #sentAt: number[] = []
  readonly #waiting: Waiting[] = []
  #cancelTimer = (): void => {}

  constructor(parts: OutboxParts) {
    this.#parts = parts
  }

  /** Whether anything at all may go out. */
  get hasRoom(): boolean {
    return this.#used() < LIMITS.gatewaySends.value
  }

  /** At once, before all that waits. */
  sendNow(text: string): void {
    this.#sentAt.push(this.#parts.clock.now())
    this.#parts.write(text)
  }

  /** Resolves when it went out. Rejects with RATE_LIMITED when too much waits, SERVICE_UNAVAILABLE when the connection ends before its turn. */
  send(op: number, text: string): Promise<void> {
    // Only the newest presence counts; it takes the turn of the one that waits.
    const older = op === GATEWAY_OPCODES.PRESENCE_UPDATE.op ? this.#waiting.find((one) => one.op === op) : undefined
    if (older === undefined && this.#waiting.length >= MOST_WAITING) return Promise.reject(this.#tooMuch())
    return new Promise((sent, failed) => {
      if (older === undefined) this.#waiting.push({ op, text, settle: [{ sent, failed }] })
      else {
        older.text = text
        older.settle.push({ sent, failed })
      }
      this.#flush()
    })
  }

  /** Nothing goes out any more. */
  close(): void {
    this.#cancelTimer()
    const gone = new BridgeError(
      'SERVICE_UNAVAILABLE',
      'The connection to the gateway ended before this was sent; try again when it is back.',
    )
    for (const { settle } of this.#waiting.splice(0)) for (const { failed } of settle) failed(gone)
  }

  #flush(): void {
    this.#cancelTimer()
    const room = this.#budget() - this.#used()
    for (const { text, settle } of this.#waiting.splice(0, Math.max(0, room))) {
      this.sendNow(text)
      for (const { sent } of settle) sent()
    }
    if (this.#waiting.length > 0) this.#cancelTimer = this.#parts.clock.after(this.#roomInMs(), () => this.#flush())
  }

  /** What of the platform's budget is for what waits. */
  #budget(): number {
    const { gatewaySends, gatewaySendsMs } = LIMITS
    const heartbeats = Math.ceil(gatewaySendsMs.value / (this.#parts.heartbeatMs() ?? gatewaySendsMs.value))
    return gatewaySends.value - Math.min(heartbeats + SPARE, gatewaySends.value / 2)
  }

  /** How many went out within the window. */
  #used(): number {
    const now = this.#parts.clock.now()
    // What lies in the future was sent before the clock was set back.
    this.#sentAt = this.#sentAt.filter((at) => at > now - LIMITS.gatewaySendsMs.value && at <= now)
    return this.#sentAt.length
  }

  /** ms until the next may go out. */
  #roomInMs(): number {
    const freeing = this.#sentAt[this.#used() - this.#budget()]
    return freeing === undefined ? 0 : freeing + LIMITS.gatewaySendsMs.value - this.#parts.clock.now()
  }

  #tooMuch(): BridgeError {
    const retryAfter = Math.ceil(this.#roomInMs() / SECOND_MS)
    return new BridgeError('RATE_LIMITED', `Too much waits to be sent to the gateway; try again in ${retryAfter} s.`, {
      retry_after: retryAfter,
    })
  }
}
