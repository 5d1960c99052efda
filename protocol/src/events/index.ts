/** The EVENTS table: all that the bridge can tell a game unasked. */
import type { z } from 'zod'
import { tableOf } from '../table.ts'
import {
  activityInvite,
  activityJoin,
  activityJoinRequest,
  activitySpectate,
  overlayUpdate,
} from './activities.ts'
import {
  authorizeRequest,
  error,
  ready,
  tokenRevoked,
} from './connection.ts'
import {
  activityInstanceParticipantsUpdate,
  activityLayoutModeUpdate,
  activityPipModeUpdate,
  orientationUpdate,
  thermalStateUpdate,
} from './embedded.ts'
import {
  entitlementCreate,
  entitlementDelete,
} from './entitlements.ts'
import {
  channelCreate,
  guildCreate,
  guildStatus,
} from './guilds-channels.ts'
import {
  messageCreate,
  messageDelete,
  messageUpdate,
  notificationCreate,
} from './messages.ts'
import {
  currentGuildMemberUpdate,
  currentUserUpdate,
  questEnrollmentStatusUpdate,
  relationshipUpdate,
} from './users.ts'
import {
  screenshareStateUpdate,
  speakingStart,
  speakingStop,
  videoStateUpdate,
  voiceChannelSelect,
  voiceConnectionStatus,
  voiceSettingsUpdate,
  voiceSettingsUpdate2,
  voiceStateCreate,
  voiceStateDelete,
  voiceStateUpdate,
} from './voice.ts'

export const EVENTS = tableOf([
  // connection
  ready,
  error,
  authorizeRequest,
  tokenRevoked,
  // users
  currentUserUpdate,
  currentGuildMemberUpdate,
  relationshipUpdate,
  questEnrollmentStatusUpdate,
  // guilds-channels
  guildStatus,
  guildCreate,
  channelCreate,
  // messages
  messageCreate,
  messageUpdate,
  messageDelete,
  notificationCreate,
  // voice
  voiceChannelSelect,
  voiceStateCreate,
  voiceStateUpdate,
  voiceStateDelete,
  voiceSettingsUpdate,
  voiceSettingsUpdate2,
  voiceConnectionStatus,
  speakingStart,
  speakingStop,
  screenshareStateUpdate,
  videoStateUpdate,
  // activities
  activityJoin,
  activitySpectate,
  activityJoinRequest,
  activityInvite,
  overlayUpdate,
  // entitlements
  entitlementCreate,
  entitlementDelete,
  // embedded
  activityPipModeUpdate,
  activityLayoutModeUpdate,
  orientationUpdate,
  thermalStateUpdate,
  activityInstanceParticipantsUpdate,
])

export type EventName = keyof typeof EVENTS
/** Arguments of a subscription. */
export type EventArgsOf<Name extends EventName> = z.input<(typeof EVENTS)[Name]['args']>
export type EventDataOf<Name extends EventName> = z.output<(typeof EVENTS)[Name]['data']>
/** Events that can be subscribed. */
export type SubscribableEventName = { [Name in EventName]: (typeof EVENTS)[Name]['delivery'] extends 'subscription' ? Name : never }[EventName]

export const isEventName = (text: string): text is EventName => Object.hasOwn(EVENTS, text)
