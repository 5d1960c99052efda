/**
 * Handles a delivery to the webhook address or the interactions endpoint: verifies the sender, drops duplicates, parses the content. The response
 * is synchronous; `onEvent` and `onInteraction` run later.
 */
import type { KeyObject } from 'node:crypto'
import {
  Interaction,
  INTERACTION_TYPES,
  isWebhookEventType,
  type Parser,
  parserOf,
  WEBHOOK_EVENTS,
  WEBHOOK_TYPES,
  type WebhookEventData,
  type WebhookEventType,
  WebhookEnvelope,
} from '@sallyport/protocol'
import type * as z from 'zod'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { ExpiringMap } from '@sallyport/core/expiring-map'
import { fieldsOf, idOf } from '@sallyport/core/json-read'
import { createVerifier, type SignedRequest } from './signature.ts'

export interface Delivery extends SignedRequest {
  /** Both from the request path. */
  readonly kind: 'webhooks' | 'interactions'
  readonly applicationId: string
}

/** An event with a verified sender and validated data. */
export type WebhookEvent = {
  readonly [Type in WebhookEventType]: {
    readonly type: Type
    readonly applicationId: string
    /** Time of the event in ms since the epoch, by our clock; undefined if the event has no timestamp. */
    readonly at: number | undefined
    readonly data: WebhookEventData<Type>
  }
}[WebhookEventType]

interface DeliveryHandlerDeps {
  readonly clock: Clock
  readonly log: Logger
  /** The public key of an application, for its deliveries. */
  readonly publicKeyOf: (applicationId: string) => KeyObject | undefined
  /** Handles an event; runs after the response to the delivery. */
  readonly onEvent: (event: WebhookEvent) => Promise<void>
  /** Passes an interaction on; runs after the response. Returns how many games received it. */
  readonly onInteraction: (interaction: Interaction) => number
}

/** Counted since the start. */
export interface DeliveryCounters {
  pings: number
  events: number
  duplicates: number
  ignored: number
  refused: number
}

/** Maximum clock difference to the sender, in both directions. */
const REPLAY_WINDOW_MS = 5 * 60_000
const SECONDS = /^[0-9]{1,12}$/
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/i
const LOGGED_TYPE_CHARACTERS = 64
/** Maximum number of remembered applications with a verified key. */
const VERIFIED_MAX = 1_000

const parseEnvelope = parserOf(WebhookEnvelope)
const parseInteraction = parserOf(Interaction)
/** Parsers compile on first use. */
const PARSERS = new Map<string, Parser<z.ZodType>>(
  Object.entries<() => z.ZodType>(WEBHOOK_EVENTS).map(([type, schema]) => [type, parserOf(schema)]),
)

/** Time of the signature, in ms since the epoch. */
const signingTime = (text: string | undefined): number | undefined =>
  text !== undefined && SECONDS.test(text) ? Number(text) * 1000 : undefined

