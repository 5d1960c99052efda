/**
 * Sends the state of one application to a connected desktop client, in this order, and keeps it current. Anonymous state does not wait for
 * authentication. Temporary failures are retried.
 *
 *   AUTHORIZE_REQUEST ─▶ anonymous events ─▶ presence ─▶ AUTHENTICATE ─▶ events of users ─▶ voice settings
 */
import { COMMANDS, type CommandRow, ERRORS, satisfies } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { Presence } from '../../../presence/sink.ts'
import { needsUser } from './client-events.ts'
import type { ClientConnection } from '../../../platform/desktop/connection.ts'
import { Retry } from '../../../platform/desktop/retry.ts'
import { ActivitySync } from './activity-sync.ts'
import { Authentication } from './authentication.ts'
import { changesVoice, type VoiceArgs, type VoiceSettingsLock } from './voice-settings-lock.ts'
import type { ClientSubscription } from './client-subscriptions.ts'

export interface ClientSyncDeps {
  readonly applicationId: string
  readonly clock: Clock
  readonly log: Logger
  readonly voiceLock: VoiceSettingsLock
  /** The current token of the user of a session. Rejects with BridgeError. */
  readonly tokenOf: (session: Session) => Promise<Secret<string>>
  /** The newest signed-in session of the application with the scopes for this command. */
  readonly sessionFor: (applicationId: string, row: CommandRow) => Session | undefined
}

/** The state to send to the client. */
interface SyncState {
  readonly subscriptions: ReadonlyMap<string, ClientSubscription>
  readonly presence: Presence | undefined
}

const FIRST = 'AUTHORIZE_REQUEST'
/** For calls that no game waits for. */
const RESPONSE_TIMEOUT_MS = 10_000
const LOCAL: ReadonlySet<string> = new Set(['rpc.local'])

/** Whether the subscription can never succeed. */
const isPermanent = (failure: unknown): boolean =>
  failure instanceof BridgeError && (failure.error === 'INVALID_GUILD' || failure.error === 'INVALID_CHANNEL')

/** Whether a retry may succeed, because the client or the platform was slow or unavailable. */
const isTemporaryFailure = (failure: unknown): boolean => failure instanceof BridgeError && ERRORS[failure.error].retryable

export class ClientSync {
  readonly #connection: ClientConnection
  readonly #deps: ClientSyncDeps
  readonly #authentication: Authentication
  readonly #retry: Retry
  readonly #activity: ActivitySync
  /** Subscriptions sent to the client, with its response. */
  readonly #subscribed = new Map<string, { readonly subscription: ClientSubscription; readonly whenConfirmed: Promise<unknown> }>()
  /** Refused subscriptions, with the sign-in that was used; another sign-in is tried again. */
  readonly #refused = new Map<string, { readonly signedIn: object | undefined; readonly isTemporary: boolean }>()
  #subscriptions: ReadonlyMap<string, ClientSubscription> = new Map()
  #isVoicePending = true
  #work: Promise<void> = Promise.resolve()

  constructor(connection: ClientConnection, deps: ClientSyncDeps) {
    this.#connection = connection
    this.#deps = deps
    this.#authentication = new Authentication(connection)
    this.#retry = new Retry(deps.clock)
    this.#activity = new ActivitySync(connection, (failure) => this.#onRefused('SET_ACTIVITY', failure))
  }

  /** Whether the client accepts only presence. */
  get isPresenceOnly(): boolean {
    return this.#connection.isPresenceOnly
  }

  /** The user of the last token that the client accepted. */
  get authenticated(): string | undefined {
    return this.#authentication.userId
  }

  /** Sends the whole state. */
  restore({ subscriptions, presence }: SyncState): void {
    this.#subscriptions = subscriptions
    this.#syncAnonymous()
    this.#activity.show(presence)
    this.#syncForUsers()
  }

  /** Replaces the set of subscriptions. */
  setSubscriptions(subscriptions: ReadonlyMap<string, ClientSubscription>): void {
    this.#subscriptions = subscriptions
    this.#sync()
  }

