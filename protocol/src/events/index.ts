/** The EVENTS table: all events that the bridge can send to a game. */
import type * as z from 'zod'
import { tableOf } from '../table.ts'
import * as activities from './activities.ts'
import * as connection from './connection.ts'
import * as directMessages from './direct-messages.ts'
import * as embedded from './embedded.ts'
import * as entitlements from './entitlements.ts'
import * as guildsChannels from './guilds-channels.ts'
import * as lobbies from './lobbies.ts'
import * as messages from './messages.ts'
import * as users from './users.ts'
import * as voice from './voice.ts'

export const EVENTS = tableOf([
  connection.ready,
  connection.error,
  connection.authorizeRequest,
  connection.tokenRevoked,
  users.currentUserUpdate,
  users.currentGuildMemberUpdate,
  users.relationshipUpdate,
  users.questEnrollmentStatusUpdate,
  guildsChannels.guildStatus,
  guildsChannels.guildCreate,
  guildsChannels.guildUpdate,
  guildsChannels.guildDelete,
  guildsChannels.guildMemberAdd,
  guildsChannels.guildMemberUpdate,
  guildsChannels.guildMemberRemove,
  guildsChannels.channelCreate,
  guildsChannels.channelUpdate,
  guildsChannels.channelDelete,
  guildsChannels.voiceChannelStatusUpdate,
  guildsChannels.voiceChannelStartTimeUpdate,
  messages.messageCreate,
  messages.messageUpdate,
  messages.messageDelete,
  messages.notificationCreate,
  directMessages.gameDirectMessageCreate,
  directMessages.gameDirectMessageUpdate,
  directMessages.gameDirectMessageDelete,
  lobbies.lobbyCreate,
  lobbies.lobbyUpdate,
  lobbies.lobbyDelete,
  lobbies.lobbyMemberAdd,
  lobbies.lobbyMemberUpdate,
  lobbies.lobbyMemberRemove,
  lobbies.lobbyMessageCreate,
  lobbies.lobbyMessageUpdate,
  lobbies.lobbyMessageDelete,
  voice.voiceChannelSelect,
  voice.voiceStateCreate,
  voice.voiceStateUpdate,
  voice.voiceStateDelete,
  voice.voiceSettingsUpdate,
  voice.voiceSettingsUpdate2,
  voice.voiceConnectionStatus,
  voice.speakingStart,
  voice.speakingStop,
  voice.screenshareStateUpdate,
  voice.videoStateUpdate,
  activities.activityJoin,
  activities.activitySpectate,
  activities.activityJoinRequest,
  activities.activityInvite,
  activities.overlayUpdate,
  entitlements.entitlementCreate,
  entitlements.entitlementUpdate,
  entitlements.entitlementDelete,
  entitlements.subscriptionCreate,
  entitlements.subscriptionUpdate,
  entitlements.subscriptionDelete,
  embedded.activityPipModeUpdate,
  embedded.activityLayoutModeUpdate,
  embedded.orientationUpdate,
  embedded.thermalStateUpdate,
  embedded.activityInstanceParticipantsUpdate,
])

export type EventName = keyof typeof EVENTS
/** Arguments of a subscription. */
export type EventArgsOf<Name extends EventName> = z.input<(typeof EVENTS)[Name]['args']>
export type EventDataOf<Name extends EventName> = z.output<(typeof EVENTS)[Name]['data']>
/** Events that can be subscribed. */
export type SubscribableEventName = {
  [Name in EventName]: (typeof EVENTS)[Name]['delivery'] extends 'subscription' ? Name : never
}[EventName]

export const isEventName = (text: string): text is EventName => Object.hasOwn(EVENTS, text)
