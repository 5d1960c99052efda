/** The handler of each command. A row without a handler, or a handler without a row, does not compile. */
import type { EndpointName } from '@sallyport/protocol'
import type { HandlerMap } from '../context.ts'
import type { DefaultHandlers } from '../router.ts'
import { exchangeChildToken, getProvisionalToken, unmergeProvisionalAccount, updateToken } from './account-tokens.ts'
import { authenticate } from './authenticate.ts'
import { abortAuthorize, authorize, deliverAuthorizeCallback } from './authorize.ts'
import { forgetBotToken, getBotTokens, setBotToken } from './bot-tokens.ts'
import { getBridgeStatus, setHttpRequestTimeout } from './bridge.ts'
import { getCurrentUserV2 } from './current-user.ts'
import { forwardToDesktopClient } from './desktop-client.ts'
import { authorizeDevice, getTokenFromDevice } from './device.ts'
import { forward } from './forward.ts'
import { requestChannelInfo, requestGuildMembers } from './gateway.ts'
import { checkVoiceConnection, getPlatformChanges, mapActivityUrl } from './platform-facts.ts'
import { registerLaunchCommand, registerLaunchSteamApplication } from './launch.ts'
import { setActivity } from './presence.ts'
import {
  acceptActivityInvite,
  activityInviteUser,
  closeActivityJoinRequest,
  closeActivityRequest,
  sendActivityJoinInvite,
} from './social.ts'
import { subscribe, unsubscribe } from './subscription.ts'
import { forgetTokens, getToken, refreshToken, revokeToken } from './tokens.ts'
import { withHistory } from './user-messages.ts'

export const HANDLERS: HandlerMap = {
  ABORT_AUTHORIZE: abortAuthorize,
  ACCEPT_ACTIVITY_INVITE: acceptActivityInvite,
  ACTIVITY_INVITE_USER: activityInviteUser,
  AUTHENTICATE: authenticate,
  AUTHORIZE: authorize,
  AUTHORIZE_DEVICE: authorizeDevice,
  CHECK_VOICE_CONNECTION: checkVoiceConnection,
  CLOSE_ACTIVITY_JOIN_REQUEST: closeActivityJoinRequest,
  CLOSE_ACTIVITY_REQUEST: closeActivityRequest,
  DELIVER_AUTHORIZE_CALLBACK: deliverAuthorizeCallback,
  EXCHANGE_CHILD_TOKEN: exchangeChildToken,
  FORGET_BOT_TOKEN: forgetBotToken,
  FORGET_TOKENS: forgetTokens,
  GET_BOT_TOKENS: getBotTokens,
  GET_BRIDGE_STATUS: getBridgeStatus,
  GET_CURRENT_USER_V2: getCurrentUserV2,
  GET_PLATFORM_CHANGES: getPlatformChanges,
  GET_PROVISIONAL_TOKEN: getProvisionalToken,
  GET_TOKEN: getToken,
  GET_TOKEN_FROM_DEVICE: getTokenFromDevice,
  MAP_ACTIVITY_URL: mapActivityUrl,
  REFRESH_TOKEN: refreshToken,
  REGISTER_LAUNCH_COMMAND: registerLaunchCommand,
  REGISTER_LAUNCH_STEAM_APPLICATION: registerLaunchSteamApplication,
  REQUEST_CHANNEL_INFO: requestChannelInfo,
  REQUEST_GUILD_MEMBERS: requestGuildMembers,
  REVOKE_TOKEN: revokeToken,
  SEND_ACTIVITY_JOIN_INVITE: sendActivityJoinInvite,
  SET_ACTIVITY: setActivity,
  SET_BOT_TOKEN: setBotToken,
  SET_HTTP_REQUEST_TIMEOUT: setHttpRequestTimeout,
  SUBSCRIBE: subscribe,
  UNMERGE_PROVISIONAL_ACCOUNT: unmergeProvisionalAccount,
  UNSUBSCRIBE: unsubscribe,
  UPDATE_TOKEN: updateToken,
}

export const DEFAULT_HANDLERS: DefaultHandlers = {
  api: (row) => withHistory(row.name as EndpointName, forward(row)),
  desktopClient: forwardToDesktopClient,
}
