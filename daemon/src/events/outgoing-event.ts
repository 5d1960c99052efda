/** An event that a provider publishes to games. Several providers (gateway, webhook, desktop client) may publish the same event. */
import type { EventName } from '@sallyport/protocol'
import type { Session } from '../sessions/session.ts'

interface EventContent {
  readonly name: EventName
  /** Arguments of the subscriptions that it matches. */
  readonly args: object
  readonly data: unknown
  readonly isRecipient: (session: Session) => boolean
}

/** An event that several providers may publish. */
interface Deduplicated {
  /** Equal for the same event to the same user of an application (`dedupe-keys.ts`); undefined: every publication is delivered. */
  readonly dedupeKey: string | undefined
  /** The provider, or its connection. An update that one origin publishes twice happened twice. */
  readonly origin: string
}

export type OutgoingEvent = EventContent & (Deduplicated | { readonly dedupeKey: undefined })

/** Returns how many sessions received the event. */
export type Publish = (event: OutgoingEvent) => number
