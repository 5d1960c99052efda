/**
 * The relationships of a user, for games that subscribed before the user signed in. Libraries of the platform's older SDK subscribe and ask when
 * they connect, and never again. So each relationship is published to such a session once, as an event, after its sign-in.
 */
import { Canceller, type CancelSignal } from '@sallyport/core/cancel'
import type { Logger } from '@sallyport/core/logger'
import type { Relationship } from '@sallyport/protocol'
import type { Session } from '../../../sessions/session.ts'
import type { Publish } from '../../outgoing-event.ts'

/** The event that sessions without a contract may subscribe to before their sign-in. */
const AWAITED_EVENT = 'RELATIONSHIP_UPDATE'

interface AwaitedRelationshipsDeps {
  readonly log: Logger
  readonly publish: Publish
  /** Those of the user of a session, friends first. Undefined for a session that may open no connection. Rejects with BridgeError. */
  readonly read: (session: Session, stop: CancelSignal) => Promise<readonly Relationship[] | undefined>
}

/** No call waits for the answer, so none cancels it. */
const NEVER = new Canceller()

export class AwaitedRelationships {
  readonly #deps: AwaitedRelationshipsDeps
  readonly #sessions = new WeakSet<Session>()

  constructor(deps: AwaitedRelationshipsDeps) {
    this.#deps = deps
  }

  subscribed(session: Session, event: string): void {
    if (event === AWAITED_EVENT && session.signedIn === undefined) this.#sessions.add(session)
  }

  /** A turn later, so that the response of AUTHENTICATE is sent first. */
  signedIn(session: Session): void {
    if (this.#sessions.delete(session)) setImmediate(() => void this.#publishTo(session))
  }

  async #publishTo(session: Session): Promise<void> {
    const { log, publish, read } = this.#deps
    try {
      for (const data of (await read(session, NEVER)) ?? [])
        publish({ name: AWAITED_EVENT, args: {}, data, isRecipient: (one) => one === session, dedupeKey: undefined })
    } catch (err) {
      log.info('relationships-not-read', { session: session.connection.id, err })
    }
  }
}
