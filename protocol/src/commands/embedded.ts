/** Commands that only activities inside the platform's iframe may send. Over a local socket the gate refuses them. */
import * as z from 'zod'
import { anyArguments, noArguments, nothing, Snowflake, text, undescribed } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const openInviteDialog = defineCommand({
  name: 'OPEN_INVITE_DIALOG',
  summary: 'Show the dialog that invites to the activity.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: nothing,
  provenance: 'embedded-sdk',
})

export const openShareMomentDialog = defineCommand({
  name: 'OPEN_SHARE_MOMENT_DIALOG',
  summary: 'Show the dialog that shares a picture or film.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: z.strictObject({ mediaUrl: z.string().max(1024) }),
  data: nothing,
  provenance: 'embedded-sdk',
})

export const shareInteraction = defineCommand({
  name: 'SHARE_INTERACTION',
  summary: 'Share an interaction in a channel.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const shareLink = defineCommand({
  name: 'SHARE_LINK',
  summary: 'Share a link to the activity.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: z.strictObject({ message: z.string().max(1000), custom_id: text(0, 64).nullish(), link_id: text(0, 64).nullish() }),
  data: z.looseObject({ success: z.boolean(), didCopyLink: z.boolean(), didSendMessage: z.boolean() }),
  provenance: 'embedded-sdk',
})

export const initiateImageUpload = defineCommand({
  name: 'INITIATE_IMAGE_UPLOAD',
  summary: 'Let the user upload a picture.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: z.looseObject({ image_url: z.string() }),
  provenance: 'embedded-sdk',
})

export const inviteUserEmbedded = defineCommand({
  name: 'INVITE_USER_EMBEDDED',
  summary: 'Invite a user to the activity.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: z.strictObject({ user_id: Snowflake, content: z.string().max(1024).nullish() }),
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const openExternalLink = defineCommand({
  name: 'OPEN_EXTERNAL_LINK',
  summary: 'Open a link in the browser.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: z.strictObject({ url: z.string() }),
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const sendAnalyticsEvent = defineCommand({
  name: 'SEND_ANALYTICS_EVENT',
  summary: 'Send an analytics event.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const captureLog = defineCommand({
  name: 'CAPTURE_LOG',
  summary: 'Write into the log of the client.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: z.strictObject({ level: z.enum(['log', 'warn', 'debug', 'info', 'error']), message: z.string() }),
  data: nothing,
  provenance: 'embedded-sdk',
})

export const encourageHwAcceleration = defineCommand({
  name: 'ENCOURAGE_HW_ACCELERATION',
  summary: 'Suggest turning hardware acceleration on.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const setOrientationLockState = defineCommand({
  name: 'SET_ORIENTATION_LOCK_STATE',
  summary: 'Lock the orientation of the screen.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: nothing,
  provenance: 'embedded-sdk',
})

export const setConfig = defineCommand({
  name: 'SET_CONFIG',
  summary: 'Change how the activity is shown.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const getQuest = defineCommand({
  name: 'GET_QUEST',
  summary: 'One quest.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const getPlatformBehaviors = defineCommand({
  name: 'GET_PLATFORM_BEHAVIORS',
  summary: 'What the client of the user does on this device.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const getActivityInstanceConnectedParticipants = defineCommand({
  name: 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS',
  summary: 'Who is in this instance of the activity.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const requestProxyTicketRefresh = defineCommand({
  name: 'REQUEST_PROXY_TICKET_REFRESH',
  summary: 'A new ticket for the proxy of the activity.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const getProviderAccessToken = defineCommand({
  name: 'GET_PROVIDER_ACCESS_TOKEN',
  summary: 'A token of a connected account.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const maybeGetProviderAccessToken = defineCommand({
  name: 'MAYBE_GET_PROVIDER_ACCESS_TOKEN',
  summary: 'A token of a connected account, or none.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})

export const navigateToConnections = defineCommand({
  name: 'NAVIGATE_TO_CONNECTIONS',
  summary: 'Show the settings of connected accounts.',
  answeredBy: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undescribed,
  provenance: 'embedded-sdk',
})
