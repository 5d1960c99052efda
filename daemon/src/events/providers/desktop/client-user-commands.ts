/** Commands that act on the client's own user: entitlements, purchases, tickets. */
import type { CommandName } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'

const CLIENT_USER_COMMANDS: ReadonlySet<string> = new Set<CommandName>([
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

/** The error for a session that is signed in as another user than the client's; undefined: allowed. The client itself cannot check this. */
export const otherUserError = (cmd: string): BridgeError | undefined =>
  CLIENT_USER_COMMANDS.has(cmd)
    ? new BridgeError('INVALID_TOKEN', `${cmd} is about the user of the desktop client, and this game is signed in as another user.`)
    : undefined