/** Parses an ISO time; without an offset it is UTC. */
function timeOf(text = ''): number | undefined {
  const form = ISO_TIME.exec(text)
  const at = form === null ? Number.NaN : Date.parse(form[1] === undefined ? `${text}Z` : text)
  return Number.isNaN(at) ? undefined : at
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The id of the event's object or user. */
function subjectOf(data: unknown): string | undefined {
  const { id, user } = (data ?? {}) as { readonly id?: string; readonly user?: { readonly id: string } }
  return id ?? user?.id
}

export class DeliveryHandler {
  readonly counters: DeliveryCounters = { pings: 0, events: 0, duplicates: 0, ignored: 0, refused: 0 }
  readonly #deps: DeliveryHandlerDeps
  readonly #isSigned = createVerifier()
  readonly #seen: ExpiringMap<true>
  /** Applications with at least one correctly signed delivery. */
  readonly #verified = new Set<string>()
  /** The last application with incorrectly signed deliveries only. */
  #unverified: string | undefined
  /** Clock difference of the last correctly signed delivery, in ms, if it is outside the replay window; else undefined. Positive: too old. */
  #offByMs: number | undefined

  constructor(deps: DeliveryHandlerDeps) {
    this.#deps = deps
    this.#seen = new ExpiringMap(deps.clock)
  }

  /** Why valid deliveries may be rejected, with advice, as a sentence; undefined while there is no sign of that. */
  get problem(): string | undefined {
    if (this.#offByMs !== undefined) {
      const seconds = Math.round(Math.abs(this.#offByMs) / 1000)
      return `A delivery was rejected because its signature is ${seconds} seconds ${this.#offByMs > 0 ? 'older' : 'newer'} than this machine's clock. Set the clock, and make sure that no relay delays deliveries.`
    }
    if (this.#unverified === undefined) return undefined
    return `No delivery for application ${this.#unverified} had a valid signature. Check the public key, and that the relay passes body and headers on unchanged.`
  }

  /**
   * Returns the HTTP status: 204 accepted, 400 unreadable, 401 invalid signature or outside the replay window. For interactions 202, because a game
   * responds by a request of its own, and 200 for a ping.
   */
  handle(delivery: Delivery): 200 | 202 | 204 | 400 | 401 {
    const { applicationId, timestamp, body } = delivery
    const key = this.#deps.publicKeyOf(applicationId)
    if (!this.#isSigned(key, delivery)) {
      if (key !== undefined && !this.#verified.has(applicationId)) this.#unverified = applicationId
      return this.#refuse('signature', body)
    }
    const signedAt = signingTime(timestamp)
    if (signedAt === undefined) return this.#refuse('timestamp', body)
    const age = this.#deps.clock.now() - signedAt
    this.#offByMs = Math.abs(age) > REPLAY_WINDOW_MS ? age : undefined
    this.#markVerified(applicationId)
    if (this.#offByMs !== undefined) return this.#refuse('age', body)
    if (delivery.kind === 'interactions') return this.#acceptInteraction(delivery)
    const parsed = parseEnvelope(parsedJson(body))
    if (!parsed.success || parsed.data.application_id !== applicationId) return this.#unreadable(applicationId)
    const { type, event } = parsed.data
    if (type === WEBHOOK_TYPES.ping) {
      this.counters.pings++
      return 204
    }
    // Unknown kinds are ignored. The platform disables a URL that rejects deliveries.
    if (type !== WEBHOOK_TYPES.event || event == null) return this.#ignore(applicationId, `kind ${type}`)
    return this.#accept(delivery, event, signedAt)
  }

  #markVerified(applicationId: string): void {
    if (this.#unverified === applicationId) this.#unverified = undefined
    if (this.#verified.size < VERIFIED_MAX) this.#verified.add(applicationId)
  }

  #refuse(why: 'signature' | 'timestamp' | 'age', body: Buffer): 401 {
    this.counters.refused++
    this.#deps.log.debug('webhook-refused', { why, bytes: body.length })
    return 401
  }

  #accept({ applicationId, body }: Delivery, { type, timestamp, data }: NonNullable<WebhookEnvelope['event']>, signedAt: number): 204 {
    if (!isWebhookEventType(type)) return this.#ignore(applicationId, type)
    const parsed = PARSERS.get(type)?.(data)
    if (parsed?.success !== true) return this.#ignore(applicationId, type)
    const subject = subjectOf(parsed.data)
    const words = timestamp === undefined || subject === undefined ? ['body', body.toString('base64')] : [timestamp, type, subject]
    const identity = [applicationId, ...words]
    if (this.#seen.get(identity) === true) {
      this.counters.duplicates++
      return 204
    }
    this.#seen.set(identity, true)
    this.counters.events++
    const happenedAt = timeOf(timestamp)
    // The age comes from two times of the sender's clock, which may differ from ours. The signature has a resolution of one second.
    const at = happenedAt === undefined ? undefined : this.#deps.clock.now() - Math.max(0, signedAt - happenedAt)
    // The parser for this type produced the data.
    const event = { type, applicationId, at, data: parsed.data } as WebhookEvent
    this.#deps.log.info('webhook-event', { application: applicationId, type })
    setImmediate(() => {
      this.#deps.onEvent(event).catch((err: unknown) => this.#deps.log.error('webhook-failed', { application: applicationId, type, err }))
    })
    return 204
  }

  #acceptInteraction({ applicationId, body }: Delivery): 200 | 202 | 400 {
    const content = parsedJson(body)
    const { id, type, application_id } = fieldsOf(content)
    if (application_id !== applicationId || idOf(id) === undefined) return this.#unreadable(applicationId)
    if (type === INTERACTION_TYPES.ping) {
      this.counters.pings++
      return 200
    }
    const parsed = parseInteraction(content)
    if (!parsed.success) return this.#unreadable(applicationId)
    const interaction = parsed.data
    const identity = [applicationId, 'interaction', interaction.id]
    if (this.#seen.get(identity) === true) this.counters.duplicates++
    else {
      this.#seen.set(identity, true)
      this.counters.events++
      setImmediate(() => this.#passOn(interaction))
    }
    return 202
  }

  #passOn(interaction: Interaction): void {
    const { log, onInteraction } = this.#deps
    const { application_id: application, type } = interaction
    try {
      log.info('webhook-interaction', { application, type, games: onInteraction(interaction) })
    } catch (err) {
      log.error('webhook-failed', { application, type, err })
    }
  }

  #ignore(applicationId: string, what: string): 204 {
    this.counters.ignored++
    this.#deps.log.debug('webhook-ignored', { application: applicationId, what: what.slice(0, LOGGED_TYPE_CHARACTERS) })
    return 204
  }

  #unreadable(applicationId: string): 400 {
    this.counters.ignored++
    this.#deps.log.warn('webhook-unreadable', { application: applicationId })
    return 400
  }
}
