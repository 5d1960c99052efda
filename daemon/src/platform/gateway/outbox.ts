/** Outgoing payloads of one connection: ordered, within the platform's send limit, with capacity reserved for control payloads. */
import { BUDGETS } from '@sallyport/core/budgets'
import { SECOND_MS } from '@sallyport/core/durations'
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'

interface OutboxDeps {
  readonly clock: Clock
  readonly write: (text: string) => void
  /** Heartbeat interval in ms; capacity is reserved for heartbeats. */
  readonly heartbeatMs: () => number | undefined
}

interface QueuedPayload {
  readonly op: number
  text: string
  readonly settle: { readonly sent: () => void; readonly failed: (failure: BridgeError) => void }[]
}

/** Maximum queued payloads: one minute's limit. */
const MAX_QUEUED = 120
/** Reserved for Identify or Resume, and for extra heartbeats. */
const RESERVED = 3

export class GatewayOutbox {
  readonly #deps: OutboxDeps
  /** Send times within the window, in ms since the epoch, oldest first. */
  #sentAt: number[] = []
  readonly #queue: QueuedPayload[] = []
  #cancelTimer = (): void => {}

  constructor(deps: OutboxDeps) {
    this.#deps = deps
  }

  /** Whether the limit allows another payload. */
  get hasRoom(): boolean {
    return this.#used() < BUDGETS.gatewaySends.value
  }

  /** Sends immediately, ahead of the queue. */
  sendNow(text: string): void {
    this.#sentAt.push(this.#deps.clock.elapsed())
    this.#deps.write(text)
  }

  /** Resolves when the payload is sent. Rejects with RATE_LIMITED if the queue is full, or SERVICE_UNAVAILABLE if the connection ends first. */
  send(op: number, text: string): Promise<void> {
    // Only the newest presence counts; it replaces a queued one.
    const older = op === GATEWAY_OPCODES.PRESENCE_UPDATE.op ? this.#queue.find((one) => one.op === op) : undefined
    if (older === undefined && this.#queue.length >= MAX_QUEUED) return Promise.reject(this.#queueFullError())
    return new Promise((sent, failed) => {
      if (older === undefined) this.#queue.push({ op, text, settle: [{ sent, failed }] })
      else {
        older.text = text
        older.settle.push({ sent, failed })
      }
      this.#flush()
    })
  }

  /** Rejects all queued payloads. */
  close(): void {
    this.#cancelTimer()
    const connectionLost = new BridgeError(
      'SERVICE_UNAVAILABLE',
      'The gateway connection ended before the payload was sent; retry when it is live again.',
    )
    for (const { settle } of this.#queue.splice(0)) for (const { failed } of settle) failed(connectionLost)
  }

  #flush(): void {
    this.#cancelTimer()
    const room = this.#queueLimit() - this.#used()
    for (const { text, settle } of this.#queue.splice(0, Math.max(0, room))) {
      this.sendNow(text)
      for (const { sent } of settle) sent()
    }
    if (this.#queue.length > 0) this.#cancelTimer = this.#deps.clock.after(this.#msUntilRoom(), () => this.#flush())
  }

  /** The part of the send limit that is available to the queue. */
  #queueLimit(): number {
    const { gatewaySends, gatewaySendsMs } = BUDGETS
    const heartbeats = Math.ceil(gatewaySendsMs.value / (this.#deps.heartbeatMs() ?? gatewaySendsMs.value))
    return gatewaySends.value - Math.min(heartbeats + RESERVED, gatewaySends.value / 2)
  }

  /** Number of payloads sent within the window. */
  #used(): number {
    const windowStart = this.#deps.clock.elapsed() - BUDGETS.gatewaySendsMs.value
    this.#sentAt = this.#sentAt.filter((at) => at > windowStart)
    return this.#sentAt.length
  }

  /** ms until the next payload may be sent. */
  #msUntilRoom(): number {
    const freeing = this.#sentAt[this.#used() - this.#queueLimit()]
    return freeing === undefined ? 0 : freeing + BUDGETS.gatewaySendsMs.value - this.#deps.clock.elapsed()
  }

  #queueFullError(): BridgeError {
    const retryAfter = Math.ceil(this.#msUntilRoom() / SECOND_MS)
    return new BridgeError('RATE_LIMITED', `Too many payloads are queued for the gateway; retry in ${retryAfter} s.`, {
      retry_after: retryAfter,
    })
  }
}