  /** Resolves when the client has answered for this one, or will not; rejects when it says that there is no such thing to subscribe. */
  async whenConfirmed(key: string): Promise<void> {
    try {
      if (!this.#subscribed.has(key)) await this.#work
      // A client that accepts only presence does not respond. The subscription stays for a full client.
      if (!this.#connection.isPresenceOnly) await this.#subscribed.get(key)?.whenConfirmed
    } catch (failure) {
      if (isPermanent(failure)) throw failure
    }
  }

  show(presence: Presence | undefined): void {
    this.#activity.show(presence)
  }

  /** Forwards a call of a game. Rejects with the error of the client. */
  async call(session: Session, row: CommandRow, args: unknown, stop?: CancelSignal): Promise<unknown> {
    const { applicationId, voiceLock, tokenOf } = this.#deps
    const cmd = row.name
    const send = () => this.#connection.call(cmd, args, stop === undefined ? {} : { signal: stop })
    const { signedIn } = session
    const sendAsUser = async () =>
      signedIn === undefined || satisfies(row.requires, LOCAL) || this.#connection.isPresenceOnly
        ? send()
        : this.#authentication.runAs(await tokenOf(session), signedIn.userId, send, stop)
    if (!changesVoice(cmd)) return sendAsUser()
    return voiceLock.change(applicationId, cmd, args as VoiceArgs, async () => {
      // Otherwise the restored settings could arrive after this change and undo it.
      if (this.#isVoicePending) this.#sync()
      await this.#work
      return sendAsUser()
    })
  }

  /** Closes the connection to the client. */
  close(): void {
    this.#retry.stop()
    this.#connection.close()
  }

  // --- subscriptions ---------------------------------------------------------------------------------------------------------------

  #sync(): void {
    this.#syncAnonymous()
    this.#syncForUsers()
  }

  #syncAnonymous(): void {
    for (const [key, { subscription }] of this.#subscribed) if (!this.#subscriptions.has(key)) this.#unsubscribe(subscription)
    for (const key of this.#refused.keys()) if (!this.#subscriptions.has(key)) this.#refused.delete(key)
    const anonymous = this.#missing().filter(({ name }) => !needsUser(name))
    for (const subscription of anonymous) if (subscription.name === FIRST) this.#subscribe(subscription)
    for (const subscription of anonymous) if (subscription.name !== FIRST) this.#subscribe(subscription)
  }

  #syncForUsers(): void {
    this.#work = this.#work.then(() => this.#subscribeForUsers())
  }

  async #subscribeForUsers(): Promise<void> {
    // A client that accepts only presence gets no token.
    if (!this.#connection.isOpen || this.#connection.isPresenceOnly) return
    const missing = this.#missing().filter(({ name }) => needsUser(name))
    // One authentication serves all subscriptions of the same session.
    for (const session of new Set(missing.map((subscription) => subscription.onBehalfOf))) {
      if (session !== undefined)
        await this.#subscribeAs(
          session,
          missing.filter((subscription) => subscription.onBehalfOf === session),
        )
    }
    if (this.#isVoicePending) await this.#restoreVoice()
  }

  #missing(): ClientSubscription[] {
    return [...this.#subscriptions.values()].filter(
      (subscription) => !this.#subscribed.has(subscription.key) && !this.#isRefused(subscription),
    )
  }

  #isRefused({ key, onBehalfOf }: ClientSubscription): boolean {
    const refused = this.#refused.get(key)
    return refused !== undefined && refused.signedIn === onBehalfOf?.signedIn
  }

  async #subscribeAs(session: Session, subscriptions: readonly ClientSubscription[]): Promise<void> {
    const { signedIn } = session
    if (signedIn === undefined) return
    try {
      const token = await this.#deps.tokenOf(session)
      await this.#authentication.runAs(token, signedIn.userId, async () => {
        // Skips subscriptions that were removed or sent meanwhile.
        for (const subscription of subscriptions)
          if (this.#subscriptions.has(subscription.key) && !this.#subscribed.has(subscription.key)) this.#subscribe(subscription)
      })
    } catch (failure) {
      for (const { key } of subscriptions) this.#refused.set(key, { signedIn, isTemporary: isTemporaryFailure(failure) })
      this.#onRefused('AUTHENTICATE', failure)
    }
  }

  #subscribe(subscription: ClientSubscription): void {
    const { key, name, args } = subscription
    const whenConfirmed = this.#connection.call('SUBSCRIBE', args, { evt: name, timeoutMs: RESPONSE_TIMEOUT_MS })
    this.#subscribed.set(key, { subscription, whenConfirmed })
    whenConfirmed.catch((failure: unknown) => {
      if (!this.#connection.isOpen || this.#subscribed.get(key)?.whenConfirmed !== whenConfirmed) return
      this.#subscribed.delete(key)
      this.#refused.set(key, { signedIn: subscription.onBehalfOf?.signedIn, isTemporary: isTemporaryFailure(failure) })
      this.#onRefused(name, failure)
    })
  }

  #unsubscribe({ key, name, args }: ClientSubscription): void {
    this.#subscribed.delete(key)
    this.#connection
      .call('UNSUBSCRIBE', args, { evt: name, timeoutMs: RESPONSE_TIMEOUT_MS })
      .catch((failure: unknown) => this.#logRefused(name, failure))
  }

  /** Schedules a retry for a temporary failure. Returns whether it is temporary. */
  #onRefused(what: string, failure: unknown): boolean {
    this.#logRefused(what, failure)
    // A client that accepts only presence is not retried before its capability changes.
    if (this.#connection.isOpen && !this.#connection.isPresenceOnly && isTemporaryFailure(failure))
      this.#retry.afterRefusal(() => this.retryRefused())
    return isTemporaryFailure(failure)
  }

  /** Retries what failed temporarily. */
  retryRefused(): void {
    for (const [key, refused] of this.#refused) if (refused.isTemporary) this.#refused.delete(key)
    this.#syncAnonymous()
    this.#activity.resend()
    this.#syncForUsers()
  }

  #logRefused(what: string, failure: unknown): void {
    const { applicationId, log } = this.#deps
    const error = failure instanceof BridgeError ? failure.error : 'UNKNOWN_ERROR'
    if (this.#connection.isOpen) log.info('desktop-client-refused', { application: applicationId, what, error })
  }

  // --- voice --------------------------------------------------------------------------------------------------------------------

  async #restoreVoice(): Promise<void> {
    const { applicationId, voiceLock, sessionFor, tokenOf } = this.#deps
    this.#isVoicePending = false
    for (const { cmd, args } of voiceLock.replay(applicationId)) {
      const session = sessionFor(applicationId, COMMANDS[cmd as keyof typeof COMMANDS])
      if (session?.signedIn === undefined) {
        this.#isVoicePending = true
        continue
      }
      try {
        const token = await tokenOf(session)
        await this.#authentication.runAs(token, session.signedIn.userId, () =>
          this.#connection.call(cmd, args, { timeoutMs: RESPONSE_TIMEOUT_MS }),
        )
      } catch (failure) {
        this.#isVoicePending = this.#onRefused(cmd, failure) || this.#isVoicePending
      }
    }
  }
}
