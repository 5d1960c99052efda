/** Builds the state of the running bridge for operators, and the selection of it for a game. Pure but for the clock. */
import type { BridgeListName, BridgeState, BridgeStatus } from '@sallyport/protocol'
import type { AccountKey } from '@sallyport/core/account-key'
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import { toDisplayName } from '@sallyport/core/display-text'
import { SECOND_MS } from '@sallyport/core/durations'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { DataProblem } from '@sallyport/core/storage/data-health'
import type { ConsentPrompts } from '../auth/consent/consent-prompts.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import type { Warnings } from '../platform/api/warnings.ts'
import type { Applications } from '../platform/applications/applications.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { OutboundPresence } from '../presence/outbound-presence.ts'
import { ACCOUNT, isChosen, WEB } from '../presence/places.ts'
import type { Presence } from '../presence/sink.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { Session } from '../sessions/session.ts'
import type { GameInvites } from '../social/game-invites.ts'
import type { AuthorizationPages } from './authorization-pages.ts'
import { accountRow, clientRow, gameRow, grantRow, inviteRow, pageRow, presenceRow, promptRow, type SeenClient } from './state-rows.ts'
import { dataWarnings, findingWarnings, platformWarnings, providerWarnings, type SandboxFindings } from './state-warnings.ts'
import type { StoredSignIns } from './stored-sign-ins.ts'

/** What does not change while the daemon runs. */
export type StateFacts = Pick<
  BridgeState,
  'version' | 'contract' | 'platform' | 'pid' | 'started_at' | 'websocket' | 'websocket_problem' | 'sandbox_origin' | 'peers'
>

export interface StateParts {
  readonly facts: StateFacts
  /** Paths of the sockets or names of the pipes. */
  readonly addresses: () => readonly string[]
  readonly clock: Pick<Clock, 'elapsed'>
  /** When the daemon started, by `clock.elapsed`. */
  readonly startedAt: number
  readonly sessions: Pick<SessionRegistry, 'all' | 'find'>
  readonly subscriptions: Pick<SubscriptionRegistry<Session>, 'selectorsOf'>
  /** What games set. */
  readonly arbiter: Pick<PresenceArbiter, 'of' | 'current' | 'isPaused'>
  readonly outbound: Pick<OutboundPresence, 'shownOn'>
  /** Desktop clients that the bridge has met. */
  readonly clients: () => readonly SeenClient[]
  readonly userOf: (sessionId: number) => string | undefined
  readonly applications: Pick<Applications, 'of' | 'imageOf'>
  readonly tcpPeers: Pick<TcpPeers, 'areKnown'>
  readonly presenceFeed: () => BridgeState['presence_feed']
  readonly grants: Pick<
    Grants,
    'live' | 'applicationName' | 'ofAccount' | 'presenceOf' | 'placesOf' | 'ownPlacesOf' | 'placesOfAll' | 'chosenPlaces'
  >
  readonly prompts: Pick<ConsentPrompts, 'pending'>
  readonly pages: Pick<AuthorizationPages, 'all'>
  readonly invites: Pick<GameInvites, 'openInvites'>
  readonly signIns: Pick<StoredSignIns, 'current'>
  readonly providers: () => readonly (ProviderHealth & { readonly name: string })[]
  readonly warnings: Pick<Warnings, 'current'>
  readonly dataProblems: () => readonly DataProblem[]
  /** Of the sandbox. */
  readonly findings: SandboxFindings['current']
  readonly counters: () => BridgeState['counters']
}

const REASON_CHARACTERS = 512

function game({ subscriptions, arbiter, userOf, grants }: StateParts, session: Session): BridgeState['games'][number] {
  const { applicationId, connection } = session
  return gameRow(session, {
    applicationName: grants.applicationName(applicationId),
    activity: arbiter.of({ applicationId, userId: userOf(connection.id) })?.stored.activity,
    subscriptions: [...new Set(subscriptions.selectorsOf(session).map(({ name }) => name))],
  })
}

function presence(
  { sessions, grants, applications, outbound, presenceFeed, arbiter }: StateParts,
  shown: Presence,
): BridgeState['presences'][number] {
  const { applicationId, sessionId } = shown
  const session = sessions.find(sessionId)
  const places = session && grants.placesOf(session.program, applicationId)
  const hidden = session === undefined ? 'shown' : grants.presenceOf(session.program, applicationId)
  const isSeen = !arbiter.isPaused && hidden === 'shown'
  const isInPages = (presenceFeed()?.pages ?? 0) > 0 && isChosen(places, WEB)
  return presenceRow(shown, {
    username: session?.signedIn?.username,
    program: session?.program,
    shown: hidden,
    shownOn: isSeen ? [...outbound.shownOn(shown), ...(isInPages ? [WEB] : [])] : [],
    places: session && grants.ownPlacesOf(session.program, applicationId),
    imageOf: (asset) => applications.imageOf(applicationId, asset),
  })
}

/** Applications that the rows of the lists name. */
const applicationIdsOf = (...lists: readonly (readonly { readonly application_id: string }[])[]): readonly string[] => [
  ...new Set(lists.flatMap((list) => list.map(({ application_id: id }) => id))),
]

