/** Which gateway connections are needed, with which intents and tokens: computed from all subscriptions. Pure. */
import { anyOf, EVENTS, type EventName, GATEWAY_INTENTS, satisfies } from '@sallyport/protocol'
import type { TokenAccount } from '../../../auth/auth.ts'
import type { Session, SignedIn } from '../../../sessions/session.ts'
import type { EventSelector } from '../../subscription-registry.ts'
import type { GatewayIdentity } from '../../../platform/gateway/gateway.ts'
import { preferenceOf } from '../../routes.ts'
import { EVENT_INTENTS } from './dispatch-mappings/dispatch-mappings.ts'

/** A session, and an event that it subscribed to. */
export interface SessionSubscription {
  readonly session: Session
  readonly event: EventSelector
}

/** Where the token of a user comes from. */
export interface TokenSource {
  readonly account: TokenAccount
  readonly signedIn: SignedIn
}

export interface ConnectionDemand {
  readonly identity: GatewayIdentity
  readonly intents: number
  /** Of a user's connection. */
  readonly tokenSources: readonly TokenSource[]
}

/** `unusable`: the application has a bot, but its connection has ended or has been offline for long. Undefined while it is looked up. */
export type BotAvailability = (applicationId: string) => 'usable' | 'unusable' | 'none' | undefined

/** The scope with which a token may open a connection for its user. */
const CONNECT = 'gateway.connect'
export const CONNECTS = anyOf(CONNECT)

/** A user's connection requests every useful intent at once, so that another subscription needs no new gateway session. */
const USER_INTENTS =
  GATEWAY_INTENTS.GUILDS |
  GATEWAY_INTENTS.GUILD_EXPRESSIONS |
  GATEWAY_INTENTS.GUILD_MESSAGES |
  GATEWAY_INTENTS.DIRECT_MESSAGES |
  GATEWAY_INTENTS.GUILD_SCHEDULED_EVENTS
/** Nearly every event of a bot needs this intent, and so does the list of its guilds. */
const BOT_INTENTS = GATEWAY_INTENTS.GUILDS

export const identityKey = (identity: GatewayIdentity): string =>
  identity.kind === 'bot' ? `bot:${identity.applicationId}` : `user:${identity.applicationId}:${identity.userId}`

export const botIdentity = (applicationId: string): GatewayIdentity => ({ kind: 'bot', applicationId })

/** Whether this is the user of a session. */
export const isUserOf = (identity: GatewayIdentity, { applicationId, signedIn }: Session): boolean =>
  identity.kind === 'user' && applicationId === identity.applicationId && signedIn?.userId === identity.userId

/** The identity of a session's user; undefined when the session may not open a connection. */
export function userIdentity({ applicationId, signedIn, scopes }: Session): GatewayIdentity | undefined {
  return signedIn !== undefined && scopes.has(CONNECT) ? { kind: 'user', applicationId, userId: signedIn.userId } : undefined
}

/** The connection of a session's user; empty when the session may not open one. */
export function userDemand(session: Session): readonly ConnectionDemand[] {
  const identity = userIdentity(session)
  if (identity?.kind !== 'user' || session.signedIn === undefined) return []
  return [{ identity, intents: USER_INTENTS, tokenSources: [{ account: session.account(identity.userId), signedIn: session.signedIn }] }]
}

export const botDemand = (applicationId: string, intents: number): ConnectionDemand => ({
  identity: botIdentity(applicationId),
  intents: BOT_INTENTS | intents,
  tokenSources: [],
})

/** What one session needs: the connection of its user, and intents of the bot of its application. */
interface SessionDemand {
  needsUser: boolean
  botIntents: number | undefined
}

/** Adds the connections that provide an event, if they are known. An unusable bot stays in the demand, so that it is not opened again and again. */
function addSubscription(demand: SessionDemand, { session, event }: SessionSubscription, botOf: BotAvailability): void {
  const intents = EVENT_INTENTS.get(event.name)
  if (intents === undefined || !satisfies(EVENTS[event.name as EventName].requires, session.scopes)) return
  const routes = preferenceOf(event.name)
  const bot = routes.includes('bot') ? botOf(session.applicationId) : 'none'
  if (bot === undefined) return
  if (bot !== 'none') demand.botIntents = (demand.botIntents ?? 0) | intents
  if (bot !== 'usable' && routes.some((route) => route !== 'bot')) demand.needsUser = true
}

/** Demand by session, because few sessions may have very many subscriptions. */
function demandBySession(subscriptions: Iterable<SessionSubscription>, botOf: BotAvailability): ReadonlyMap<Session, SessionDemand> {
  const bySession = new Map<Session, SessionDemand>()
  for (const subscription of subscriptions) {
    const { session } = subscription
    if (session.signedIn === undefined) continue
    let demand = bySession.get(session)
    if (demand === undefined) bySession.set(session, (demand = { needsUser: false, botIntents: undefined }))
    addSubscription(demand, subscription, botOf)
  }
  return bySession
}

const connectionsOf = (session: Session, { needsUser, botIntents }: SessionDemand): readonly ConnectionDemand[] => [
  ...(botIntents === undefined ? [] : [botDemand(session.applicationId, botIntents)]),
  ...(needsUser ? userDemand(session) : []),
]

/** Merges the demands for the same connection. */
function mergeDemand(demands: Iterable<ConnectionDemand>): ReadonlyMap<string, ConnectionDemand> {
  const byKey = new Map<string, { identity: GatewayIdentity; intents: number; tokenSources: TokenSource[] }>()
  for (const { identity, intents, tokenSources } of demands) {
    const key = identityKey(identity)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, { identity, intents, tokenSources: [...tokenSources] })
    else {
      known.intents |= intents
      known.tokenSources.push(...tokenSources)
    }
  }
  return byKey
}

/** By identity key. `besides`: demand that does not come from subscriptions. */
export const computeDemand = (
  subscriptions: Iterable<SessionSubscription>,
  botOf: BotAvailability,
  besides: Iterable<ConnectionDemand>,
): ReadonlyMap<string, ConnectionDemand> =>
  mergeDemand([...[...demandBySession(subscriptions, botOf)].flatMap(([session, demand]) => connectionsOf(session, demand)), ...besides])
