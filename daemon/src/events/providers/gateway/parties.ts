/** Which connections to the gateway are wanted, by whom and with which intents: worked out anew from all wishes, pure. */
import { EVENTS, type EventName, GATEWAY_INTENTS, satisfies } from '@sallyport/protocol'
import type { TokenAccount } from '../../../auth/auth.ts'
import type { Session, SignedIn } from '../../../sessions/session.ts'
import type { DesiredEvent } from '../../hub.ts'
import type { GatewayParty } from '../../../platform/gateway/gateway.ts'
import { GATEWAY_WISHES } from './tellings/tellings.ts'

/** A session, and an event that it wants. */
export interface Wish {
  readonly caller: Session
  readonly event: DesiredEvent
}

/** Through whom a user is signed in. */
export interface Holder {
  readonly account: TokenAccount
  readonly signedIn: SignedIn
}

export interface WantedParty {
  readonly party: GatewayParty
  readonly intents: number
  /** Of a user's connection. */
  readonly holders: readonly Holder[]
}

/** How the bot of an application stands: `unusable`: there is one, and its connection has ended or is gone for long. Undefined while it is being found out. */
export type BotOf = (applicationId: string) => 'usable' | 'unusable' | 'none' | undefined

/** The scope with which a token may open a connection for its user. */
const CONNECT = 'gateway.connect'

/** Intents are what bots choose by. A user's connection asks for all that can matter at once, so that one more wish costs no new session. */
const USER_INTENTS = GATEWAY_INTENTS.GUILDS | GATEWAY_INTENTS.GUILD_MESSAGES | GATEWAY_INTENTS.DIRECT_MESSAGES
/** Nearly everything that a bot is asked for needs these, and what it is in is known by them. */
const BOT_INTENTS = GATEWAY_INTENTS.GUILDS

export const keyOf = (party: GatewayParty): string =>
  party.kind === 'bot' ? `bot:${party.applicationId}` : `user:${party.applicationId}:${party.userId}`

export const botParty = (applicationId: string): GatewayParty => ({ kind: 'bot', applicationId })

/** The connection of a session's own user; undefined when it may open none. */
export function userParty({ applicationId, signedIn, scopes }: Session): GatewayParty | undefined {
  return signedIn !== undefined && scopes.has(CONNECT) ? { kind: 'user', applicationId, userId: signedIn.userId } : undefined
}

/** The connection of a session's own user; none when it may open none. */
export function wantedByUser(caller: Session): readonly WantedParty[] {
  const party = userParty(caller)
  if (party?.kind !== 'user' || caller.signedIn === undefined) return []
  return [{ party, intents: USER_INTENTS, holders: [{ account: caller.account(party.userId), signedIn: caller.signedIn }] }]
}

export const wantedOfBot = (applicationId: string, intents: number): WantedParty => ({
  party: botParty(applicationId),
  intents: BOT_INTENTS | intents,
  holders: [],
})

/** What one session wants: whether of the connection of its user, and with which intents of its bot. */
interface Wants {
  isOfUser: boolean
  botIntents: number | undefined
}

/** Adds who would tell a session of this; nobody would, or nobody knows yet: nothing. A bot that was refused stays wanted, so that it is not tried all the time. */
function note(wants: Wants, { caller, event }: Wish, botOf: BotOf): void {
  const wish = GATEWAY_WISHES.get(event.name)
  if (wish === undefined || !satisfies(EVENTS[event.name as EventName].requires, caller.scopes)) return
  const bot = wish.by === 'user' ? 'none' : botOf(caller.applicationId)
  if (bot === undefined) return
  if (bot !== 'none') wants.botIntents = (wants.botIntents ?? 0) | wish.intents
  if (bot !== 'usable') wants.isOfUser = true
}

/** By session: there may be very many wishes of few sessions. */
function wantsOf(wishes: Iterable<Wish>, botOf: BotOf): ReadonlyMap<Session, Wants> {
  const byCaller = new Map<Session, Wants>()
  for (const wish of wishes) {
    const { caller } = wish
    if (caller.signedIn === undefined) continue
    let wants = byCaller.get(caller)
    if (wants === undefined) byCaller.set(caller, (wants = { isOfUser: false, botIntents: undefined }))
    note(wants, wish, botOf)
  }
  return byCaller
}

const partiesOf = (caller: Session, { isOfUser, botIntents }: Wants): readonly WantedParty[] => [
  ...(botIntents === undefined ? [] : [wantedOfBot(caller.applicationId, botIntents)]),
  ...(isOfUser ? wantedByUser(caller) : []),
]

/** What several want of the same connection is wanted together. */
function together(wanted: Iterable<WantedParty>): ReadonlyMap<string, WantedParty> {
  const byKey = new Map<string, { party: GatewayParty; intents: number; holders: Holder[] }>()
  for (const { party, intents, holders } of wanted) {
    const key = keyOf(party)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, { party, intents, holders: [...holders] })
    else {
      known.intents |= intents
      known.holders.push(...holders)
    }
  }
  return byKey
}

/** By the key of the party. `besides`: what is wanted for other things than events. */
export const wantedParties = (wishes: Iterable<Wish>, botOf: BotOf, besides: Iterable<WantedParty>): ReadonlyMap<string, WantedParty> =>
  together([...[...wantsOf(wishes, botOf)].flatMap(([caller, wants]) => partiesOf(caller, wants)), ...besides])
