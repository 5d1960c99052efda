/**
 * The connection of one application to the desktop client, across client restarts. It searches for a client when it is needed, waits for a
 * new socket without polling, and restores all state when a client is found.
 *
 *   idle ──needed──▶ searching ──found──▶ connected ──closed──▶ searching …
 *                        └──not found──▶ waiting (the system reports new sockets) ──▶ searching …
 *
 * A client that accepts only presence is used for presence, while the search for a full client goes on.
 */
import type { CommandRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller, type CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { Places, PlacesOf } from '../../../presence/places.ts'
import type { Presence } from '../../../presence/sink.ts'
import type { SocketEndpoint } from '../../../ipc/transport/dial.ts'
import type { ClientUsers } from './client-events.ts'
import type { ClientIdentity } from './client-roster.ts'
import { ClientSync, type ClientSyncDeps } from './client-sync.ts'
import type { ClientDiscovery } from '../../../platform/desktop/client-discovery.ts'
import type { DirectoryWatch } from '../../../platform/desktop/directory-watch.ts'
import { otherUserError } from './client-user-commands.ts'
import { Retry } from '../../../platform/desktop/retry.ts'
import type { Found, FoundClient, NotFound, Ready } from '../../../platform/desktop/connect-race.ts'
import type { ClientSubscription } from './client-subscriptions.ts'

interface ApplicationConnectionDeps extends ClientSyncDeps {
  readonly finder: Pick<ClientDiscovery, 'find' | 'waitMs' | 'recordCapability'>
  readonly watch: DirectoryWatch
  readonly onEvent: (name: string, data: unknown, users: ClientUsers) => void
  /** The client named its user. Returns the id; undefined when the value is not a user. */
  readonly onUser: (user: unknown) => string | undefined
  /** Whether the client can show presence of the application may have changed. */
  readonly onChange: () => void
  /** Another client is connected, or the same again. */
  readonly onConnected: () => void
  readonly placesOf: PlacesOf
  /** Which client it is, from what it said. */
  readonly identify: (endpoint: SocketEndpoint, user: unknown, ready: Ready) => ClientIdentity
}

/** After this time a connection counts as stable, and its loss resets the backoff. */
const STABLE_MS = 10_000
/** How long a restart of the client may take. */
const GRACE_MS = 3_000
/** How long a subscription waits for the search. */
const CONFIRM_TIMEOUT_MS = 1_000

interface ActiveClient {
  readonly sync: ClientSync
  readonly endpoint: SocketEndpoint
  readonly ready: Ready
  readonly since: number
}

/** Why a command is not possible; follows the command name. */
const UNAVAILABLE: Readonly<Record<NotFound, string>> = {
  'not-found': "needs the platform's own desktop client, and none runs here; start it and try again.",
  refused: "needs the platform's own desktop client, and none runs here; start it and try again.",
  timeout: "needs the platform's own desktop client, which does not complete the handshake; try again, and restart it if that lasts.",
  rejected: "needs the platform's own desktop client, which rejects this application; check its id.",
}

export class ApplicationConnection {
  readonly #deps: ApplicationConnectionDeps
  readonly #retry: Retry
  readonly #closed = new Canceller()
  #subscriptions: ReadonlyMap<string, ClientSubscription> = new Map()
  #isShowing = false
  #presence: Presence | undefined
  /** What the client shows: not a presence for which the user chose other places. */
  #sent: Presence | undefined
  #active: ActiveClient | undefined
  /** The user of the current client, or of the last one. */
  #user: string | undefined
  #identity: ClientIdentity | undefined
  #searching: Promise<void> | undefined
  #outcome: NotFound = 'not-found'
  /** A socket appeared during the search. */
  #socketAppeared = false
  /** The client closed a moment ago and may restart. */
  #inGracePeriod = false
  #cancelGracePeriod: () => void = () => {}
  #unwatch: (() => void) | undefined

  constructor(deps: ApplicationConnectionDeps) {
    this.#deps = deps
    this.#retry = new Retry(deps.clock)
  }

  get isConnected(): boolean {
    return this.#active !== undefined
  }

  /** Whether the client accepts only presence. */
  get isPresenceOnly(): boolean {
    return this.#active?.sync.isPresenceOnly === true
  }

  get endpoint(): SocketEndpoint | undefined {
    return this.#active?.endpoint
  }

  /** The connected client. */
  get identity(): ClientIdentity | undefined {
    return this.#active === undefined ? undefined : this.#identity
  }

  /** What the client shows now. */
  get shown(): Presence | undefined {
    return this.#active === undefined ? undefined : this.#sent
  }

  /** Resolves when no search goes on. Never rejects. */
  async searched(): Promise<void> {
    await this.#searching
  }

  get subscriptions(): ReadonlyMap<string, ClientSubscription> {
    return this.#subscriptions
  }

  /** Whether the application needs the client for something. */
  get isNeeded(): boolean {
    return this.#subscriptions.size > 0 || this.#isShowing || this.#deps.voiceLock.isHeldBy(this.#deps.applicationId)
  }

  /** Whether the client belongs to this user, as far as it names its user. A session without sign-in matches any client. */
  matchesUser(userId: string | undefined): boolean {
    return userId === undefined || this.#user === undefined || userId === this.#user
  }

  /**
   * Also true for a moment after the client closed, so that a restart does not move presence to another channel and back. A client that accepts
   * only presence belongs to no user, so the user it names is ignored. A client that the user chose shows presence of other users too.
   */
  canShow(userId: string | undefined, places?: Places): boolean {
    if (!this.isConnected && !this.#inGracePeriod) return false
    return places === undefined ? this.isPresenceOnly || this.matchesUser(userId) : places.includes(this.#identity?.id ?? '')
  }

  setSubscriptions(subscriptions: ReadonlyMap<string, ClientSubscription>): void {
    this.#subscriptions = subscriptions
    this.#active?.sync.setSubscriptions(subscriptions)
    this.#onDemandChange()
  }

  /** Adds a subscription whose game waits for the response. Rejects when the client does not know the guild or channel. */
  async confirm(subscription: ClientSubscription): Promise<void> {
    if (!this.#subscriptions.has(subscription.key))
      this.setSubscriptions(new Map([...this.#subscriptions, [subscription.key, subscription]]))
    await this.#waitAtMost(CONFIRM_TIMEOUT_MS, async () => {
      if (this.#active === undefined) await this.#searching
      await this.#active?.sync.whenConfirmed(subscription.key)
    })
  }

  /** Whether the application has presence, in any presence channel. */
  prepare(isShowing: boolean): void {
    this.#isShowing = isShowing
    this.#onDemandChange()
  }

  show(presence: Presence | undefined): void {
    this.#presence = presence
    this.#sent = this.#showable
    this.#active?.sync.show(this.#sent)
  }

  /** The user chose other places. */
  placesChanged(): void {
    if (this.#sent !== this.#showable) this.show(this.#presence)
  }

  /** Presence for another client, or of another user, moves to another channel. */
  get #showable(): Presence | undefined {
    const presence = this.#presence
    return presence !== undefined && this.canShow(presence.userId, this.#deps.placesOf(presence)) ? presence : undefined
  }

  /** Looks for a client unless one is connected. Never rejects. */
  async meet(): Promise<void> {
    if (this.#active === undefined) await this.#search()
    // A full client may have started; the next call uses it.
    else if (this.isPresenceOnly) void this.#search()
  }

  /** Rejects with the error of the client, with SERVICE_UNAVAILABLE when none runs. */
  async call(session: Session, row: CommandRow, args: unknown, stop?: CancelSignal): Promise<unknown> {
    await this.meet()
    if (this.#active === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', `${row.name} ${UNAVAILABLE[this.#outcome]}`)
    const refusal = this.matchesUser(session.signedIn?.userId) ? undefined : otherUserError(row.name)
    if (refusal !== undefined) throw refusal
    return this.#active.sync.call(session, row, args, stop)
  }

  /** The last session of the application closed. */
  close(): void {
    this.#stop()
    const { voiceLock, applicationId } = this.#deps
    voiceLock.release(applicationId)
    const client = this.#active
    this.#active = undefined
    client?.sync.close()
    this.#closed.cancel()
  }

  // --- search ------------------------------------------------------------------------------------------------------------------

  /** Whether a full client is connected. */
  get #isSettled(): boolean {
    return this.isConnected && !this.isPresenceOnly
  }

  #onDemandChange(): void {
    if (this.#isSettled) return
    if (!this.isNeeded) this.#stop()
    else if (this.#unwatch === undefined) void this.#search()
  }

  #stop(): void {
    this.#retry.reset()
    this.#stopWatching()
    this.#endGracePeriod()
  }

  #stopWatching(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  #endGracePeriod(): void {
    this.#cancelGracePeriod()
    this.#inGracePeriod = false
  }

  #search(): Promise<void> {
    this.#searching ??= this.#find().finally(() => {
      this.#searching = undefined
    })
    return this.#searching
  }

  async #find(): Promise<void> {
    const { finder, applicationId } = this.#deps
    let found: Found
    let waitMs: number
    do {
      this.#socketAppeared = false
      // Subscribed before each search, so that no socket is missed.
      if (this.isNeeded) this.#unwatch ??= this.#deps.watch.subscribe(() => this.#onSocketAppeared())
      // Before the search, because the wait may end while it goes on.
      waitMs = finder.waitMs(applicationId)
      found = await finder.find(applicationId, { skipPresenceOnly: this.isPresenceOnly, signal: this.#closed })
    } while (typeof found !== 'object' && !this.#closed.aborted && this.#shouldSearchAgain)
    if (typeof found !== 'object') this.#onNotFound(found, waitMs)
    else if (this.#closed.aborted || this.#isSettled) found.connection.close()
    else this.#activate(found)
  }

  /** A socket appeared during the search, or the client is needed only since then. */
  get #shouldSearchAgain(): boolean {
    return this.#socketAppeared || (this.isNeeded && this.#unwatch === undefined && !this.#isSettled)
  }

  #onSocketAppeared(): void {
    this.#socketAppeared = true
    this.#retry.reset()
    if (!this.#isSettled) void this.#search()
  }

  #onNotFound(outcome: NotFound, waitMs: number): void {
    this.#outcome = outcome
    if (this.#closed.aborted || !this.isNeeded || this.#isSettled) return
    this.#retry.after(outcome, this.#deps.watch.isWatching, waitMs, () => void this.#search())
  }

  // --- connected -----------------------------------------------------------------------------------------------------------------

  #activate({ connection, ready, endpoint }: FoundClient): void {
    const { applicationId, clock, log, onUser, identify } = this.#deps
    // The client closed the connection after the handshake.
    if (!connection.isOpen) return this.#onNotFound('timeout', Infinity)
    const sync = new ClientSync(connection, this.#deps)
    const client: ActiveClient = { sync, endpoint, ready, since: clock.elapsed() }
    connection.setListener({
      onEvent: (name, data) => this.#onEvent(client, name, data),
      onCapabilityChange: () => this.#onCapabilityChange(client),
      onClosed: (reason) => this.#onClosed(client, reason),
    })
    const user = onUser(ready['user'])
    const isKnown = (this.isConnected || this.#inGracePeriod) && user === this.#user
    const previous = this.#active
    this.#active = client
    this.#user = user
    this.#identity = identify(endpoint, ready['user'], ready)
    previous?.sync.close()
    if (!sync.isPresenceOnly) this.#settle()
    // A full client that is slower in the handshake is better.
    else if (this.isNeeded) this.#retry.afterRefusal(() => void this.#search())
    this.#endGracePeriod()
    log.info('desktop-client-connected', { application: applicationId, path: endpoint.path })
    this.#sent = this.#showable
    sync.restore({ subscriptions: this.#subscriptions, presence: this.#sent })
    if (!isKnown) this.#deps.onChange()
    this.#deps.onConnected()
  }

  #settle(): void {
    this.#stopWatching()
    this.#retry.stop()
  }

  #onEvent(client: ActiveClient, name: string, data: unknown): void {
    if (this.#active !== client) return
    if (name === 'CURRENT_USER_UPDATE') this.#setUser(client, data)
    this.#deps.onEvent(name, data, { user: this.#user, authenticated: client.sync.authenticated })
  }

  #setUser({ endpoint, ready }: ActiveClient, value: unknown): void {
    const user = this.#deps.onUser(value)
    if (user === undefined || user === this.#user) return
    this.#user = user
    this.#identity = this.#deps.identify(endpoint, value, ready)
    this.placesChanged()
    this.#deps.onChange()
    this.#deps.onConnected()
  }

  /** The client turned out to accept only presence, or to be full. */
  #onCapabilityChange(client: ActiveClient): void {
    const { isPresenceOnly } = client.sync
    this.#deps.finder.recordCapability(client.endpoint, isPresenceOnly)
    if (this.#active !== client) return
    this.#deps.log.info('desktop-client-capability', { application: this.#deps.applicationId, path: client.endpoint.path, isPresenceOnly })
    if (isPresenceOnly) void this.#search()
    else {
      this.#settle()
      client.sync.retryRefused()
    }
    this.#deps.onChange()
  }

  #onClosed(client: ActiveClient, reason: string): void {
    client.sync.close()
    if (this.#active !== client) return
    const { applicationId, clock, log, watch } = this.#deps
    log.info('desktop-client-lost', { application: applicationId, reason })
    if (clock.elapsed() - client.since >= STABLE_MS) this.#retry.reset()
    this.#active = undefined
    if (this.isNeeded) {
      this.#inGracePeriod = true
      this.#cancelGracePeriod = clock.after(GRACE_MS, () => {
        this.#inGracePeriod = false
        this.#deps.onChange()
      })
      this.#unwatch ??= watch.subscribe(() => this.#onSocketAppeared())
      this.#retry.afterLoss(() => void this.#search())
    } else this.#deps.onChange()
  }

  /** Waits for the work for at most `ms`. Rejects if the work rejects within that time. */
  async #waitAtMost(ms: number, work: () => Promise<void>): Promise<void> {
    let cancel = (): void => {}
    const late = new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(ms, resolve)
    })
    try {
      await Promise.race([work(), late])
    } finally {
      cancel()
    }
  }
}
