/** Sends events to the webhook addresses of applications: asks an address first whether it is right, repeats what was not taken, and gives up on addresses that stay away. */
import { type CurrentApplication, WEBHOOK_TYPES, type WebhookEventType } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { isoTime } from '../api/wire-time.ts'
import { WEBHOOK_GIVE_UP_MS, WEBHOOK_RETRY_MS, WEBHOOKS_AT_ONCE, WEBHOOKS_WAITING_MAX } from '../constants.ts'
import type { Store } from '../store/store.ts'
import { isOnThisMachine, type Letter, post } from './post.ts'

type EventSettings = Partial<Pick<CurrentApplication, 'event_webhooks_url' | 'event_webhooks_status' | 'event_webhooks_types'>>

const STATUS = { disabled: 1, enabled: 2, disabledByPlatform: 3 } as const
const TAKEN = 204
const UNAUTHORIZED = 401

interface Waiting {
  readonly applicationId: string
  readonly type: string
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly since: number
  cancel: () => void
}

export interface WebhooksParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** The keys of applications follow from it. */
  readonly seed: string
}

/** How a delivery differs from a good one. */
export interface Bend {
  readonly signature: Letter['signature']
  readonly timestampOffsetS: number
}

const PING = (applicationId: string): string => JSON.stringify({ version: 1, application_id: applicationId, type: WEBHOOK_TYPES.ping })

export class Webhooks {
  readonly #parts: WebhooksParts
  readonly #waiting = new Set<Waiting>()
  readonly #stop = new AbortController()
  #freeLanes = WEBHOOKS_AT_ONCE
  readonly #queue: (() => void)[] = []

  constructor(parts: WebhooksParts) {
    this.#parts = parts
  }

  /** Something happened that the application may have asked to be told. */
  tell(applicationId: string, type: WebhookEventType, data: unknown): void {
    if (this.#addressFor(applicationId, type) === undefined) return
    if (this.#waiting.size >= WEBHOOKS_WAITING_MAX) {
      this.#parts.log.warn('sandbox-webhooks-full', { application: applicationId, type })
      return
    }
    const waiting = { applicationId, type, body: this.eventBody(applicationId, type, data), since: this.#parts.clock.now(), cancel() {} }
    this.#waiting.add(waiting)
    this.#attempt(waiting, 0)
  }

  /** Whether an address answers as the platform wants it: yes to a sign of life, no to a wrong signature. True for one beyond this machine, which is never asked. */
  async isRight(applicationId: string, address: string): Promise<boolean> {
    if (!isOnThisMachine(address)) return true
    const body = PING(applicationId)
    const good = await this.#post(applicationId, address, body, { signature: 'right', timestampOffsetS: 0 })
    const bad = await this.#post(applicationId, address, body, { signature: 'wrong', timestampOffsetS: 0 })
    return good === TAKEN && bad === UNAUTHORIZED
  }

  /** Sends one delivery, bent on purpose, without repeating it; a sign of life without `body`. The status of the answer, 0 for none; undefined when there is no address. */
  async sendBent(applicationId: string, body: string | undefined, bend: Bend): Promise<number | undefined> {
    const address = this.#settings(applicationId).event_webhooks_url
    if (address == null || !isOnThisMachine(address)) return undefined
    const status = await this.#post(applicationId, address, body ?? PING(applicationId), bend)
    // An address that takes what nobody signed is no place to send anything to.
    if (bend.signature !== 'right' && status === TAKEN)
      this.#change(applicationId, { event_webhooks_url: null, event_webhooks_status: STATUS.disabled })
    return status
  }

  /** An event as it is sent; `type` may be one that nobody knows. */
  eventBody(applicationId: string, type: string, data: unknown): string {
    const event = { type, timestamp: isoTime(this.#parts.clock.now()), data }
    return JSON.stringify({ version: 1, application_id: applicationId, type: WEBHOOK_TYPES.event, event })
  }

  close(): void {
    this.#stop.abort()
    for (const { cancel } of this.#waiting) cancel()
    this.#waiting.clear()
  }

  /** What goes wrong here, as a state that cannot be written, ends this delivery and nothing else. */
  #attempt(waiting: Waiting, attempt: number): void {
    this.#deliver(waiting, attempt).catch((err: unknown) => {
      this.#waiting.delete(waiting)
      this.#parts.log.error('sandbox-webhook-failed', { application: waiting.applicationId, type: waiting.type, err })
    })
  }

  async #deliver(waiting: Waiting, attempt: number): Promise<void> {
    const { applicationId, type, body, since } = waiting
    const { clock, log } = this.#parts
    const address = this.#addressFor(applicationId, type)
    const status =
      address === undefined ? TAKEN : await this.#post(applicationId, address, body, { signature: 'right', timestampOffsetS: 0 })
    if (this.#stop.signal.aborted) return
    const delay = WEBHOOK_RETRY_MS * 2 ** attempt
    const isOver = clock.now() + delay - since > WEBHOOK_GIVE_UP_MS
    if (status === TAKEN || isOver) {
      this.#waiting.delete(waiting)
      if (status === TAKEN) return
      log.warn('sandbox-webhooks-given-up', { application: applicationId, type, status })
      return this.#change(applicationId, { event_webhooks_status: STATUS.disabledByPlatform })
    }
    log.debug('sandbox-webhook-repeated', { application: applicationId, type, status, attempt })
    waiting.cancel = clock.after(delay, () => this.#attempt(waiting, attempt + 1))
  }

  async #post(applicationId: string, address: string, body: string, { signature, timestampOffsetS }: Bend): Promise<number> {
    const { clock, seed } = this.#parts
    await this.#lane()
    try {
      const timestamp = Math.floor(clock.now() / 1000) + timestampOffsetS
      return await post(address, { applicationId, body, signature, timestamp }, { clock, seed, stop: this.#stop.signal })
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#freeLanes++
      else next()
    }
  }

  /** Resolves when one more may be on its way: a crowd of them must not take all the sockets that there are. */
  #lane(): Promise<void> | undefined {
    if (this.#freeLanes === 0) return new Promise((resolve) => this.#queue.push(resolve))
    this.#freeLanes--
    return undefined
  }

  /** Where events of this type go; undefined when they are not wanted, or would leave this machine. */
  #addressFor(applicationId: string, type: string): string | undefined {
    const { event_webhooks_url: address, event_webhooks_status: status, event_webhooks_types: types } = this.#settings(applicationId)
    const isWanted = status === STATUS.enabled && types?.includes(type) === true
    return isWanted && address != null && isOnThisMachine(address) ? address : undefined
  }

  #settings(applicationId: string): EventSettings {
    return this.#parts.store.applicationSettings.get(applicationId)?.changed ?? {}
  }

  #change(applicationId: string, change: EventSettings): void {
    const { applicationSettings } = this.#parts.store
    const changed = { ...applicationSettings.get(applicationId)?.changed, ...change }
    this.#parts.store.commit([applicationSettings.put(applicationId, { changed })])
  }
}
