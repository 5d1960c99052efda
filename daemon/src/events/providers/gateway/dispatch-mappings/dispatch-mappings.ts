/** The table of mappings from gateway dispatches to events for games. */
import { EVENTS, type EventName, type EventRow, GATEWAY_INTENTS, LEFT_OUT_DISPATCHES, type Parser, parserOf } from '@sallyport/protocol'
import { APPLICATION_MAPPINGS } from './applications.ts'
import { GUILD_CONTENT_MAPPINGS } from './guild-content.ts'
import { GUILD_MAPPINGS } from './guilds.ts'
import { LOBBY_MAPPINGS } from './lobbies.ts'
import { MESSAGE_ACTIVITY_MAPPINGS } from './message-activity.ts'
import { MESSAGE_MAPPINGS } from './messages.ts'
import { MONETIZATION_MAPPINGS } from './monetization.ts'
import type { DispatchContext, MappedEvent, DispatchMapping } from './dispatch-mapping.ts'
import { USER_MAPPINGS } from './users.ts'

const { GUILDS, DIRECT_MESSAGES } = GATEWAY_INTENTS

export const DISPATCH_MAPPINGS: readonly DispatchMapping[] = [
  ...APPLICATION_MAPPINGS,
  ...GUILD_CONTENT_MAPPINGS,
  ...GUILD_MAPPINGS,
  ...MESSAGE_ACTIVITY_MAPPINGS,
  ...MESSAGE_MAPPINGS,
  ...MONETIZATION_MAPPINGS,
  ...LOBBY_MAPPINGS,
  ...USER_MAPPINGS,
]

/** By event that needs a gateway connection: the intents without which the platform does not send it. Invites arrive in direct messages. */
export const EVENT_INTENTS: ReadonlyMap<string, number> = new Map<EventName, number>([
  ...DISPATCH_MAPPINGS.map(({ event, intents }): [EventName, number] => [event, intents]),
  ['GUILD_STATUS', GUILDS],
  ['ACTIVITY_INVITE', DIRECT_MESSAGES],
  ['ACTIVITY_JOIN', DIRECT_MESSAGES],
  ['ACTIVITY_JOIN_REQUEST', DIRECT_MESSAGES],
])

export interface MappingResult extends MappedEvent {
  readonly mapping: DispatchMapping
}

/** Known dispatches without a mapping. */
const UNMAPPED_DISPATCHES: ReadonlySet<string> = new Set(LEFT_OUT_DISPATCHES.flatMap(({ dispatches }) => dispatches))

const BY_DISPATCH: ReadonlyMap<string, readonly { readonly mapping: DispatchMapping; readonly map: DispatchMapping['from'][string] }[]> =
  Map.groupBy(
    DISPATCH_MAPPINGS.flatMap((mapping) => Object.entries(mapping.from).map(([t, map]) => ({ t, mapping, map }))),
    ({ t }) => t,
  )

/** Each parser compiles at its first use. */
const PARSERS: ReadonlyMap<EventName, Parser<EventRow['data']>> = new Map(
  DISPATCH_MAPPINGS.map(({ event }) => [event, parserOf<EventRow['data']>(() => EVENTS[event].data)]),
)

/** Whether this dispatch name is known. */
export const isKnownDispatch = (t: string): boolean => BY_DISPATCH.has(t) || UNMAPPED_DISPATCHES.has(t)

/** Maps a dispatch to events for games. Data that does not match the row of its event is dropped. */
export function mapDispatch(t: string, context: DispatchContext): readonly MappingResult[] {
  return (BY_DISPATCH.get(t) ?? []).flatMap(({ mapping, map }) => {
    const isValid = ({ data }: MappedEvent): boolean => PARSERS.get(mapping.event)?.(data).success === true
    return [map(context) ?? []].flat().flatMap((mapped) => (isValid(mapped) ? [{ ...mapped, mapping }] : []))
  })
}
