/** The desktop client as an event provider, as a target for commands, and as a presence channel. */
import {
  COMMANDS,
  type CommandRow,
  EVENTS,
  type EventName,
  type EventRow,
  type Requirement,
  type RpcUser,
  satisfies,
} from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import { Signal } from '@sallyport/core/signal'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { LifecycleEvents } from '../../../sessions/lifecycle.ts'
import type { SessionRegistry } from '../../../sessions/registry.ts'
import type { ChannelChange } from '../../../presence/channel.ts'
import type { Places, PlacesOf } from '../../../presence/places.ts'
import type { Presence, PresenceOwner } from '../../../presence/sink.ts'
import type { EventSelector, SubscriptionRegistry } from '../../subscription-registry.ts'
import type { Dialer, SocketEndpoint } from '../../../ipc/transport/dial.ts'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { EventProvider } from '../../provider.ts'
import type { Publish } from '../../outgoing-event.ts'
import type { Confirmation, EventRouting, Route } from '../../routing.ts'
import { ApplicationConnection } from './application-connection.ts'
import { type ClientUsers, isClientEvent, matchesSubscription, canReceive, dedupeKeyOf } from './client-events.ts'
import { type ClientIdentity, ClientRoster, identityOf } from './client-roster.ts'
import { clientUser } from './client-user.ts'
import { OtherClients } from './other-clients.ts'
import { type DesktopClient, noDesktopClient } from './desktop-client.ts'
import { ClientDiscovery } from '../../../platform/desktop/client-discovery.ts'
import type { Ready } from '../../../platform/desktop/connect-race.ts'
import { type DirectoryWatch, watchDirectories } from '../../../platform/desktop/directory-watch.ts'
import { type PackagedClient, socketCandidates, type SocketCandidatesOptions } from '../../../platform/desktop/socket-candidates.ts'
import { VoiceSettingsLock } from './voice-settings-lock.ts'
import { subscriptionsByApplication, clientSubscription } from './client-subscriptions.ts'

export interface DesktopClientDeps {
  readonly place: SocketCandidatesOptions
  readonly dialer: Dialer
  readonly clock: Clock
  readonly log: Logger
  readonly hub: Pick<SubscriptionRegistry<Session>, 'subscribersOf'>
  readonly registry: Pick<SessionRegistry, 'of' | 'signedIn'>
  readonly lifecycle: Pick<LifecycleEvents, 'on'>
  readonly publish: Publish
  readonly routing: EventRouting
  /** The current token of the user of a session. Rejects with BridgeError. */
  readonly tokenOf: (session: Session) => Promise<Secret<string>>
  /** The client named its user. Returns true when READY announces that user now. */
  readonly onUser: (user: RpcUser) => boolean
  readonly ownAddresses: () => readonly string[]
  readonly isClient: (client: PackagedClient, pid: number | undefined) => boolean
  /** The API endpoint in READY of a client of this platform: `//host/path`. */
  readonly apiEndpoint: string
  /** Where the user chose to show a presence. */
  readonly placesOf: PlacesOf
}

/** The connections of one application. */
interface Application {
  /** To the first client, for everything. */
  readonly main: ApplicationConnection
  /** To other clients, for presence. */
  readonly others: OtherClients
}

const clientRequirement = ({ requires, clientRequires = requires }: EventRow): Requirement => clientRequires

const UNAVAILABLE = "The platform's desktop client does not run, or belongs to another platform; features that need it are unavailable."
const PRESENCE_ONLY = "The program in place of the platform's desktop client accepts only presence."

export class DesktopClientProvider implements EventProvider, DesktopClient {
  readonly name = 'desktop-client'
  readonly routes: readonly Route[] = [
    {
      name: 'client',
      covers: ({ scopes }, event) => satisfies(clientRequirement(EVENTS[event as EventName]), scopes),
      serves: ({ applicationId, signedIn, scopes }, event) =>
        this.#executing(applicationId)?.matchesUser(signedIn?.userId) === true &&
        satisfies(clientRequirement(EVENTS[event as EventName]), scopes),
      confirm: (session, event) => this.#confirm(session, event),
    },
  ]
  readonly #deps: DesktopClientDeps
  readonly #finder: ClientDiscovery
  readonly #watch: DirectoryWatch
  readonly #voiceLock = new VoiceSettingsLock()
  readonly #applications = new Map<string, Application>()
  /** The clients that the bridge has met. */
  readonly clients: ClientRoster
  /** What the client can show of an application changed. */
  readonly changed = new Signal<ChannelChange>()
  #isRunning = false

