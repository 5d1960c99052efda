/** The COMMANDS table: all that a game can ask of the bridge. */
import type { z } from 'zod'
import { ENDPOINT_COMMANDS } from '../endpoints/as-command.ts'
import { tableOf } from '../table.ts'
import {
  authenticate,
  authorize,
  forgetTokens,
  getToken,
  refreshToken,
  revokeToken,
} from './authorization.ts'
import {
  getBridgeStatus,
  setHttpRequestTimeout,
} from './bridge.ts'
import {
  captureLog,
  encourageHwAcceleration,
  getActivityInstanceConnectedParticipants,
  getPlatformBehaviors,
  getProviderAccessToken,
  getQuest,
  initiateImageUpload,
  inviteUserEmbedded,
  maybeGetProviderAccessToken,
  navigateToConnections,
  openExternalLink,
  openInviteDialog,
  openShareMomentDialog,
  requestProxyTicketRefresh,
  sendAnalyticsEvent,
  setConfig,
  setOrientationLockState,
  shareInteraction,
  shareLink,
} from './embedded.ts'
import {
  createChannelInvite,
  getChannel,
  getChannelPermissions,
  getChannels,
  getGuild,
  getGuilds,
  getSelectedVoiceChannel,
  openMessage,
  selectTextChannel,
  selectVoiceChannel,
} from './guilds-channels.ts'
import {
  getApplicationTicket,
  getEntitlementTicket,
  getEntitlements,
  getEntitlementsEmbedded,
  getNetworkingConfig,
  getSkus,
  getSkusEmbedded,
  networkingCreateToken,
  networkingPeerMetrics,
  networkingSystemMetrics,
  openOverlayActivityInvite,
  openOverlayGuildInvite,
  openOverlayVoiceSettings,
  setOverlayLocked,
  startPremiumPurchase,
  startPurchase,
  validateApplication,
} from './overlay-store.ts'
import {
  acceptActivityInvite,
  activityInviteUser,
  closeActivityJoinRequest,
  closeActivityRequest,
  sendActivityJoinInvite,
  setActivity,
} from './presence.ts'
import {
  billingPopupBridgeCallback,
  browserHandoff,
  connectionsCallback,
  giftCodeBrowser,
  guildTemplateBrowser,
  inviteBrowser,
  overlay,
} from './private.ts'
import {
  deepLink,
  getImage,
  getQuestEnrollmentStatus,
  getRelationships,
  getUser,
  questStartTimer,
  userSettingsGetLocale,
} from './social.ts'
import {
  subscribe,
  unsubscribe,
} from './subscription.ts'
import {
  captureShortcut,
  getSoundboardSounds,
  getVoiceSettings,
  playSoundboardSound,
  pushToTalk,
  setCertifiedDevices,
  setUserVoiceSettings,
  setUserVoiceSettings2,
  setVoiceSettings,
  setVoiceSettings2,
  toggleScreenshare,
  toggleVideo,
} from './voice.ts'

export const COMMANDS = {
  ...tableOf([
    // authorization
    authorize,
    authenticate,
    getToken,
    refreshToken,
    revokeToken,
    forgetTokens,
    // bridge
    getBridgeStatus,
    setHttpRequestTimeout,
    // subscription
    subscribe,
    unsubscribe,
    // presence
    setActivity,
    sendActivityJoinInvite,
    closeActivityRequest,
    closeActivityJoinRequest,
    activityInviteUser,
    acceptActivityInvite,
    // guilds-channels
    getGuild,
    getGuilds,
    getChannel,
    getChannels,
    getChannelPermissions,
    createChannelInvite,
    selectVoiceChannel,
    getSelectedVoiceChannel,
    selectTextChannel,
    openMessage,
    // voice
    setUserVoiceSettings,
    getVoiceSettings,
    setVoiceSettings,
    setCertifiedDevices,
    setUserVoiceSettings2,
    setVoiceSettings2,
    pushToTalk,
    toggleVideo,
    toggleScreenshare,
    getSoundboardSounds,
    playSoundboardSound,
    captureShortcut,
    // social
    getRelationships,
    getUser,
    getImage,
    userSettingsGetLocale,
    deepLink,
    getQuestEnrollmentStatus,
    questStartTimer,
    // overlay-store
    setOverlayLocked,
    openOverlayActivityInvite,
    openOverlayGuildInvite,
    openOverlayVoiceSettings,
    validateApplication,
    getEntitlementTicket,
    getApplicationTicket,
    startPurchase,
    startPremiumPurchase,
    getSkus,
    getEntitlements,
    getSkusEmbedded,
    getEntitlementsEmbedded,
    getNetworkingConfig,
    networkingCreateToken,
    networkingSystemMetrics,
    networkingPeerMetrics,
    // embedded
    openInviteDialog,
    openShareMomentDialog,
    shareInteraction,
    shareLink,
    initiateImageUpload,
    inviteUserEmbedded,
    openExternalLink,
    sendAnalyticsEvent,
    captureLog,
    encourageHwAcceleration,
    setOrientationLockState,
    setConfig,
    getQuest,
    getPlatformBehaviors,
    getActivityInstanceConnectedParticipants,
    requestProxyTicketRefresh,
    getProviderAccessToken,
    maybeGetProviderAccessToken,
    navigateToConnections,
    // private
    inviteBrowser,
    guildTemplateBrowser,
    giftCodeBrowser,
    connectionsCallback,
    billingPopupBridgeCallback,
    browserHandoff,
    overlay,
  ]),
  ...ENDPOINT_COMMANDS,
}

export type CommandName = keyof typeof COMMANDS
/** What a caller may pass. */
export type ArgsOf<Name extends CommandName> = z.input<(typeof COMMANDS)[Name]['args']>
/** What a handler receives. */
export type ParsedArgsOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['args']>
export type DataOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['data']>
/** Commands that the daemon itself must have a handler for. */
export type BridgeCommandName = {
  [Name in CommandName]: (typeof COMMANDS)[Name]['answeredBy'] extends 'bridge' ? Name : never
}[CommandName]

export const isCommandName = (text: string): text is CommandName => Object.hasOwn(COMMANDS, text)
