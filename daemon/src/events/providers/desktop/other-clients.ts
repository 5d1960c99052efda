/**
 * Connections of one application to desktop clients besides the first: they show the presence that the user chose for them, and nothing else. A client
 * that the user did not choose is met once, so that it can be chosen, and let go. One that is not chosen any more keeps its connection, without
 * presence, because a client allows an application few connections.
 */
import { Canceller } from '@sallyport/core/cancel'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { ERRORS } from '@sallyport/protocol'
import type { SocketEndpoint } from '../../../ipc/transport/dial.ts'
import type { ClientDiscovery } from '../../../platform/desktop/client-discovery.ts'
import type { FoundClient, NotFound, Ready } from '../../../platform/desktop/connect-race.ts'
import type { ClientConnection } from '../../../platform/desktop/connection.ts'
import type { DirectoryWatch } from '../../../platform/desktop/directory-watch.ts'
import { Retry } from '../../../platform/desktop/retry.ts'
import { ACCOUNT, type PlacesOf, WEB } from '../../../presence/places.ts'
import type { Presence } from '../../../presence/sink.ts'
import { ActivitySync } from './activity-sync.ts'
import type { ClientIdentity } from './client-roster.ts'

/** The first client of the application. */
interface MainClient {
  readonly isConnected: boolean
  readonly endpoint: SocketEndpoint | undefined
  readonly identity: ClientIdentity | undefined
  /** Resolves when no search goes on. */
  searched(): Promise<void>
}

interface OtherClientsDeps {
  readonly applicationId: string
  readonly clock: Clock
  readonly log: Logger
  readonly finder: Pick<ClientDiscovery, 'findOthers' | 'waitMs'>
  readonly watch: DirectoryWatch
  readonly main: MainClient
  readonly placesOf: PlacesOf
  /** Which client it is, from what it said. */
  readonly identify: (endpoint: SocketEndpoint, user: unknown, ready: Ready) => ClientIdentity
  /** Which client is at a socket, if the bridge has met it. */
  readonly known: (endpoint: SocketEndpoint) => ClientIdentity | undefined
  /** Which clients can show presence has changed. */
  readonly onChange: () => void
}

interface OtherClient {
  readonly connection: ClientConnection
  readonly endpoint: SocketEndpoint
  readonly activity: ActivitySync
  readonly retry: Retry
  identity: ClientIdentity
  shown: Presence | undefined
}

const isTemporary = (failure: unknown): boolean => failure instanceof BridgeError && ERRORS[failure.error].retryable

export class OtherClients {
  readonly #deps: OtherClientsDeps
  readonly #retry: Retry
  readonly #closed = new Canceller()
  readonly #clients = new Set<OtherClient>()
  /** What the application shows in any channel. */
  #wanted: Presence | undefined
  /** What it shows in desktop clients. */
  #presence: Presence | undefined
  #isSearching = false
  #mustSearchAgain = false
  #unwatch: (() => void) | undefined

  constructor(deps: OtherClientsDeps) {
    this.#deps = deps
    this.#retry = new Retry(deps.clock)
  }

  /** What the application shows in any channel; undefined: nothing. */
  prepare(presence: Presence | undefined): void {
    const isNew =
      this.#wanted === undefined || presence === undefined || this.#deps.placesOf(presence) !== this.#deps.placesOf(this.#wanted)
    this.#wanted = presence
    if (isNew) this.refresh()
  }

