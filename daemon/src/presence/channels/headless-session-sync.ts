/**
 * Creates, updates, refreshes and deletes the headless session of one user of an application, to show the desired presence. One request at
 * a time; of the changes during a request only the latest is sent.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { backoffMs } from '@sallyport/core/backoff'
import { ENDPOINTS, type HeadlessSession } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError, toWireError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { RequestFollower } from '../../platform/api/forwarder-port.ts'
import type { ApiClient } from '../../sessions/api-client.ts'
import type { Session } from '../../sessions/session.ts'
import type { PresenceOwner, Presence } from '../sink.ts'
import { headlessActivity } from './headless-activity.ts'

export interface HeadlessSyncDeps {
  readonly clock: Clock
  readonly log: Logger
  /** Sessions on which the owner is signed in and may write activities, the latest last. */
  readonly sessions: () => readonly Session[]
  /** Calls the platform as the game of a session would. */
  readonly api: Pick<ApiClient, 'asSession'>
}

/** The headless session at the platform. */
interface ActiveSession {
  readonly presence: Presence
  /** The session on whose behalf it was created. */
  readonly session: Session
  /** A copy of that session at that time. */
  readonly detached: Session
  /** Token for updates and deletion. */
  readonly token: Secret<string>
  /** Session id that other users join by. */
  readonly sessionId: string | undefined
}

interface Failure {
  readonly session: Session
  readonly reason: string
}

/** Backoff after a failure; it doubles with each further failure. */
const BACKOFF = { firstMs: 30_000, maxMs: 900_000 }

/** Whether the platform rejected the request. */
const isRefusal = (failure: unknown): boolean => {
  const status = failure instanceof BridgeError ? (failure.detail.http_status ?? 0) : 0
  return status >= 400 && status < 500 && status !== 429
}

export class HeadlessSessionSync {
  readonly #owner: PresenceOwner
  readonly #deps: HeadlessSyncDeps
  #desired: Presence | undefined
  #active: ActiveSession | undefined
  /** The headless session must be refreshed before it expires. */
  #isRefreshDue = false
  #failures = 0
  #failure: Failure | undefined
  #cancelTimer: () => void = () => {}
  #isWorking = false
  #work: Promise<void> = Promise.resolve()

  constructor(owner: PresenceOwner, deps: HeadlessSyncDeps) {
    this.#owner = owner
    this.#deps = deps
  }

  /** The session id that other users join by; undefined while the platform shows nothing joinable. */
  get joinSession(): string | undefined {
    return this.#active?.presence.stored.secrets?.join === undefined ? undefined : this.#active.sessionId
  }

  /** The reason why the platform does not show it, as a sentence. */
  get failure(): string | undefined {
    return this.#failure?.reason
  }

  get isFinished(): boolean {
    return this.#desired === undefined && this.#active === undefined && !this.#isWorking
  }

  /** Resolves when no request is pending. */
  get settled(): Promise<void> {
    return this.#work
  }

  show(presence: Presence | undefined): void {
    this.#desired = presence
    this.reconsider()
  }

  /** Called after a sign-in or sign-out. */
  reconsider(): void {
    const session = this.#desired && this.#sessionFor(this.#desired)
    // The backoff also applies to the next presence, but not to another session.
    if (session !== undefined && session === this.#failure?.session) return
    this.#resetBackoff()
    this.#proceed()
  }

  #proceed(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    this.#work = this.#reconcile()
  }

  /** Works towards the desired presence. Never rejects. */
  async #reconcile(): Promise<void> {
    for (;;) {
      const desired = this.#desired
      const session = desired && this.#sessionFor(desired)
      const active = this.#active
      if (desired === undefined || session === undefined) {
        if (active !== undefined) await this.#delete(active)
        else {
          this.#cancelTimer()
          break
        }
      } else if (active?.presence === desired && !this.#isRefreshDue) break
      // A failure is retried later, unless the presence was cleared meanwhile.
      else if (!(await this.#createOrUpdate(desired, session, active)) && this.#desired !== undefined) break
    }
    this.#isWorking = false
  }

  /** The session that set the presence if the owner is signed in on it, else the latest. */
  #sessionFor({ sessionId }: Presence): Session | undefined {
    const sessions = this.#deps.sessions()
    return sessions.find(({ connection }) => connection.id === sessionId) ?? sessions.at(-1)
  }

  /** False when it must be retried later. */
  async #createOrUpdate(presence: Presence, session: Session, active: ActiveSession | undefined): Promise<boolean> {
    const activity = headlessActivity(
      presence.stored,
      this.#owner.applicationId,
      session.signedIn?.applicationName ?? this.#owner.applicationId,
    )
    const detached = session.detached()
    let isReplaced = false
    const follower: RequestFollower = {
      // It may have waited for a token or the rate limits while the game set another.
      leaving: () => {
        isReplaced = this.#desired !== presence
        if (isReplaced) throw new BridgeError('TRANSACTION_ABORTED', 'The game has set another activity since.')
      },
      ended: () => {},
    }
    try {
      const { activities, token } = (await this.#deps.api.asSession(
        detached,
        ENDPOINTS.CREATE_HEADLESS_SESSION,
        { activities: [activity], token: active?.token.reveal() },
        follower,
      )) as HeadlessSession
      this.#active = { presence, session, detached, token: new Secret(token), sessionId: activities[0]?.session_id ?? undefined }
      this.#isRefreshDue = false
      this.#resetBackoff()
      this.#schedule(BUDGETS.headlessRefreshMs.value, () => {
        this.#isRefreshDue = true
      })
      return true
    } catch (failure) {
      if (isReplaced) return true
      if (active === undefined || !isRefusal(failure)) return this.#recordFailure(session, failure)
      // It may have expired, for example while the machine slept: a new one is created.
      this.#active = undefined
      return true
    }
  }

  /** Deletes the headless session. If this fails, it expires by itself. */
  async #delete(active: ActiveSession): Promise<void> {
    this.#cancelTimer()
    this.#active = undefined
    this.#isRefreshDue = false
    const { session, detached, token } = active
    // After a revocation there is no token to delete it with.
    if (session.signedIn === undefined) return
    const by = session.signedIn.userId === this.#owner.userId ? session.detached() : detached
    try {
      await this.#deps.api.asSession(by, ENDPOINTS.DELETE_HEADLESS_SESSION, { token: token.reveal() })
    } catch (failure) {
      this.#deps.log.info('headless-session-not-deleted', { application: this.#owner.applicationId, code: toWireError(failure).code })
    }
  }

  #recordFailure(session: Session, failure: unknown): false {
    const { code, message } = toWireError(failure)
    const known = failure instanceof BridgeError ? {} : { err: failure }
    this.#deps.log.warn('headless-session-failed', { application: this.#owner.applicationId, code, ...known })
    this.#failure = { session, reason: message }
    this.#schedule(backoffMs(++this.#failures, BACKOFF), () => {})
    return false
  }

  #resetBackoff(): void {
    this.#failures = 0
    this.#failure = undefined
  }

  #schedule(delayMs: number, onTimer: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => {
      onTimer()
      this.#proceed()
    })
  }
}
