/**
 * Commands of embedded activities. A page in the activity proxy may call them; over a local socket they fail with INVALID_PERMISSIONS.
 * The bridge serves those with an equivalent; `refusal` says what the others lack outside the platform's client.
 */
import * as z from 'zod'
import { RpcUser } from '../records/user.ts'
import { LIMITS } from '../limits.ts'
import { anyArguments, IsoTime, noArguments, empty, Snowflake, text, undocumented } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const openInviteDialog = defineCommand({
  name: 'OPEN_INVITE_DIALOG',
  summary: 'Show the invite dialog of the activity.',
  handledBy: 'embedded',
  refusal: "The invite dialog belongs to the platform's client; invite a user with INVITE_USER_EMBEDDED.",
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: empty,
  provenance: 'embedded-sdk',
})

export const openShareMomentDialog = defineCommand({
  name: 'OPEN_SHARE_MOMENT_DIALOG',
  summary: 'Show the dialog for sharing an image or video.',
  handledBy: 'embedded',
  refusal: "The share dialog belongs to the platform's client; offer the file as a download.",
  requires: anyOf('rpc.embedded_app'),
  args: () => z.strictObject({ mediaUrl: z.string().max(1024) }),
  data: empty,
  provenance: 'embedded-sdk',
})

export const shareInteraction = defineCommand({
  name: 'SHARE_INTERACTION',
  summary: 'Share an interaction in a channel.',
  handledBy: 'embedded',
  refusal: "The platform's client shares interactions; let the application's bot send the message.",
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: () => z.looseObject({ success: z.boolean() }),
  provenance: 'embedded-sdk',
})

export const shareLink = defineCommand({
  name: 'SHARE_LINK',
  summary: 'Share a link to the activity.',
  handledBy: 'embedded',
  refusal: 'Only the platform opens links to activities; invite a user with INVITE_USER_EMBEDDED.',
  requires: anyOf('rpc.embedded_app'),
  args: () => z.strictObject({ message: z.string().max(1000), custom_id: text(0, 64).nullish(), link_id: text(0, 64).nullish() }),
  data: () => z.looseObject({ success: z.boolean(), didCopyLink: z.boolean(), didSendMessage: z.boolean() }),
  provenance: 'embedded-sdk',
})

export const initiateImageUpload = defineCommand({
  name: 'INITIATE_IMAGE_UPLOAD',
  summary: 'Let the user upload an image.',
  handledBy: 'embedded',
  refusal: "The upload dialog belongs to the platform's client; use a file input of the page.",
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: () => z.looseObject({ image_url: z.string() }),
  provenance: 'embedded-sdk',
})

export const inviteUserEmbedded = defineCommand({
  name: 'INVITE_USER_EMBEDDED',
  summary: 'Invite a user to the activity of this game, as ACTIVITY_INVITE_USER does.',
  handledBy: 'bridge',
  requires: anyOf('rpc.embedded_app'),
  args: () => z.strictObject({ user_id: Snowflake(), content: z.string().max(LIMITS.inviteContent.value).nullish() }),
  data: empty,
  errors: ['INVALID_USER', 'NO_ELIGIBLE_ACTIVITY'],
  provenance: 'embedded-sdk',
})

export const openExternalLink = defineCommand({
  name: 'OPEN_EXTERNAL_LINK',
  summary: 'Open a link in the browser.',
  handledBy: 'embedded',
  refusal: 'The activity runs in a browser; open the link with window.open after a click.',
  requires: anyOf('rpc.embedded_app'),
  args: () => z.strictObject({ url: z.string() }),
  data: () => z.looseObject({ opened: z.boolean().nullable().meta({ description: 'null if the client does not say.' }) }),
  provenance: 'embedded-sdk',
})

export const sendAnalyticsEvent = defineCommand({
  name: 'SEND_ANALYTICS_EVENT',
  summary: 'Send an analytics event.',
  handledBy: 'embedded',
  refusal: 'The bridge collects no analytics; send the event to your own server.',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: empty,
  provenance: 'embedded-sdk',
})

