/** Opens what answers calls: event providers, the handlers of commands, what operators see and do, and the server of connections. */
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Accounting } from '../accounting/accounting.ts'
import { UnauthenticatedRequests } from '../accounting/unauthenticated-requests.ts'
import { createDeviceSignIns } from '../auth/oauth/device-sign-ins.ts'
import { requestAccountLink } from '../events/account-link.ts'
import { EventProviders } from '../events/providers.ts'
import { json } from '../ipc/codec/json.ts'
import { msgpackCodec } from '../ipc/codec/msgpack.ts'
import { BridgeWatch } from '../rpc/bridge-watch.ts'
import { FrameInspector } from '../rpc/frame-inspector.ts'
import { createDefaultHandlers, createHandlers, type HandlerDeps } from '../rpc/handlers/index.ts'
import type { Operations } from '../rpc/handlers/operation.ts'
import { Router } from '../rpc/router.ts'
import { RpcServer } from '../rpc/server.ts'
import type { Warnings } from '../platform/api/warnings.ts'
import { revokeGrant } from '../sessions/grant-revocation.ts'
import type { GameLauncher } from '../social/launch/launcher.ts'
import type { OpenedApi } from './api.ts'
import type { Clients } from './client-parts.ts'
import type { OpenedEvents } from './events.ts'
import type { Host } from './host.ts'
import { bridgeOverview } from './overview.ts'
import type { OpenedPresence } from './presence.ts'
import type { OpenedSessions } from './sessions.ts'
import type { OpenedSignIn } from './sign-in.ts'
import { bridgeStatus, type StatusFacts } from './status.ts'
import type { OpenedStores } from './stores.ts'

/** What an operator's operations reach outside. */
export interface OperatorParts {
  readonly facts: StatusFacts
  readonly redeemProof: (proof: string) => boolean
  readonly rememberPresencePaused: (isPaused: boolean) => void
  /** Ends the bridge. */
  readonly requestStop: () => void
}

export interface RpcParts {
  readonly host: Host
  readonly profile: Pick<PlatformProfile, 'name' | 'activityProxyHost' | 'baseUrl' | 'cdnHost'>
  readonly accounting: Accounting
  readonly api: Pick<OpenedApi, 'forwarder' | 'prepareHttp' | 'tokenEndpoint'> & { readonly warnings: Pick<Warnings, 'current'> }
  readonly stores: OpenedStores
  readonly signIn: Pick<OpenedSignIn, 'authorizer' | 'consent'> & {
    readonly prompts: Pick<OpenedSignIn['prompts'], 'answer' | 'changed' | 'pending'>
  }
  readonly launcher: Pick<GameLauncher, 'launch' | 'register'>
  readonly operator: OperatorParts
  readonly sessions: OpenedSessions
  readonly events: OpenedEvents
  readonly clients: Clients
  readonly presence: OpenedPresence
}

export type OpenedRpc = ReturnType<typeof openRpc>

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
  const watch = openWatch(parts)
  const inspector = new FrameInspector(
    clock,
    (connectionId) => registry.find(connectionId)?.applicationId,
    (connectionId) => watch.isWatching(connectionId),
  )
  const operations = operationsOf(parts, watch)
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
    unauthenticatedRequests: new UnauthenticatedRequests({ clock, window: accounting.window('unauthenticatedFailures') }),
    tokenEndpoint: api.tokenEndpoint,
    forwarder: api.forwarder,
    prepareHttp: api.prepareHttp,
    consentPrompts: parts.signIn.consent,
    messageHistory: stores.history,
    platform: profile,
    subscriptions: events.hub,
    eventProviders: providers,
    presence: arbiter,
    imageOrigin: events.imageOrigin,
    social: {
      gameInvites: invites,
      launcher: parts.launcher,
      joinableActivity: presence.joinableActivity,
      sessionOf: (account) => clients.sessionOf(account) ?? presence.headless.sessionOf(account),
    },
    redeemOperatorProof: parts.operator.redeemProof,
    status: bridgeStatus({
      ...parts.operator.facts,
      platform: profile.name,
      clock,
      registry,
      presence,
      providers,
      warnings: api.warnings,
      webhooks: clients.webhooks,
    }),
    inspector,
    watch,
    sessions: registry,
    operations,
  }
  const server = new RpcServer({
    clock,
    scheduleEndOfTurn: host.scheduleEndOfTurn,
    log,
    codecs: { json, msgpack: msgpackCodec() },
    router: new Router(clock, createHandlers(deps), createDefaultHandlers(deps)),
    inspector,
    watch,
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
  return Object.freeze({ server, providers, operations, deps })
}

/** Reports each change to operators who watch. */
function openWatch({ host, profile, api, stores, signIn, sessions, events, presence }: RpcParts): BridgeWatch {
  const overview = {
    version: host.version,
    platform: profile.name,
    registry: sessions.registry,
    hub: events.hub,
    arbiter: presence.arbiter,
    userOf: presence.userOf,
    grants: stores.grants,
    prompts: signIn.prompts,
    warnings: api.warnings,
  }
  const watch = new BridgeWatch(host.clock, () => bridgeOverview(overview))
  const changed = () => watch.changed()
  sessions.lifecycle.on('sessionChanged', changed)
  sessions.lifecycle.on('tokensDeleted', changed)
  for (const signal of [events.hub.subscriberChanged, signIn.prompts.changed, presence.store.changed]) signal.on(changed)
  return watch
}

function operationsOf({ signIn, sessions, events, presence, operator }: RpcParts, watch: BridgeWatch): Operations {
  return {
    answer: (id, isAllowed) => signIn.prompts.answer(id, isAllowed),
    async revoke(id) {
      const isRevoked = await revokeGrant(id, sessions.revocation)
      watch.changed()
      return isRevoked
    },
    link: (applicationId) => requestAccountLink(events.hub, applicationId) > 0,
    pausePresence(isPaused) {
      presence.arbiter.pause(isPaused)
      operator.rememberPresencePaused(isPaused)
      watch.changed()
    },
    stop: operator.requestStop,
  }
}
