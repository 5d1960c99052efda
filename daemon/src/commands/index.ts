/** Which handler answers which command. A row without a handler, or a handler without a row, does not compile. */
import type { HandlerMap } from '../dispatch/context.ts'
import type { HandlerFamilies } from '../dispatch/router.ts'
import { exchangeChildToken, getProvisionalToken, unmergeProvisionalAccount, updateToken } from './account-tokens.ts'
import { authenticate } from './authorization.ts'
import { authorize } from './authorize.ts'
import { getBridgeStatus, setHttpRequestTimeout } from './bridge.ts'
import { needsDesktopClient } from './desktop-client.ts'
import { forward } from './forward.ts'
import { setActivity } from './presence.ts'
import { subscribe, unsubscribe } from './subscription.ts'
import { forgetTokens, getToken, refreshToken, revokeToken } from './tokens.ts'

export const HANDLERS: HandlerMap = {
  AUTHENTICATE: authenticate,
  AUTHORIZE: authorize,
  EXCHANGE_CHILD_TOKEN: exchangeChildToken,
  FORGET_TOKENS: forgetTokens,
  GET_BRIDGE_STATUS: getBridgeStatus,
  GET_PROVISIONAL_TOKEN: getProvisionalToken,
  GET_TOKEN: getToken,
  REFRESH_TOKEN: refreshToken,
  REVOKE_TOKEN: revokeToken,
  SET_ACTIVITY: setActivity,
  SET_HTTP_REQUEST_TIMEOUT: setHttpRequestTimeout,
  SUBSCRIBE: subscribe,
  UNMERGE_PROVISIONAL_ACCOUNT: unmergeProvisionalAccount,
  UNSUBSCRIBE: unsubscribe,
  UPDATE_TOKEN: updateToken,
}

export const FAMILIES: HandlerFamilies = { api: forward, desktopClient: needsDesktopClient }
