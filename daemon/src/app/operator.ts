/** Opens the operator's side of the bridge: its state, those who watch it, and what they can do. */
import type { BridgeState } from '@sallyport/protocol'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { requestAccountLink } from '../events/account-link.ts'
import type { EventProviders } from '../events/providers.ts'
import type { Peers } from '../identity/systems.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { createOperate } from '../operator/operations.ts'
import { OperatorConnections } from '../operator/connections.ts'
import { bridgeState, placesOfState, type StateFacts, type StateParts, statusFor } from '../operator/state.ts'
import type { SandboxFindings } from '../operator/state-warnings.ts'
import { StatePublisher } from '../operator/state-publisher.ts'
import { StoredSignIns } from '../operator/stored-sign-ins.ts'
import { chooseForGrant } from '../sessions/grant-choices.ts'
import { revokeGrant, signOutAccount } from '../sessions/grant-revocation.ts'
import type { Session } from '../sessions/session.ts'
import type { ReadyLine } from '../start/ready-line.ts'
import type { OpenedApi } from './api.ts'
import type { Clients } from './client-parts.ts'
import type { OpenedEvents } from './events.ts'
import type { Host } from './host.ts'
import { type OpenedPresence, type PresenceFeedAt, presenceFeedState } from './presence.ts'
import type { OpenedSessions } from './sessions.ts'
import type { OpenedSignIn } from './sign-in.ts'
import type { OpenedStores } from './stores.ts'

export interface OperatorParts {
  readonly host: Host
  readonly profile: Pick<PlatformProfile, 'name'>
  readonly api: Pick<OpenedApi, 'warnings'> & {
    readonly applications: Pick<OpenedApi['applications'], 'of' | 'imageOf' | 'nameOf' | 'download' | 'changed'>
  }
  readonly stores: OpenedStores
  readonly signIn: {
    readonly prompts: Pick<OpenedSignIn['prompts'], 'answer' | 'changed' | 'pending'>
    readonly pages: OpenedSignIn['pages']
  }
  /** What the state has from outside, and what an operator's operations reach there. */
  readonly outside: {
    readonly ready: Pick<ReadyLine, 'websocket'>
    /** Of the sockets; one may move to the first slot. */
    readonly addresses: () => readonly string[]
    /** When the daemon started, by the monotonic clock. */
    readonly startedAt: number
    readonly sandboxOrigin: string | undefined
    /** Undefined for other platforms. */
    readonly findings: SandboxFindings | undefined
    readonly localPeers: Pick<Peers, 'unknown'>
    readonly tcpPeers: Pick<TcpPeers, 'areKnown'>
    readonly feed: PresenceFeedAt | undefined
    readonly health: Pick<DataHealth, 'problems' | 'changed'>
    readonly redeemProof: (proof: string) => boolean
    readonly rememberPresencePaused: (isPaused: boolean) => void
    /** Ends the bridge. */
    readonly requestStop: () => void
  }
  readonly sessions: OpenedSessions
  readonly events: OpenedEvents
  readonly clients: Pick<Clients, 'webhooks' | 'roster'>
  readonly presence: OpenedPresence
  readonly providers: Pick<EventProviders, 'health'>
  /** What the server of connections counts. */
  readonly counters: Readonly<Pick<BridgeState['counters'], 'connections' | 'calls'>>
}

const WEB_PORTS_TAKEN =
  'Games in browsers cannot connect: other programs, or ten other bridges, have the ports 6463 to 6472. End one of them, then start this bridge again. Other games are not affected.'

const factsOf = ({ host, profile, outside }: OperatorParts): StateFacts => ({
  version: host.version,
  contract: CONTRACT_VERSION,
  platform: profile.name,
  pid: process.pid,
  started_at: Math.round(host.clock.now() - (host.clock.elapsed() - outside.startedAt)),
  ...(outside.ready.websocket === undefined ? { websocket_problem: WEB_PORTS_TAKEN } : { websocket: outside.ready.websocket }),
  ...(outside.sandboxOrigin === undefined ? {} : { sandbox_origin: outside.sandboxOrigin }),
  peers: outside.localPeers.unknown === undefined ? { state: 'held' } : { state: 'unknown', reason: outside.localPeers.unknown },
})

