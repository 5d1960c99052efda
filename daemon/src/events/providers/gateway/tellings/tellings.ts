/** The table of tellings, and how it is gone through: from a dispatch of the gateway to events for games. */
import { EVENTS, type EventName, type EventRow, GATEWAY_INTENTS, type Parser, parserOf } from '@sallyport/protocol'
import { GUILD_TELLINGS } from './guilds.ts'
import { LOBBY_TELLINGS } from './lobbies.ts'
import { MESSAGE_TELLINGS } from './messages.ts'
import { OWNED_TELLINGS } from './owned.ts'
import type { GatewayNews, Told, TellingRow } from './telling-row.ts'
import { USER_TELLINGS } from './users.ts'

const { GUILDS, DIRECT_MESSAGES } = GATEWAY_INTENTS

export const TELLINGS: readonly TellingRow[] = [
  ...GUILD_TELLINGS,
  ...MESSAGE_TELLINGS,
  ...OWNED_TELLINGS,
  ...LOBBY_TELLINGS,
  ...USER_TELLINGS,
]

/** By which connection each event is told. */
export const TOLD_BY: ReadonlyMap<string, TellingRow['by']> = new Map(TELLINGS.map(({ event, by }) => [event, by]))

/** What a wish for an event asks of the gateway. */
export type GatewayWish = Pick<TellingRow, 'by' | 'intents'>

/** Direct messages carry invites; what becomes of them is decided elsewhere. */
const INVITES: GatewayWish = { by: 'user', intents: DIRECT_MESSAGES }

/** By event. Only the user's own connection knows in which guilds the user is. */
export const GATEWAY_WISHES: ReadonlyMap<string, GatewayWish> = new Map<EventName, GatewayWish>([
  ...TELLINGS.map((row): [EventName, GatewayWish] => [row.event, row]),
  ['GUILD_STATUS', { by: 'user', intents: GUILDS }],
  ['ACTIVITY_INVITE', INVITES],
  ['ACTIVITY_JOIN', INVITES],
  ['ACTIVITY_JOIN_REQUEST', INVITES],
])

export interface GatewayTelling extends Told {
  readonly row: TellingRow
}

/** Dispatches that are known and of which nothing is told by itself. */
const KNOWN_BESIDES: ReadonlySet<string> = new Set([
  'CHANNEL_INFO',
  'CHANNEL_PINS_UPDATE',
  'GUILD_MEMBERS_CHUNK',
  'PRESENCE_UPDATE',
  'RATE_LIMITED',
  'READY',
  'RESUMED',
  'SESSIONS_REPLACE',
  'VOICE_STATE_UPDATE',
])

const BY_DISPATCH: ReadonlyMap<string, readonly { readonly row: TellingRow; readonly told: (news: GatewayNews) => Told | undefined }[]> =
  Map.groupBy(
    TELLINGS.flatMap((row) => Object.entries(row.from).map(([t, told]) => ({ t, row, told }))),
    ({ t }) => t,
  )

/** Parsers compile at their first use. */
const PARSERS: ReadonlyMap<EventName, Parser<EventRow['data']>> = new Map(
  TELLINGS.map(({ event }) => [event, parserOf<EventRow['data']>(EVENTS[event].data)]),
)

/** Whether anything is known of dispatches of this name. */
export const isKnownDispatch = (t: string): boolean => BY_DISPATCH.has(t) || KNOWN_BESIDES.has(t)

/** What follows from a dispatch for games. What does not fit the row of its event is left out. */
export function tellingsOf(t: string, news: GatewayNews): readonly GatewayTelling[] {
  return (BY_DISPATCH.get(t) ?? []).flatMap(({ row, told }) => {
    const telling = told(news)
    return telling !== undefined && PARSERS.get(row.event)?.(telling.data).success === true ? [{ ...telling, row }] : []
  })
}
