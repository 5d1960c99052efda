/** The COMMANDS table: all commands of the bridge. */
import type * as z from 'zod'
import { ENDPOINT_COMMANDS } from '../endpoints/as-command.ts'
import { tableOf } from '../table.ts'
import * as accountTokens from './account-tokens.ts'
import * as authorization from './authorization.ts'
import * as authorize from './authorize.ts'
import * as botTokens from './bot-tokens.ts'
import * as bridge from './bridge.ts'
import * as currentUser from './current-user.ts'
import * as deviceAuthorization from './device-authorization.ts'
import * as embedded from './embedded.ts'
import * as gateway from './gateway.ts'
import * as guildsChannels from './guilds-channels.ts'
import * as launch from './launch.ts'
import * as overlayStore from './overlay-store.ts'
import * as platformFacts from './platform-facts.ts'
import * as presence from './presence.ts'
import * as privateCommands from './private.ts'
import * as social from './social.ts'
import * as subscription from './subscription.ts'
import * as voice from './voice.ts'

export const COMMANDS = {
  ...tableOf([
    authorize.authorize,
    authorize.abortAuthorize,
    authorize.deliverAuthorizeCallback,
    deviceAuthorization.authorizeDevice,
    deviceAuthorization.getTokenFromDevice,
    authorization.authenticate,
    authorization.getToken,
    authorization.refreshToken,
    authorization.revokeToken,
    authorization.forgetTokens,
    accountTokens.exchangeChildToken,
    accountTokens.getProvisionalToken,
    accountTokens.unmergeProvisionalAccount,
    accountTokens.updateToken,
    botTokens.setBotToken,
    botTokens.forgetBotToken,
    botTokens.getBotTokens,
    bridge.getBridgeStatus,
    bridge.setHttpRequestTimeout,
    gateway.requestGuildMembers,
    gateway.requestChannelInfo,
    currentUser.getCurrentUserV2,
    platformFacts.getPlatformChanges,
    platformFacts.checkVoiceConnection,
    platformFacts.mapActivityUrl,
    subscription.subscribe,
    subscription.unsubscribe,
    presence.setActivity,
    presence.sendActivityJoinInvite,
    presence.closeActivityRequest,
    presence.closeActivityJoinRequest,
    presence.activityInviteUser,
    presence.acceptActivityInvite,
    launch.registerLaunchCommand,
    launch.registerLaunchSteamApplication,
    guildsChannels.getGuild,
    guildsChannels.getGuilds,
    guildsChannels.getChannel,
    guildsChannels.getChannels,
    guildsChannels.getChannelPermissions,
    guildsChannels.createChannelInvite,
    guildsChannels.selectVoiceChannel,
    guildsChannels.getSelectedVoiceChannel,
    guildsChannels.selectTextChannel,
    guildsChannels.openMessage,
    voice.setUserVoiceSettings,
    voice.getVoiceSettings,
    voice.setVoiceSettings,
    voice.setCertifiedDevices,
    voice.setUserVoiceSettings2,
    voice.setVoiceSettings2,
    voice.pushToTalk,
    voice.toggleVideo,
    voice.toggleScreenshare,
    voice.getSoundboardSounds,
    voice.playSoundboardSound,
    voice.captureShortcut,
    social.getRelationships,
    social.getUser,
    social.getImage,
    social.userSettingsGetLocale,
    social.deepLink,
    social.getQuestEnrollmentStatus,
    social.questStartTimer,
    overlayStore.setOverlayLocked,
    overlayStore.openOverlayActivityInvite,
    overlayStore.openOverlayGuildInvite,
    overlayStore.openOverlayVoiceSettings,
    overlayStore.validateApplication,
    overlayStore.getEntitlementTicket,
    overlayStore.getApplicationTicket,
    overlayStore.startPurchase,
    overlayStore.startPremiumPurchase,
    overlayStore.getSkus,
    overlayStore.getEntitlements,
    overlayStore.getSkusEmbedded,
    overlayStore.getEntitlementsEmbedded,
    overlayStore.getNetworkingConfig,
    overlayStore.networkingCreateToken,
    overlayStore.networkingSystemMetrics,
    overlayStore.networkingPeerMetrics,
    embedded.openInviteDialog,
    embedded.openShareMomentDialog,
    embedded.shareInteraction,
    embedded.shareLink,
    embedded.initiateImageUpload,
    embedded.inviteUserEmbedded,
    embedded.openExternalLink,
    embedded.sendAnalyticsEvent,
    embedded.captureLog,
    embedded.encourageHwAcceleration,
    embedded.setOrientationLockState,
    embedded.setConfig,
    embedded.getQuest,
    embedded.getPlatformBehaviors,
    embedded.getActivityInstanceConnectedParticipants,
    embedded.requestProxyTicketRefresh,
    embedded.getProviderAccessToken,
    embedded.maybeGetProviderAccessToken,
    embedded.navigateToConnections,
    privateCommands.inviteBrowser,
    privateCommands.guildTemplateBrowser,
    privateCommands.giftCodeBrowser,
    privateCommands.connectionsCallback,
    privateCommands.billingPopupBridgeCallback,
    privateCommands.browserHandoff,
    privateCommands.overlay,
  ]),
  ...ENDPOINT_COMMANDS,
}

export type CommandName = keyof typeof COMMANDS
/** Arguments that a caller passes. */
export type ArgsOf<Name extends CommandName> = z.input<(typeof COMMANDS)[Name]['args']>
/** Arguments that a handler receives. */
export type ParsedArgsOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['args']>
export type DataOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['data']>
/** Commands with a handler in the daemon. */
export type BridgeCommandName = {
  [Name in CommandName]: (typeof COMMANDS)[Name]['handledBy'] extends 'bridge' ? Name : never
}[CommandName]

export const isCommandName = (text: string): text is CommandName => Object.hasOwn(COMMANDS, text)
