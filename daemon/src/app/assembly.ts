/**
 * Joins the parts of the daemon between the outside world and the connections of games. Each line needs only the lines above it. The
 * daemon and the tests use the same assembly: tests pass ports of their own.
 */
import type { RpcUser } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { requestAccountLink } from '../events/account-link.ts'
import { revokeGrant } from '../sessions/grant-revocation.ts'
import { bridgeOverview } from './overview.ts'
import type { ScheduleEndOfTurn } from '@sallyport/core/end-of-turn-queue'
import type { Logger } from '@sallyport/core/logger'
import type { Quiet } from '@sallyport/core/quiet'
import type { PlatformProfile } from '@sallyport/core/profile'
import { ChunkedUploads } from '../platform/api/chunked-uploads.ts'
import type { Accounting } from '../accounting/accounting.ts'
import { UnverifiedRequests } from '../accounting/unverified-requests.ts'
import { Accounts } from '../auth/accounts/accounts.ts'
import type { Authorizer, TokenEndpoint, TokenStore } from '../auth/auth.ts'
import { Credentials } from '../auth/credentials.ts'
import type { Consent, ConsentPrompts } from '../auth/consent/consent-prompts.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { createDeviceSignIns } from '../auth/oauth/device-sign-ins.ts'
import type { BotTokens } from '../auth/tokens/bot-tokens.ts'
import { EventProviders } from '../events/providers.ts'
import { GuildStatusPoll } from '../events/providers/poll/guild-status-poll.ts'
import { createPublisher } from '../events/publisher.ts'
import { EventRouting } from '../events/routing.ts'
import { SubscriptionRegistry } from '../events/subscription-registry.ts'
import type { ProgramContents } from '../identity/content.ts'
import { json } from '../ipc/codec/json.ts'
import { msgpackCodec } from '../ipc/codec/msgpack.ts'
import type { MessageHistory } from '../events/messages/history.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'
import type { Warnings } from '../platform/api/warnings.ts'
import type { PresenceSink } from '../presence/sink.ts'
import { createDefaultHandlers, createHandlers, type HandlerDeps } from '../rpc/handlers/index.ts'
import type { Operations } from '../rpc/handlers/operation.ts'
import { BridgeWatch } from '../rpc/bridge-watch.ts'
import { FrameInspector } from '../rpc/frame-inspector.ts'
import { Router } from '../rpc/router.ts'
import { RpcServer } from '../rpc/server.ts'
import { ApiClient } from '../sessions/api-client.ts'
import { BotConsent } from '../sessions/bot-consent.ts'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import { LOCAL_USER_EVENT, LocalUser } from '../sessions/local-user.ts'
import { Participants } from '../sessions/participants.ts'
import { SessionRegistry } from '../sessions/registry.ts'
import type { Session } from '../sessions/session.ts'
import { accountDeps, handleRejectedToken } from '../sessions/revocation.ts'
import { GameInvites } from '../social/game-invites.ts'
import { joinSecretFetcher } from '../social/join-secrets.ts'
import { joinableActivityOf } from '../social/joinable.ts'
import type { GameLauncher } from '../social/launch/launcher.ts'
import { playStateOf } from '../social/play-state.ts'
import type { ClientParts, Clients } from './client-parts.ts'
import { removedConnections } from './platform.ts'
import { openPresence } from './presence.ts'
import type { StatusParts } from './status.ts'

/** What lies outside the assembly: the system, the platform, stored data, the user. */
export interface Outside {
  readonly clock: Clock
  readonly log: Logger
  /** A number from 0 to 1. */
  readonly random: () => number
  /** The system user whose processes are served; undefined where the system has none. */
  readonly uid: number | undefined
  readonly scheduleEndOfTurn: ScheduleEndOfTurn
  readonly version: string
  readonly quiet: Pick<Quiet, 'start' | 'touch'>
  readonly profile: Pick<PlatformProfile, 'name' | 'activityProxyHost' | 'baseUrl' | 'cdnHost' | 'removedConnections'>
  /** The user whom READY names before a sign-in. */
  readonly user: RpcUser
  readonly lifecycle: LifecycleEvents
  readonly accounting: Accounting
  /** For files that games send in chunks; made at the first of them. */
  readonly uploadFolder: string
  readonly forwarder: Forwarder
  readonly prepareHttp: () => void
  readonly tokenEndpoint: TokenEndpoint
  readonly tokenStore: TokenStore
  readonly botTokens: BotTokens
  readonly grants: Grants
  readonly history: MessageHistory
  readonly contents: ProgramContents
  readonly consent: Consent
  readonly authorizer: Authorizer
  readonly launcher: Pick<GameLauncher, 'launch' | 'register'>
  readonly redeemOperatorProof: (proof: string) => boolean
  /** Open prompts, which operators see and answer. */
  readonly prompts: Pick<ConsentPrompts, 'pending' | 'answer' | 'onChange'>
  /** Whether the user has paused presence, and what remembers it. */
  readonly presencePause: { readonly isPaused: boolean; readonly remember: (isPaused: boolean) => void }
  readonly warnings: Pick<Warnings, 'current'>
  /** An operator ends the bridge. */
  readonly requestStop: () => void
  /** Receivers of presence besides the platform, for example web pages. */
  readonly presenceSinks: readonly PresenceSink[]
  /** Opens the gateway, the desktop client and webhooks. */
  readonly openClients: (parts: ClientParts) => Clients
  readonly openStatus: (parts: StatusParts) => HandlerDeps['status']
}