function applicationRow({ applications, grants, arbiter }: StateParts): (id: string) => BridgeState['applications'][number] {
  const claimed = new Map(arbiter.current().map(({ applicationId, stored }) => [applicationId, stored.activity.name]))
  return (id) => {
    const { name = grants.applicationName(id), icon } = applications.of(id)
    const claim = claimed.get(id)
    return {
      id,
      ...(name === undefined ? {} : { name: toDisplayName(name) }),
      ...(claim === undefined || claim === '' ? {} : { claimed_name: toDisplayName(claim) }),
      ...(icon === undefined ? {} : { icon }),
    }
  }
}

const usernameOf = (account: AccountKey, grants: Pick<Grants, 'ofAccount'>): string | undefined =>
  grants.ofAccount(account).find((grant) => grant.username !== undefined)?.username

const providersOf = ({ providers }: StateParts): BridgeState['providers'] =>
  providers().map(({ name, state, reason, ignored }) => ({
    name,
    state,
    ...(reason === undefined ? {} : { reason: toDisplayName(reason, REASON_CHARACTERS) }),
    ...(ignored === undefined ? {} : { ignored }),
  }))

const uptimeOf = ({ clock, startedAt }: StateParts): number => Math.floor((clock.elapsed() - startedAt) / SECOND_MS)

/** Where the user can show games: clients that the bridge has met or that the user chose, and what is always there. */
export function placesOfState({
  clients,
  grants,
  presenceFeed,
}: Pick<StateParts, 'clients' | 'grants' | 'presenceFeed'>): BridgeState['places'] {
  const met = clients().map(clientRow)
  const absent = grants.chosenPlaces().filter((id) => id !== ACCOUNT && id !== WEB && !met.some((client) => client.id === id))
  const pages = presenceFeed()
  return [
    ...met,
    ...absent.map((id) => ({ id, kind: 'client' as const, running: false })),
    { id: ACCOUNT, kind: 'account', running: true },
    ...(pages === undefined ? [] : [{ id: WEB, kind: 'web' as const, running: pages.pages > 0 }]),
  ]
}

const MAX_ROWS = BUDGETS.stateRows.value

/** Takes the first rows of each list, and counts what it leaves out. */
class Rows {
  readonly omitted: Partial<Record<BridgeListName, number>> = {}

  of<Item, Row>(name: BridgeListName, items: readonly Item[], rowOf: (item: Item) => Row): Row[] {
    if (items.length > MAX_ROWS) this.omitted[name] = items.length - MAX_ROWS
    return items.slice(0, MAX_ROWS).map(rowOf)
  }
}

export function bridgeState(parts: StateParts): BridgeState {
  const { facts, sessions, arbiter, presenceFeed, grants, prompts, pages, invites, signIns, warnings, counters } = parts
  const rows = new Rows()
  const { accounts, bots, problem } = signIns.current()
  const feed = presenceFeed()
  const providers = providersOf(parts)
  const lists = {
    games: rows.of('games', sessions.all(), (session) => game(parts, session)),
    prompts: rows.of('prompts', prompts.pending(), promptRow),
    invites: rows.of('invites', invites.openInvites(), inviteRow),
    presences: rows.of('presences', arbiter.current(), (shown) => presence(parts, shown)),
    grants: rows.of('grants', grants.live(), grantRow),
    accounts: rows.of('accounts', accounts, (account) => accountRow(account, usernameOf(account, grants))),
    bots: rows.of('bots', bots, ({ applicationId, name }) => ({ application_id: applicationId, name: toDisplayName(name) })),
  }
  const all = [
    ...dataWarnings(parts.dataProblems()),
    ...providerWarnings(providers),
    ...platformWarnings(warnings.current()),
    ...findingWarnings(parts.findings()),
  ]
  return {
    ...facts,
    ipc: [...parts.addresses()],
    web_users_checked: parts.tcpPeers.areKnown === true,
    uptime_s: uptimeOf(parts),
    presence_paused: arbiter.isPaused,
    places: placesOfState(parts),
    ...(grants.placesOfAll === undefined ? {} : { chosen_places: [...grants.placesOfAll] }),
    ...(feed === undefined ? {} : { presence_feed: feed }),
    ...lists,
    pages: rows.of('pages', pages.all(), pageRow),
    applications: rows.of('applications', applicationIdsOf(...Object.values(lists)), applicationRow(parts)),
    ...(problem === undefined ? {} : { vault_problem: problem }),
    providers,
    warnings: rows.of('warnings', all, (warning) => warning),
    counters: counters(),
    omitted: rows.omitted,
  }
}

/** A game learns of itself alone. A failing provider is among the providers. */
export function statusFor(session: Session, parts: StateParts): BridgeStatus {
  const { version, contract, platform, pid } = parts.facts
  return {
    version,
    contract,
    platform,
    pid,
    uptime_s: uptimeOf(parts),
    games: [game(parts, session)],
    providers: providersOf(parts),
    warnings: platformWarnings(parts.warnings.current()).filter(
      ({ application_id: id }) => id === undefined || id === session.applicationId,
    ),
  }
}