  constructor(deps: DesktopClientDeps) {
    const candidates = socketCandidates(deps.place)
    this.#deps = deps
    this.#finder = new ClientDiscovery({ ...deps, candidates })
    this.#watch = watchDirectories(candidates)
    this.clients = new ClientRoster(deps.dialer, deps.clock)
  }

  // --- events ----------------------------------------------------------------------------------------------------------------------

  async start(): Promise<void> {
    this.#isRunning = true
    this.#deps.lifecycle.on('sessionChanged', ({ applicationId }) => this.#closeIfUnused(applicationId))
  }

  reconcile(selectors: readonly EventSelector[]): void {
    if (!this.#isRunning) return
    const { hub, routing } = this.#deps
    const byApplication = subscriptionsByApplication(
      selectors,
      (event) => hub.subscribersOf(event),
      (name, session) => routing.isAssigned('client', session, name),
    )
    for (const [applicationId, { main }] of this.#applications) if (!byApplication.has(applicationId)) main.setSubscriptions(new Map())
    for (const [applicationId, subscriptions] of byApplication) this.#open(applicationId)?.main.setSubscriptions(subscriptions)
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    for (const applicationId of [...this.#applications.keys()]) this.#close(applicationId)
  }

  health(): ProviderHealth {
    const connections = [...this.#applications.values()].map(({ main }) => main)
    if (connections.some((connection) => connection.isConnected))
      return connections.some((connection) => connection.isPresenceOnly) ? { state: 'active', reason: PRESENCE_ONLY } : { state: 'active' }
    return connections.some((connection) => connection.isNeeded) ? { state: 'unavailable', reason: UNAVAILABLE } : { state: 'idle' }
  }

  // --- commands --------------------------------------------------------------------------------------------------------------------

  async runs(applicationId: string): Promise<boolean> {
    await this.#open(applicationId)?.main.meet()
    return this.#executing(applicationId) !== undefined
  }

  isConnected({ applicationId, userId }: PresenceOwner): boolean {
    return this.#executing(applicationId)?.matchesUser(userId) === true
  }

  /** The connection to a client that executes commands. */
  #executing(applicationId: string): ApplicationConnection | undefined {
    const connection = this.#applications.get(applicationId)?.main
    return connection?.isConnected === true && !connection.isPresenceOnly ? connection : undefined
  }

  async call(session: Session, cmd: string, args: unknown, stop?: CancelSignal): Promise<unknown> {
    const application = this.#open(session.applicationId)
    if (application === undefined) return noDesktopClient.call(session, cmd, args)
    return application.main.call(session, COMMANDS[cmd as keyof typeof COMMANDS], args, stop)
  }

  // --- presence --------------------------------------------------------------------------------------------------------------------

  canShow({ applicationId, userId }: PresenceOwner, places?: Places): boolean {
    const { main, others } = this.#applications.get(applicationId) ?? {}
    return main?.canShow(userId, places) === true || (places !== undefined && others !== undefined && others.at(places).length > 0)
  }

  /** Whether a client among these places shows the owner under the owner's own name. */
  isOwn({ applicationId, userId }: PresenceOwner, places: Places): boolean {
    const { main, others } = this.#applications.get(applicationId) ?? {}
    if (userId === undefined || (main?.canShow(userId, places) === true && main.canShow(userId))) return true
    return others?.at(places ?? []).some((client) => client.userId === userId) === true
  }

  /** What the application shows in any presence channel; undefined: nothing. */
  prepare(applicationId: string, presence: Presence | undefined): void {
    const { main, others } = (presence === undefined ? this.#applications.get(applicationId) : this.#open(applicationId)) ?? {}
    main?.prepare(presence !== undefined)
    others?.prepare(presence)
  }

  show(applicationId: string, presence: Presence | undefined): void {
    const { main, others } = this.#applications.get(applicationId) ?? {}
    main?.show(presence)
    others?.show(presence)
  }

  /** The user chose other places. */
  placesChanged(applicationId: string): void {
    const { main, others } = this.#applications.get(applicationId) ?? {}
    main?.placesChanged()
    others?.refresh()
  }

  /** Ids of the clients that show the presence of an owner now. */
  shownOn({ applicationId, userId }: PresenceOwner): readonly string[] {
    const { main, others } = this.#applications.get(applicationId) ?? {}
    const isShown = main?.shown !== undefined && main.shown.userId === userId && main.identity !== undefined
    return [...(isShown ? [main.identity.id] : []), ...(others?.shownOn(userId) ?? [])]
  }

  // --- connections -----------------------------------------------------------------------------------------------------------------

  #hasSessions(applicationId: string): boolean {
    return this.#deps.registry.of(applicationId).length > 0
  }

  #identify(endpoint: SocketEndpoint, user: unknown, ready: Ready): ClientIdentity {
    const identity = identityOf(endpoint.path, user, ready, this.#deps.apiEndpoint)
    this.clients.record(endpoint, identity)
    return identity
  }

  /** Undefined for an application without sessions. */
  #open(applicationId: string): Application | undefined {
    const known = this.#applications.get(applicationId)
    if (known !== undefined || !this.#isRunning || !this.#hasSessions(applicationId)) return known
    const { clock, log, tokenOf, onUser, placesOf } = this.#deps
    const shared = {
      applicationId,
      clock,
      log,
      placesOf,
      finder: this.#finder,
      watch: this.#watch,
      identify: (endpoint: SocketEndpoint, user: unknown, ready: Ready) => this.#identify(endpoint, user, ready),
      onChange: () => this.changed.emit({ applicationId }),
    }
    // A user that READY announces is published together with READY.
    let isAnnounced = false
    const main = new ApplicationConnection({
      ...shared,
      tokenOf,
      voiceLock: this.#voiceLock,
      sessionFor: (id, row) => this.#sessionFor(id, row),
      onEvent: (name, data, users) => {
        if (name !== 'CURRENT_USER_UPDATE' || !isAnnounced) this.#onEvent(applicationId, main, name, data, users)
      },
      onUser: (value) => {
        const user = clientUser(value)
        if (user !== undefined) isAnnounced = onUser(user)
        return user?.id
      },
      onConnected: () => others.refresh(),
    })
    const others = new OtherClients({ ...shared, main, known: (endpoint) => this.clients.at(endpoint) })
    const application = { main, others }
    this.#applications.set(applicationId, application)
    return application
  }

  #close(applicationId: string): void {
    const application = this.#applications.get(applicationId)
    this.#applications.delete(applicationId)
    application?.main.close()
    application?.others.close()
  }

  #closeIfUnused(applicationId: string): void {
    if (!this.#applications.has(applicationId) || this.#hasSessions(applicationId)) return
    this.#close(applicationId)
    this.#deps.log.info('desktop-client-disconnected', { application: applicationId })
  }

  #confirm(session: Session, { name, args }: EventSelector): Promise<Confirmation> | undefined {
    if (!isClientEvent(name)) return undefined
    const confirmed = this.#open(session.applicationId)?.main.confirm(clientSubscription(name, args, session))
    return confirmed?.then(() => 'confirmed')
  }

  #sessionFor(applicationId: string, { requires }: CommandRow): Session | undefined {
    return this.#deps.registry.signedIn(applicationId).findLast(({ scopes }) => satisfies(requires, scopes))
  }

  /** Each session receives the event once, even if it matches several of its subscriptions. */
  #onEvent(applicationId: string, connection: ApplicationConnection, name: string, data: unknown, users: ClientUsers): void {
    if (!isClientEvent(name)) return
    const userId = users.authenticated ?? users.user
    const dedupeKey = dedupeKeyOf(name, userId === undefined ? undefined : { applicationId, userId }, data)
    const recipients = new Set<Session>()
    const isRecipient = (session: Session): boolean => {
      if (session.applicationId !== applicationId || recipients.has(session)) return false
      if (!canReceive(name, session, users) || !this.#deps.routing.isAssigned('client', session, name)) return false
      recipients.add(session)
      return true
    }
    for (const subscription of connection.subscriptions.values()) {
      if (subscription.name === name && matchesSubscription(subscription.args, data))
        this.#deps.publish({ name, args: subscription.args, data, isRecipient, dedupeKey, origin: this.name })
    }
  }
}