/** `//host/path` of the API without scheme and version, as READY gives it. */
const schemeless = (baseUrl: string): string => baseUrl.replace(/^https?:/, '').replace(/\/v\d+$/, '')

/** The platform serves images by the same scheme as the API: https, except for a sandbox. */
const imageOriginOf = ({ baseUrl, cdnHost }: Outside['profile']): string => `${new URL(baseUrl).protocol}//${cdnHost}`

export function assemble(outside: Outside) {
  const { clock, log, random, uid, profile, lifecycle, accounting, tokenStore, tokenEndpoint, botTokens, grants, history, forwarder } =
    outside
  const registry = new SessionRegistry(lifecycle)
  const hub = new SubscriptionRegistry<Session>()
  const localUser = new LocalUser(outside.user, (user) => hub.publish({ name: LOCAL_USER_EVENT, args: {} }, user))
  const participants = new Participants({
    registry,
    lifecycle,
    onChange: (applicationId, all) =>
      hub.publish(
        { name: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', args: {} },
        { participants: all },
        (session) => session.applicationId === applicationId,
      ),
  })

  const accounts = new Accounts(accountDeps({ registry, tokenStore, lifecycle, log }), log.child({ part: 'accounts' }))
  const inBackground = (work: Promise<unknown>) => void work.catch((err: unknown) => log.error('revocation-failed', { err }))
  lifecycle.on('accountEnded', ({ applicationId, userId }) => tokenStore.deleteAccount(applicationId, userId))
  lifecycle.on('accountEnded', ({ applicationId, userId }) => history.deleteAccount(applicationId, userId))
  lifecycle.on('tokensDeleted', ({ applicationId, userId }) => grants.deleteAccount(applicationId, userId))
  lifecycle.on('tokensEnded', ({ applicationId, userId, cause }) => inBackground(accounts.apply(applicationId, userId, cause)))
  lifecycle.on('tokenRejected', ({ applicationId, userId, token }) =>
    inBackground(handleRejectedToken({ registry, tokenStore, accounts, log }, applicationId, userId, token)),
  )

  const credentials = new Credentials({ tokenStore, botTokens, log })
  const rejectedRequests = accounting.window('refusedRequests')
  const uploads = new ChunkedUploads({ folder: outside.uploadFolder, clock })
  lifecycle.on('sessionChanged', (session) => {
    if (registry.find(session.connection.id) !== session) uploads.endConnection(session.connection.id)
  })
  const botConsent = new BotConsent({ grants, contents: outside.contents, consentPrompts: outside.consent, clock })
  const api = new ApiClient({
    clock,
    log,
    credentials,
    botConsent,
    forwarder,
    rejectedRequests,
    grants,
    removedConnections: removedConnections(profile),
    uploads,
  })

  const publish = createPublisher({ hub, clock })
  const routing = new EventRouting()
  const imageOrigin = imageOriginOf(profile)
  const clients = outside.openClients({
    hub,
    registry,
    lifecycle,
    routing,
    publish,
    credentials,
    api,
    accounts,
    grants,
    history,
    forwarder,
    localUser,
    imageOrigin,
  })
  const poll = new GuildStatusPoll({ hub, clock, log: log.child({ part: 'guild-status-poll' }), random, imageOrigin, routing, api })

  const watch: BridgeWatch = new BridgeWatch(clock, () => bridgeOverview(overviewParts))
  const onChange = () => watch.changed()
  lifecycle.on('sessionChanged', onChange)
  lifecycle.on('tokensDeleted', onChange)
  hub.onSubscriber(onChange)
  outside.prompts.onChange(onChange)
  const presence = openPresence({
    clock,
    log,
    registry,
    lifecycle,
    api,
    sinks: outside.presenceSinks,
    channels: clients.channels,
    isPaused: outside.presencePause.isPaused,
    onChange,
  })
  const overviewParts = {
    version: outside.version,
    platform: profile.name,
    registry,
    hub,
    arbiter: presence.arbiter,
    userOf: (sessionId: number) => presence.owners.of(sessionId),
    grants,
    prompts: outside.prompts,
    warnings: outside.warnings,
  }
  const revocation = { clock, log, lifecycle, registry, tokenStore, grants, accounts, tokenEndpoint }
  const operations: Operations = {
    answer: (id, isAllowed) => outside.prompts.answer(id, isAllowed),
    async revoke(id) {
      const isRevoked = await revokeGrant(id, revocation)
      onChange()
      return isRevoked
    },
    link: (applicationId) => requestAccountLink(hub, applicationId) > 0,
    pausePresence(isPaused) {
      presence.arbiter.pause(isPaused)
      outside.presencePause.remember(isPaused)
      onChange()
    },
    stop: outside.requestStop,
  }
  const joinableActivity = joinableActivityOf(presence.arbiter)
  const invites = new GameInvites({
    clock,
    log: log.child({ part: 'joins' }),
    publish,
    isLinked: ({ applicationId, userId }) => clients.desktopClient.isConnected(applicationId, userId),
    joinableActivity,
    fetchSecret: joinSecretFetcher({ registry, api, uid }),
    playState: playStateOf(registry, (sessionId) => presence.owners.of(sessionId)),
    launch: (applicationId) => outside.launcher.launch(applicationId),
    imageOrigin,
  })
  lifecycle.on('activityMessage', ({ account, message }) => invites.onMessage(account, message))
  lifecycle.on('accountEnded', (account) => invites.deleteAccount(account))
  const providers = new EventProviders({ hub, routing, providers: [invites, ...clients.providers, poll] })

  const inspector = new FrameInspector(
    clock,
    (connectionId) => registry.find(connectionId)?.applicationId,
    (connectionId) => watch.isWatching(connectionId),
  )

  const handlerDeps: HandlerDeps = {
    clock,
    log,
    authorizer: outside.authorizer,
    devices: createDeviceSignIns({ tokenEndpoint, clock, charge: (program) => accounting.charge('deviceSignIns', program) }),
    unverifiedRequests: new UnverifiedRequests({ clock, window: accounting.window('strangerRequests') }),
    tokenEndpoint,
    tokenStore,
    grants,
    contents: outside.contents,
    consentPrompts: outside.consent,
    forwarder,
    prepareHttp: outside.prepareHttp,
    api,
    uploads,
    accounting,
    messageHistory: history,
    platform: profile,
    subscriptions: hub,
    eventProviders: providers,
    presence: presence.arbiter,
    desktopClient: clients.desktopClient,
    botRequests: clients.botRequests,
    userRequests: clients.userRequests,
    imageOrigin,
    social: {
      gameInvites: invites,
      launcher: outside.launcher,
      joinableActivity,
      sessionOf: (account) => clients.sessionOf(account) ?? presence.headless.sessionOf(account.applicationId, account.userId),
    },
    localUser,
    participants,
    botTokens,
    redeemOperatorProof: outside.redeemOperatorProof,
    status: outside.openStatus({ registry, presence, providers }),
    accounts,
    inspector,
    watch,
    sessions: registry,
    operations,
  }
  const router = new Router(clock, createHandlers(handlerDeps), createDefaultHandlers(handlerDeps))
  const server = new RpcServer({
    clock,
    scheduleEndOfTurn: outside.scheduleEndOfTurn,
    log,
    codecs: { json, msgpack: msgpackCodec() },
    router,
    inspector,
    watch,
    sessions: registry,
    subscriptions: hub,
    presence: presence.arbiter,
    localUser,
    accounting,
    grants,
    readyConfig: { cdn_host: profile.cdnHost, api_endpoint: schemeless(profile.baseUrl) },
    version: outside.version,
    quiet: outside.quiet,
    uid,
  })
  return { server, registry, hub, routing, localUser, accounts, api, presence, invites, providers, handlerDeps, operations, revocation }
}

export type Assembly = ReturnType<typeof assemble>
