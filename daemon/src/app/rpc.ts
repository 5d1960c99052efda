/** Opens what answers calls: event providers, the handlers of commands, what operators see and do, and the server of connections. */
import type { Figures } from '@sallyport/core/dashboard-messages'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Accounting } from '../accounting/accounting.ts'
import { UnauthenticatedRequests } from '../accounting/unauthenticated-requests.ts'
import { createDeviceSignIns } from '../auth/oauth/device-sign-ins.ts'
import { EventProviders } from '../events/providers.ts'
import { json } from '../ipc/codec/json.ts'
import { msgpackCodec } from '../ipc/codec/msgpack.ts'
import { CallRecords } from '../rpc/call-records.ts'
import { FrameInspector } from '../rpc/frame-inspector.ts'
import { createDefaultHandlers, createHandlers, type HandlerDeps } from '../rpc/handlers/index.ts'
import { Router } from '../rpc/router.ts'
import { type RpcCounters, RpcServer } from '../rpc/server.ts'
import type { GameLauncher } from '../social/launch/launcher.ts'
import type { OpenedApi } from './api.ts'
import type { Clients } from './client-parts.ts'
import type { OpenedEvents } from './events.ts'
import type { Host } from './host.ts'
import { metricsReader } from './metrics.ts'
import { openOperator, type OperatorParts } from './operator.ts'
import type { OpenedPresence } from './presence.ts'
import type { OpenedSessions } from './sessions.ts'
import type { OpenedSignIn } from './sign-in.ts'
import type { OpenedStores } from './stores.ts'

interface RpcParts {
  readonly host: Host
  readonly profile: Pick<PlatformProfile, 'name' | 'activityProxyHost' | 'baseUrl' | 'cdnHost'>
  readonly accounting: Accounting
  readonly api: Pick<OpenedApi, 'forwarder' | 'prepareHttp' | 'strictArguments' | 'tokenEndpoint'> & OperatorParts['api']
  readonly stores: OpenedStores
  readonly signIn: Pick<OpenedSignIn, 'authorizer' | 'consent'> & OperatorParts['signIn']
  readonly launcher: Pick<GameLauncher, 'launch' | 'register'>
  readonly outside: OperatorParts['outside']
  readonly sessions: OpenedSessions
  readonly events: OpenedEvents
  readonly clients: Clients
  readonly presence: OpenedPresence
}

/** `//host/path` of the API without scheme and version, as READY gives it. */
const schemeless = (baseUrl: string): string => baseUrl.replace(/^https?:/, '').replace(/\/v\d+$/, '')

export function openRpc(parts: RpcParts) {
  const { host, profile, accounting, api, stores, sessions, events, clients, presence } = parts
  const { clock, log } = host
  const { registry } = sessions
  const { invites, arbiter } = presence
  const providers = new EventProviders({
    hub: events.hub,
    routing: events.routing,
    providers: [invites, ...clients.providers, events.poll],
  })
  const counters: RpcCounters = { connections: 0, calls: 0 }
  const { publisher, operators, operate, statusFor } = openOperator({ ...parts, providers, counters })
  const inspector = new FrameInspector(
    clock,
    (connectionId) => registry.find(connectionId)?.applicationId,
    (connectionId) => operators.isWatching(connectionId),
  )
  const calls = new CallRecords(clock, (connectionId) => registry.find(connectionId)?.applicationId, events.hub, process.pid)
  const readMetrics = metricsReader({
    meter: host.meter,
    gameCount: () => registry.size,
    subscriptionCount: () => events.hub.selectors().length,
    gatewayStates: () => clients.gatewayStates(),
    state: () => publisher.current(),
  })
  const deps: HandlerDeps = {
    ...host,
    ...stores,
    ...sessions,
    ...clients,
    ...parts.signIn,
    accounting,
    devices: createDeviceSignIns({
      tokenEndpoint: api.tokenEndpoint,
      clock,
      charge: (program) => accounting.charge('deviceAuthorizations', program),
    }),
    unauthenticatedRequests: new UnauthenticatedRequests({
      clock,
      window: accounting.window('unauthenticatedFailures'),
      isGranted: (program) => stores.grants.has(program),
    }),
    tokenEndpoint: api.tokenEndpoint,
    forwarder: api.forwarder,
    prepareHttp: api.prepareHttp,
    consentPrompts: parts.signIn.consent,
    messageHistory: stores.history,
    platform: profile,
    subscriptions: events.hub,
    eventProviders: providers,
    presence: arbiter,
    outbound: presence.outbound,
    applications: api.applications,
    imageOrigin: events.imageOrigin,
    social: {
      gameInvites: invites,
      launcher: parts.launcher,
      joinableActivity: presence.joinableActivity,
      sessionOf: (account) => clients.sessionOf(account) ?? presence.headless.sessionOf(account),
    },
    redeemOperatorProof: parts.outside.redeemProof,
    statusFor,
    inspector,
    calls,
    operators,
    sessions: registry,
    operate,
    readMetrics,
  }
  const server = new RpcServer({
    clock,
    scheduleEndOfTurn: host.scheduleEndOfTurn,
    log,
    codecs: { json, msgpack: msgpackCodec() },
    router: new Router(clock, createHandlers(deps), createDefaultHandlers(deps), host.turns, api),
    inspector,
    calls,
    operators,
    counters,
    meter: host.meter,
    sessions: registry,
    subscriptions: events.hub,
    presence: arbiter,
    localUser: sessions.localUser,
    accounting,
    grants: stores.grants,
    readyConfig: { cdn_host: profile.cdnHost, api_endpoint: schemeless(profile.baseUrl) },
    version: host.version,
    quiet: host.quiet,
    uid: host.uid,
  })
  const figures = (): Omit<Figures, 'buckets'> => ({
    calls: counters.calls,
    events: calls.sampling.events,
    share: calls.sampling.share,
    skipped: calls.sampling.skipped,
    memory: process.memoryUsage.rss(),
  })
  return Object.freeze({ calls, figures, server, providers, publisher, operate, operators, readMetrics, deps })
}
