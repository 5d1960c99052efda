/** The target of a join: the activity, its user and the message of the invite. */
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { ActivityMessage } from './activity-message.ts'

export interface JoinTarget {
  readonly userId: string
  readonly sessionId: string
  /** Of the game, which may be a sibling of the calling one. */
  readonly applicationId: string
  readonly channelId: string
  readonly messageId: string
}

/** Undefined if the platform did not name the session that shows the activity. */
export const joinTargetOf = ({ author, sessionId, applicationId, channelId, messageId }: ActivityMessage): JoinTarget | undefined =>
  sessionId === undefined ? undefined : { userId: author.id, sessionId, applicationId, channelId, messageId }

/** Platform codes: the session or message no longer exists, or its party is not open to this user. */
const NOT_JOINABLE: ReadonlySet<number> = new Set([10_003, 10_008, 10_013, 50_001])

/** Rejects with INVALID_INVITE if the target can no longer be joined, and with other errors unchanged. */
export async function fetchJoinSecret(fetchSecret: () => Promise<Secret<string>>): Promise<Secret<string>> {
  try {
    return await fetchSecret()
  } catch (failure) {
    if (!(failure instanceof BridgeError) || !NOT_JOINABLE.has(failure.detail.platform_code ?? 0)) throw failure
    throw new BridgeError('INVALID_INVITE', 'The invite is no longer valid: its sender stopped playing, or it was not for this user.')
  }
}