  show(presence: Presence | undefined): void {
    this.#presence = presence
    for (const client of this.#clients) this.#send(client)
  }

  /** The first client, or what the user chose, may have changed. */
  refresh(): void {
    for (const client of this.#clients) {
      if (this.#isMain(client)) this.#drop(client)
      else this.#send(client)
    }
    if (this.#wanted === undefined) this.#rest()
    else void this.#search()
  }

  /** Clients among these places that can show presence now. */
  at(places: readonly string[]): readonly ClientIdentity[] {
    return [...this.#clients].map(({ identity }) => identity).filter(({ id }) => places.includes(id))
  }

  /** Ids of the clients that show the presence of a user now. */
  shownOn(userId: string | undefined): readonly string[] {
    return [...this.#clients].filter(({ shown }) => shown !== undefined && shown.userId === userId).map(({ identity }) => identity.id)
  }

  /** The last session of the application closed. */
  close(): void {
    this.#wanted = undefined
    this.#rest()
    this.#closed.cancel()
    for (const client of this.#clients) this.#drop(client)
  }

  #isChosen({ id }: ClientIdentity): boolean {
    const places = this.#wanted && this.#deps.placesOf(this.#wanted)
    return places?.includes(id) === true
  }

  #isMain({ endpoint, identity }: Pick<OtherClient, 'endpoint' | 'identity'>): boolean {
    const { main } = this.#deps
    return main.endpoint?.path === endpoint.path || main.identity?.id === identity.id
  }

  /** Whether a chosen client is not connected. */
  get #isMissing(): boolean {
    const places = (this.#wanted && this.#deps.placesOf(this.#wanted)) ?? []
    const main = this.#deps.main.identity?.id
    return places.some((place) => place !== ACCOUNT && place !== WEB && place !== main && this.at([place]).length === 0)
  }

  // --- search ------------------------------------------------------------------------------------------------------------------

  /** While nothing is shown, it neither looks nor waits; what is connected stays for the next presence. */
  #rest(): void {
    this.#retry.reset()
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  async #search(): Promise<void> {
    this.#mustSearchAgain = true
    if (this.#isSearching) return
    this.#isSearching = true
    const { finder, applicationId, watch } = this.#deps
    let outcome: NotFound = 'not-found'
    let waitMs = Infinity
    while (this.#mustSearchAgain && this.#wanted !== undefined && !this.#closed.aborted) {
      this.#mustSearchAgain = false
      this.#unwatch ??= watch.subscribe(() => {
        this.#retry.reset()
        void this.#search()
      })
      await this.#deps.main.searched()
      // The first search finds whichever runs.
      if (!this.#deps.main.isConnected) continue
      // Before the search, because the wait may end while it goes on.
      waitMs = finder.waitMs(applicationId)
      outcome = await this.#findOnce()
    }
    this.#isSearching = false
    const { isWatching } = watch
    const mayAppear = this.#isMissing || (outcome === 'refused' && isWatching)
    if (this.#wanted !== undefined && mayAppear) this.#retry.after(outcome, isWatching, waitMs, () => void this.#search())
  }

  #findOnce(): Promise<NotFound> {
    const { finder, applicationId } = this.#deps
    return finder.findOthers(
      applicationId,
      (endpoint) => this.#isSkipped(endpoint),
      (found) => this.#onFound(found),
      this.#closed,
    )
  }

  #isSkipped(endpoint: SocketEndpoint): boolean {
    const { main, known } = this.#deps
    const isConnected = [main, ...this.#clients].some((one) => one.endpoint?.path === endpoint.path)
    const identity = known(endpoint)
    return isConnected || (identity !== undefined && !this.#isChosen(identity))
  }

  #onFound({ connection, endpoint, ready }: FoundClient): void {
    const { identify, applicationId, log, clock, onChange } = this.#deps
    const identity = identify(endpoint, ready['user'], ready)
    const isTwice = this.#isMain({ endpoint, identity }) || this.at([identity.id]).length > 0
    if (!connection.isOpen || isTwice || !this.#isChosen(identity)) return connection.close()
    const retry = new Retry(clock)
    const activity = new ActivitySync(connection, (failure) => {
      if (connection.isOpen && isTemporary(failure)) retry.afterRefusal(() => activity.resend())
      return isTemporary(failure)
    })
    const client: OtherClient = { connection, endpoint, activity, retry, identity, shown: undefined }
    this.#clients.add(client)
    connection.setListener({
      onEvent: (name, data) => {
        if (name === 'CURRENT_USER_UPDATE') this.#onUser(client, identify(endpoint, data, ready))
      },
      onCapabilityChange() {},
      onClosed: () => this.#onClosed(client),
    })
    log.info('desktop-client-connected', { application: applicationId, path: endpoint.path })
    if (this.#presence === undefined) onChange()
    else this.#send(client)
  }

  // --- connected ---------------------------------------------------------------------------------------------------------------

  #send(client: OtherClient): void {
    const next = this.#isChosen(client.identity) ? this.#presence : undefined
    if (client.shown === next) return
    client.shown = next
    client.activity.show(next)
  }

  #onUser(client: OtherClient, identity: ClientIdentity): void {
    client.identity = identity
    this.refresh()
    this.#deps.onChange()
  }

  #onClosed(client: OtherClient): void {
    if (!this.#clients.delete(client)) return
    client.retry.stop()
    this.#deps.log.info('desktop-client-lost', { application: this.#deps.applicationId, reason: 'It closed the connection.' })
    this.#deps.onChange()
    if (this.#wanted !== undefined) this.#retry.afterLoss(() => void this.#search())
  }

  /** A client shows nothing of an application that has left it. */
  #drop(client: OtherClient): void {
    this.#clients.delete(client)
    client.retry.stop()
    if (client.shown !== undefined) client.activity.show(undefined)
    client.connection.close()
  }
}
