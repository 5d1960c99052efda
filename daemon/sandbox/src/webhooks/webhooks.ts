/** Sends events to the webhook addresses of applications: verifies an address first, retries, and disables an address that keeps failing. */
import { backoffMs } from '@sallyport/core/backoff'
import { type CurrentApplication, type Interaction, INTERACTION_CALLBACKS, WEBHOOK_TYPES, type WebhookEventType } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { isoTime } from '../api/wire-time.ts'
import { WEBHOOK_GIVE_UP_MS, WEBHOOK_RETRY_MS, WEBHOOKS_AT_ONCE, WEBHOOKS_WAITING_MAX } from '../constants.ts'
import type { Store } from '../store/store.ts'
import { isLoopbackAddress, type PostAnswer, type WebhookDelivery, type post } from './post.ts'

type EventSettings = Partial<Pick<CurrentApplication, 'event_webhooks_url' | 'event_webhooks_status' | 'event_webhooks_types'>>

const STATUS = { disabled: 1, enabled: 2, disabledByPlatform: 3 } as const
const ACCEPTED = 204
const UNAUTHORIZED = 401
/** A game responds to the interaction by a request of its own. */
const RESPONDS_LATER = 202
const PONG = 200

interface PendingDelivery {
  readonly applicationId: string
  readonly type: string
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly since: number
  cancel: () => void
}

interface WebhooksDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** The signing keys derive from it. */
  readonly seed: string
  readonly post: typeof post
}

/** How a delivery differs from a valid one. */
interface DeliveryFault {
  readonly signature: WebhookDelivery['signature']
  readonly timestampOffsetS: number
}

const pingBody = (applicationId: string): string => JSON.stringify({ version: 1, application_id: applicationId, type: WEBHOOK_TYPES.ping })

function isPong(body: string): boolean {
  try {
    return (JSON.parse(body) as { readonly type?: unknown } | null)?.type === INTERACTION_CALLBACKS.PONG.type
  } catch {
    return false
  }
}

export class Webhooks {
  readonly #deps: WebhooksDeps
  readonly #pending = new Set<PendingDelivery>()
  readonly #closing = new AbortController()
  #freePosts = WEBHOOKS_AT_ONCE
  readonly #queue: (() => void)[] = []

  constructor(deps: WebhooksDeps) {
    this.#deps = deps
  }

