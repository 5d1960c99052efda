/** Commands whose answer, or effect, is that of the client's own user: what they own, what they buy, who they are to a server. */
import type { CommandName } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'

const OF_ITS_USER: ReadonlySet<string> = new Set<CommandName>([
  'VALIDATE_APPLICATION',
  'GET_ENTITLEMENTS',
  'GET_ENTITLEMENTS_EMBEDDED',
  'GET_ENTITLEMENT_TICKET',
  'GET_APPLICATION_TICKET',
  'START_PURCHASE',
  'START_PREMIUM_PURCHASE',
  'GET_NETWORKING_CONFIG',
  'NETWORKING_CREATE_TOKEN',
])

/** Why a session that speaks for another user than the client's may not have this carried out; undefined: it may. The client itself cannot know. */
export const notForOthers = (cmd: string): BridgeError | undefined =>
  OF_ITS_USER.has(cmd)
    ? new BridgeError('INVALID_TOKEN', `${cmd} is about the user of the desktop client, and this game is signed in as another user.`)
    : undefined