function webhookCounters({ webhooks }: Pick<Clients, 'webhooks'>): Partial<BridgeState['counters']> {
  if (webhooks === undefined) return {}
  const { pings, events, duplicates, ignored, refused } = webhooks.counters
  return {
    webhook_pings: pings,
    webhook_events: events,
    webhook_duplicates: duplicates,
    webhook_ignored: ignored,
    webhook_refused: refused,
  }
}

/** Each change that a part announces; the publisher looks at the others by itself. */
function publishChanges(
  { api, signIn, outside, sessions, events, clients, presence }: OperatorParts,
  signIns: StoredSignIns,
  publisher: StatePublisher,
): void {
  const changed = () => publisher.changed()
  for (const event of ['sessionChanged', 'tokensDeleted', 'accountEnded', 'activityMessage', 'botTokenChanged'] as const)
    sessions.lifecycle.on(event, changed)
  const { hub, routing } = events
  const signals = [hub.subscriberChanged, routing.changed, signIn.prompts.changed, signIn.pages.changed, presence.store.changed]
  for (const signal of [
    ...signals,
    api.warnings.changed,
    outside.health.changed,
    signIns.changed,
    api.applications.changed,
    ...(clients.roster === undefined ? [] : [clients.roster.changed]),
    ...(outside.findings === undefined ? [] : [outside.findings.changed]),
  ])
    signal.on(changed)
}

export function openOperator(parts: OperatorParts) {
  const { host, api, stores, signIn, outside, sessions, events, clients, presence, providers, counters } = parts
  const { clock, log } = host
  const { arbiter, invites, userOf } = presence
  const signIns = new StoredSignIns({ ...stores, clock, log })
  const state: StateParts = {
    facts: factsOf(parts),
    addresses: outside.addresses,
    tcpPeers: parts.outside.tcpPeers,
    clock,
    startedAt: outside.startedAt,
    sessions: sessions.registry,
    subscriptions: events.hub,
    arbiter,
    outbound: presence.outbound,
    clients: () => clients.roster?.all() ?? [],
    userOf,
    applications: api.applications,
    presenceFeed: () => presenceFeedState(outside.feed),
    grants: stores.grants,
    ...signIn,
    invites,
    signIns,
    providers: () => [...providers.health(), { name: 'headless-sessions', ...presence.headless.health() }],
    warnings: api.warnings,
    dataProblems: () => outside.health.problems(),
    findings: () => outside.findings?.current() ?? [],
    counters: () => ({ ...counters, ...webhookCounters(clients) }),
  }
  const publisher = new StatePublisher(clock, () => bridgeState(state))
  publishChanges(parts, signIns, publisher)
  const operate = createOperate({
    answer: (id, isAllowed, choice) => signIn.prompts.answer(id, isAllowed, choice),
    revoke: (id) => revokeGrant(id, sessions.revocation),
    choose: (id, choice, details) =>
      chooseForGrant(id, choice, details, {
        ...sessions.revocation,
        scopesChanged: (session) => events.hub.scopesChanged(session),
        visibilityChanged: () => arbiter.visibilityChanged(),
        placesChanged: presence.placesChanged,
        knownPlaces: () => placesOfState(state).map(({ id: place }) => place),
        temporary: sessions.temporary,
      }),
    signOut: (account) => signOutAccount(account, sessions.revocation),
    link: (applicationId) => requestAccountLink(events.hub, applicationId) > 0,
    acceptInvite: (messageId) => invites.acceptInvite(messageId),
    pausePresence(isPaused) {
      arbiter.pause(isPaused)
      outside.rememberPresencePaused(isPaused)
    },
    openVault: () => signIns.open(),
    stop: outside.requestStop,
    changed: () => publisher.changed(),
  })
  return Object.freeze({
    publisher,
    operators: new OperatorConnections(clock, publisher),
    operate,
    statusFor: (session: Session) => statusFor(session, state),
  })
}
