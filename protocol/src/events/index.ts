/** The EVENTS table: all events that the bridge can send to a game. */
import type * as z from 'zod'
import { tableOf } from '../table.ts'
import * as activities from './activities.ts'
import * as applications from './applications.ts'
import * as connection from './connection.ts'
import * as directMessages from './direct-messages.ts'
import * as embedded from './embedded.ts'
import * as entitlements from './entitlements.ts'
import * as guildContent from './guild-content.ts'
import * as guildModeration from './guild-moderation.ts'
import * as guildsChannels from './guilds-channels.ts'
import * as lobbies from './lobbies.ts'
import * as messageActivity from './message-activity.ts'
import * as messages from './messages.ts'
import * as users from './users.ts'
import * as voice from './voice.ts'

/** The rows by family. */
export const EVENT_FAMILIES = {
  activities,
  applications,
  connection,
  'direct-messages': directMessages,
  embedded,
  entitlements,
  'guild-content': guildContent,
  'guild-moderation': guildModeration,
  'guilds-channels': guildsChannels,
  lobbies,
  'message-activity': messageActivity,
  messages,
  users,
  voice,
} as const

export const EVENTS = tableOf(EVENT_FAMILIES)

export type EventName = keyof typeof EVENTS
/** Arguments of a subscription. */
export type EventArgsOf<Name extends EventName> = z.input<(typeof EVENTS)[Name]['args']>
export type EventDataOf<Name extends EventName> = z.output<(typeof EVENTS)[Name]['data']>
/** Events that can be subscribed. */
export type SubscribableEventName = {
  [Name in EventName]: (typeof EVENTS)[Name]['delivery'] extends 'subscription' ? Name : never
}[EventName]

export const isEventName = (text: string): text is EventName => Object.hasOwn(EVENTS, text)
