/** What a delivery comes to: who sent it, whether it is new, what it says. The answer is known at once; what follows from it comes after. */
import type { KeyObject } from 'node:crypto'
import {
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
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import { Recent } from '../recent.ts'
import { createVerifier, type Signed } from './signature.ts'

export interface Delivery extends Signed {
  /** As the address names it. */
  readonly applicationId: string
}

/** An event whose sender is sure and whose data fits its type. */
export type WebhookEvent = {
  readonly [Type in WebhookEventType]: {
    readonly type: Type
    readonly applicationId: string
    /** When it happened, in ms since the epoch, by the platform's clock; undefined when it does not say. */
    readonly at: number | undefined
    readonly data: WebhookEventData<Type>
  }
}[WebhookEventType]

export interface InboxParts {
  readonly clock: Clock
  readonly log: Logger
  /** The key that an application's deliveries are signed with. */
  readonly keyOf: (applicationId: string) => KeyObject | undefined
  /** What follows from an event; runs after the delivery was answered. */
  readonly act: (event: WebhookEvent) => Promise<void>
}

/** Since the start. */
export interface InboxCounters {
  pings: number
  events: number
  duplicates: number
  ignored: number
  refused: number
}

/** The sender's clock and ours may differ by this much, either way. */
const REPLAY_WINDOW_MS = 5 * 60_000
const SECONDS = /^[0-9]{1,12}$/
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i
const SHOWN_TYPE = 64

const parseEnvelope = parserOf(WebhookEnvelope)
/** Parsers compile at their first use. */
const PARSERS = new Map<string, Parser<z.ZodType>>(
  Object.entries<z.ZodType>(WEBHOOK_EVENTS).map(([type, schema]) => [type, parserOf(schema)]),
)

/** A time without an offset is UTC. */
const timeOf = (text: string | undefined): number | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(OFFSET.test(text) ? text : `${text}Z`)
  return Number.isNaN(at) ? undefined : at
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The id of what the event is about: of a thing, or of a user. */
function subjectOf(data: unknown): string | undefined {
  const { id, user } = (data ?? {}) as { readonly id?: string; readonly user?: { readonly id: string } }
  return id ?? user?.id
}

export class Inbox {
  readonly counters: InboxCounters = { pings: 0, events: 0, duplicates: 0, ignored: 0, refused: 0 }
  readonly #parts: InboxParts
  readonly #isSigned = createVerifier()
  readonly #seen: Recent<true>

  constructor(parts: InboxParts) {
    this.#parts = parts
    this.#seen = new Recent(parts.clock)
  }

  /** The status that the sender is answered: 204 taken, 400 not to be read, 401 not from the platform, or from too long ago. */
  receive(delivery: Delivery): 204 | 400 | 401 {
    const { applicationId, timestamp, body } = delivery
    if (!this.#isSigned(this.#parts.keyOf(applicationId), delivery) || !this.#isRecent(timestamp)) {
      this.counters.refused++
      this.#parts.log.debug('webhook-refused', { bytes: body.length })
      return 401
    }
    const parsed = parseEnvelope(parsedJson(body))
    if (!parsed.success || parsed.data.application_id !== applicationId) return this.#unreadable(applicationId)
    const { type, event } = parsed.data
    if (type === WEBHOOK_TYPES.ping) {
      this.counters.pings++
      return 204
    }
    // What is not known yet is none of our business, and refusing it would only make the platform give up the address.
    if (type !== WEBHOOK_TYPES.event || event == null) return this.#ignore(applicationId, `kind ${type}`)
    return this.#take(applicationId, event, body)
  }

  #isRecent(timestamp: string | undefined): boolean {
    if (timestamp === undefined || !SECONDS.test(timestamp)) return false
    return Math.abs(this.#parts.clock.now() - Number(timestamp) * 1000) <= REPLAY_WINDOW_MS
  }

  #take(applicationId: string, { type, timestamp, data }: NonNullable<WebhookEnvelope['event']>, body: Buffer): 204 {
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
    this.#seen.keep(identity, true)
    this.counters.events++
    // The parser of this type made the data.
    const event = { type, applicationId, at: timeOf(timestamp), data: parsed.data } as WebhookEvent
    this.#parts.log.info('webhook-event', { application: applicationId, type })
    setImmediate(() => {
      this.#parts.act(event).catch((err: unknown) => this.#parts.log.error('webhook-failed', { application: applicationId, type, err }))
    })
    return 204
  }

  #ignore(applicationId: string, what: string): 204 {
    this.counters.ignored++
    this.#parts.log.debug('webhook-ignored', { application: applicationId, what: what.slice(0, SHOWN_TYPE) })
    return 204
  }

  #unreadable(applicationId: string): 400 {
    this.counters.ignored++
    this.#parts.log.warn('webhook-unreadable', { application: applicationId })
    return 400
  }
}
