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
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { Recent } from '@sallyport/core/expiring-map'
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
    /** When it happened, in ms since the epoch by our clock; undefined when it does not say. */
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
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/i
const SHOWN_TYPE = 64
/** Applications whose keys are known to be right. */
const PROVEN_MAX = 1_000

const parseEnvelope = parserOf(WebhookEnvelope)
/** Parsers compile at their first use. */
const PARSERS = new Map<string, Parser<z.ZodType>>(
  Object.entries<z.ZodType>(WEBHOOK_EVENTS).map(([type, schema]) => [type, parserOf(schema)]),
)

/** What deliveries are signed with, in ms since the epoch. */
const signingTime = (text: string | undefined): number | undefined =>
  text !== undefined && SECONDS.test(text) ? Number(text) * 1000 : undefined

/** A time without an offset is UTC. */
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
  /** Applications of which something was rightly signed. */
  readonly #proven = new Set<string>()
  /** The last one of which only other things came. */
  #unproven: string | undefined
  /** How old the last rightly signed delivery was, when that was too old, or by how much it came before its time; else undefined. */
  #offByMs: number | undefined

  constructor(parts: InboxParts) {
    this.#parts = parts
    this.#seen = new Recent(parts.clock)
  }

  /** Why deliveries that should be taken may be refused, and what to do, as a sentence; undefined while nothing says that they are. */
  get trouble(): string | undefined {
    if (this.#offByMs !== undefined) {
      const seconds = Math.round(Math.abs(this.#offByMs) / 1000)
      return `A delivery was refused since it was signed ${seconds} seconds ${this.#offByMs > 0 ? 'before' : 'after'} this machine's time: set its clock, and let no relay keep deliveries.`
    }
    if (this.#unproven === undefined) return undefined
    return `Nothing that came for application ${this.#unproven} was signed with its public key: check the key, and that what leads here passes body and headers on untouched.`
  }

  /** The status that the sender is answered: 204 taken, 400 not to be read, 401 not from the platform, or from too long ago. */
  receive(delivery: Delivery): 204 | 400 | 401 {
    const { applicationId, timestamp, body } = delivery
    const key = this.#parts.keyOf(applicationId)
    if (!this.#isSigned(key, delivery)) {
      if (key !== undefined && !this.#proven.has(applicationId)) this.#unproven = applicationId
      return this.#refuse('signature', body)
    }
    const signedAt = signingTime(timestamp)
    if (signedAt === undefined) return this.#refuse('timestamp', body)
    const age = this.#parts.clock.now() - signedAt
    this.#offByMs = Math.abs(age) > REPLAY_WINDOW_MS ? age : undefined
    this.#prove(applicationId)
    if (this.#offByMs !== undefined) return this.#refuse('age', body)
    const parsed = parseEnvelope(parsedJson(body))
    if (!parsed.success || parsed.data.application_id !== applicationId) return this.#unreadable(applicationId)
    const { type, event } = parsed.data
    if (type === WEBHOOK_TYPES.ping) {
      this.counters.pings++
      return 204
    }
    // What is not known yet is none of our business, and refusing it would only make the platform give up the address.
    if (type !== WEBHOOK_TYPES.event || event == null) return this.#ignore(applicationId, `kind ${type}`)
    return this.#take(delivery, event, signedAt)
  }

  #prove(applicationId: string): void {
    if (this.#unproven === applicationId) this.#unproven = undefined
    if (this.#proven.size < PROVEN_MAX) this.#proven.add(applicationId)
  }

  #refuse(why: 'signature' | 'timestamp' | 'age', body: Buffer): 401 {
    this.counters.refused++
    this.#parts.log.debug('webhook-refused', { why, bytes: body.length })
    return 401
  }

  #take({ applicationId, body }: Delivery, { type, timestamp, data }: NonNullable<WebhookEnvelope['event']>, signedAt: number): 204 {
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
    const happenedAt = timeOf(timestamp)
    // How old it is both times say by the sender's clock, which may differ from ours; it is signed to the second.
    const at = happenedAt === undefined ? undefined : this.#parts.clock.now() - Math.max(0, signedAt - happenedAt)
    // The parser of this type made the data.
    const event = { type, applicationId, at, data: parsed.data } as WebhookEvent
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