export const captureLog = defineCommand({
  name: 'CAPTURE_LOG',
  summary: 'Write to the log of the bridge, at its debug level, without long words, which may be secrets.',
  handledBy: 'bridge',
  requires: anyOf('rpc.embedded_app'),
  args: () => z.strictObject({ level: z.enum(['log', 'warn', 'debug', 'info', 'error']), message: z.string() }),
  data: empty,
  provenance: 'embedded-sdk',
})

export const encourageHwAcceleration = defineCommand({
  name: 'ENCOURAGE_HW_ACCELERATION',
  summary: 'Suggest enabling hardware acceleration.',
  handledBy: 'embedded',
  refusal: 'The settings of the browser decide about hardware acceleration; ask the user to change them.',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: () => z.looseObject({ enabled: z.boolean() }),
  provenance: 'embedded-sdk',
})

export const setOrientationLockState = defineCommand({
  name: 'SET_ORIENTATION_LOCK_STATE',
  summary: 'Lock the orientation of the screen.',
  handledBy: 'embedded',
  refusal: "Only the platform's client on phones locks the orientation; lay the page out for its size.",
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: empty,
  provenance: 'embedded-sdk',
})

export const setConfig = defineCommand({
  name: 'SET_CONFIG',
  summary: 'Change the display settings of the activity.',
  handledBy: 'embedded',
  refusal: 'A browser has no picture-in-picture of activities, so there is nothing to configure; skip this call.',
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: () => z.looseObject({ use_interactive_pip: z.boolean() }),
  provenance: 'embedded-sdk',
})

export const getQuest = defineCommand({
  name: 'GET_QUEST',
  summary: 'One quest.',
  handledBy: 'embedded',
  refusal: "Quests exist only in the platform's client; skip this call.",
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: () =>
    z.looseObject({
      quest_id: Snowflake(),
      enrolled_at: IsoTime().nullish(),
      completed_at: IsoTime().nullish(),
      external_cta_url: z.string(),
    }),
  provenance: 'embedded-sdk',
})

export const getPlatformBehaviors = defineCommand({
  name: 'GET_PLATFORM_BEHAVIORS',
  summary: "The platform behaviors of the user's client on this device. Each is optional; a browser has none of them.",
  handledBy: 'bridge',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: () => z.looseObject({ iosKeyboardResizesView: z.boolean().optional() }),
  provenance: 'embedded-sdk',
})

export const getActivityInstanceConnectedParticipants = defineCommand({
  name: 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS',
  summary: 'The participants of this activity: the users who signed in on its pages through this bridge.',
  handledBy: 'bridge',
  requires: allOf('rpc.embedded_app', 'rpc.authenticated'),
  args: noArguments,
  data: () => z.looseObject({ participants: z.array(RpcUser()) }),
  provenance: 'embedded-sdk',
})

export const requestProxyTicketRefresh = defineCommand({
  name: 'REQUEST_PROXY_TICKET_REFRESH',
  summary: 'Get a new ticket for the proxy of the activity.',
  handledBy: 'embedded',
  refusal: 'The proxy of the sandbox uses no tickets; call it without one.',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: () => z.looseObject({ ticket: z.string() }),
  provenance: 'embedded-sdk',
})

export const getProviderAccessToken = defineCommand({
  name: 'GET_PROVIDER_ACCESS_TOKEN',
  summary: 'Get a token of a connected account.',
  handledBy: 'embedded',
  refusal: "Tokens of connected accounts stay in the platform's client; sign the user in at that service.",
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undocumented,
  provenance: 'embedded-sdk',
})

export const maybeGetProviderAccessToken = defineCommand({
  name: 'MAYBE_GET_PROVIDER_ACCESS_TOKEN',
  summary: 'Get a token of a connected account, if there is one.',
  handledBy: 'embedded',
  refusal: "Tokens of connected accounts stay in the platform's client; sign the user in at that service.",
  requires: anyOf('rpc.embedded_app'),
  args: anyArguments,
  data: undocumented,
  provenance: 'embedded-sdk',
})

export const navigateToConnections = defineCommand({
  name: 'NAVIGATE_TO_CONNECTIONS',
  summary: 'Open the settings of connected accounts.',
  handledBy: 'embedded',
  refusal: "The settings of connected accounts are in the platform's client; ask the user to open them there.",
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undocumented,
  provenance: 'embedded-sdk',
})