  /** Sends an event to the application if it subscribed to the type. */
  publish(applicationId: string, type: WebhookEventType, data: unknown): void {
    if (this.#addressFor(applicationId, type) === undefined) return
    if (this.#pending.size >= WEBHOOKS_WAITING_MAX) {
      this.#deps.log.warn('sandbox-webhooks-full', { application: applicationId, type })
      return
    }
    const delivery = { applicationId, type, body: this.eventBody(applicationId, type, data), since: this.#deps.clock.now(), cancel() {} }
    this.#pending.add(delivery)
    this.#attempt(delivery, 0)
  }

  /** Whether an address accepts a ping and refuses a wrong signature. True without a request for addresses beyond this machine. */
  async verifiesSignatures(applicationId: string, address: string): Promise<boolean> {
    if (!isLoopbackAddress(address)) return true
    const body = pingBody(applicationId)
    const good = await this.#post(applicationId, address, body, { signature: 'right', timestampOffsetS: 0 })
    const bad = await this.#post(applicationId, address, body, { signature: 'wrong', timestampOffsetS: 0 })
    return good === ACCEPTED && bad === UNAUTHORIZED
  }

  /** As `verifiesSignatures`, for an interactions endpoint, which answers a ping with PONG. */
  async verifiesInteractions(applicationId: string, address: string, ping: Interaction): Promise<boolean> {
    if (!isLoopbackAddress(address)) return true
    const body = JSON.stringify(ping)
    const good = await this.#answer(applicationId, address, body, { signature: 'right', timestampOffsetS: 0 })
    const bad = await this.#answer(applicationId, address, body, { signature: 'wrong', timestampOffsetS: 0 })
    return good.status === PONG && isPong(good.body) && bad.status === UNAUTHORIZED
  }

  /** Sends an interaction to the endpoint once; a failed delivery is logged. */
  async deliverInteraction(address: string, interaction: Interaction): Promise<void> {
    const { application_id: application, id } = interaction
    const { status } = await this.#answer(application, address, JSON.stringify(interaction), { signature: 'right', timestampOffsetS: 0 })
    if (status !== RESPONDS_LATER && !this.#closing.signal.aborted)
      this.#deps.log.warn('sandbox-interaction-not-delivered', { application, id, status })
  }

  /** Sends one delivery with a fault, without retries; a ping without `body`. Returns the status, 0 for no response, undefined for no address. */
  async sendFaulty(applicationId: string, body: string | undefined, fault: DeliveryFault): Promise<number | undefined> {
    const address = this.#settings(applicationId).event_webhooks_url
    if (address == null || !isLoopbackAddress(address)) return undefined
    const status = await this.#post(applicationId, address, body ?? pingBody(applicationId), fault)
    // An address that accepts a wrong signature is disabled.
    if (fault.signature !== 'right' && status === ACCEPTED)
      this.#change(applicationId, { event_webhooks_url: null, event_webhooks_status: STATUS.disabled })
    return status
  }

  /** The body of an event; `type` may be unknown. */
  eventBody(applicationId: string, type: string, data: unknown): string {
    const event = { type, timestamp: isoTime(this.#deps.clock.now()), data }
    return JSON.stringify({ version: 1, application_id: applicationId, type: WEBHOOK_TYPES.event, event })
  }

  close(): void {
    this.#closing.abort()
    for (const { cancel } of this.#pending) cancel()
    this.#pending.clear()
  }

  /** An error here, such as a failed write of the state, ends only this delivery. */
  #attempt(delivery: PendingDelivery, attempt: number): void {
    this.#deliver(delivery, attempt).catch((err: unknown) => {
      this.#pending.delete(delivery)
      this.#deps.log.error('sandbox-webhook-failed', { application: delivery.applicationId, type: delivery.type, err })
    })
  }

  async #deliver(delivery: PendingDelivery, attempt: number): Promise<void> {
    const { applicationId, type, body, since } = delivery
    const { clock, log } = this.#deps
    const address = this.#addressFor(applicationId, type)
    const status =
      address === undefined ? ACCEPTED : await this.#post(applicationId, address, body, { signature: 'right', timestampOffsetS: 0 })
    if (this.#closing.signal.aborted) return
    const delay = backoffMs(attempt + 1, { firstMs: WEBHOOK_RETRY_MS, maxMs: WEBHOOK_GIVE_UP_MS })
    const isOver = clock.now() + delay - since > WEBHOOK_GIVE_UP_MS
    if (status === ACCEPTED || isOver) {
      this.#pending.delete(delivery)
      if (status === ACCEPTED) return
      log.warn('sandbox-webhooks-disabled', { application: applicationId, type, status })
      return this.#change(applicationId, { event_webhooks_status: STATUS.disabledByPlatform })
    }
    log.debug('sandbox-webhook-repeated', { application: applicationId, type, status, attempt })
    delivery.cancel = clock.after(delay, () => this.#attempt(delivery, attempt + 1))
  }

  async #post(applicationId: string, address: string, body: string, fault: DeliveryFault): Promise<number> {
    return (await this.#answer(applicationId, address, body, fault)).status
  }

  async #answer(applicationId: string, address: string, body: string, { signature, timestampOffsetS }: DeliveryFault): Promise<PostAnswer> {
    const { clock, seed, post } = this.#deps
    await this.#acquirePost()
    try {
      const timestamp = Math.floor(clock.now() / 1000) + timestampOffsetS
      return await post(address, { applicationId, body, signature, timestamp }, { clock, seed, signal: this.#closing.signal })
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#freePosts++
      else next()
    }
  }

  /** Resolves when another request may start, so that many deliveries cannot use up the sockets. */
  #acquirePost(): Promise<void> | undefined {
    if (this.#freePosts === 0) return new Promise((resolve) => this.#queue.push(resolve))
    this.#freePosts--
    return undefined
  }

  /** The address for events of this type; undefined when the application did not subscribe, or for an address beyond this machine. */
  #addressFor(applicationId: string, type: string): string | undefined {
    const { event_webhooks_url: address, event_webhooks_status: status, event_webhooks_types: types } = this.#settings(applicationId)
    const isSubscribed = status === STATUS.enabled && types?.includes(type) === true
    return isSubscribed && address != null && isLoopbackAddress(address) ? address : undefined
  }

  #settings(applicationId: string): EventSettings {
    return this.#deps.store.applicationSettings.get(applicationId)?.changed ?? {}
  }

  #change(applicationId: string, change: EventSettings): void {
    const { applicationSettings } = this.#deps.store
    const changed = { ...applicationSettings.get(applicationId)?.changed, ...change }
    this.#deps.store.commit([applicationSettings.put(applicationId, { changed })])
  }
}
