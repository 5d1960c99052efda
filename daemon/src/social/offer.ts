/** An activity that somebody may join: whose it is, where it was offered, and what a platform that gives no secret for it means. */
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { ActivityMessage } from './activity-message.ts'

export interface Offer {
  readonly userId: string
  readonly sessionId: string
  /** Of the game, which may be a sibling of the one that asks. */
  readonly applicationId: string
  readonly channelId: string
  readonly messageId: string
}

/** Undefined where the platform did not say which session shows the activity. */
export const offerOf = ({ author, sessionId, applicationId, channelId, messageId }: ActivityMessage): Offer | undefined =>
  sessionId === undefined ? undefined : { userId: author.id, sessionId, applicationId, channelId, messageId }

/** Codes of the platform: the session or the message is gone, or its party is not open to this user. */
const NOT_OFFERED: ReadonlySet<number> = new Set([10_003, 10_008, 10_013, 50_001])

/** Rejects with INVALID_INVITE when there is nothing to join any more, and with whatever else went wrong as it is. */
export async function offeredSecret(secretOf: () => Promise<Secret<string>>): Promise<Secret<string>> {
  try {
    return await secretOf()
  } catch (failure) {
    if (!(failure instanceof BridgeError) || !NOT_OFFERED.has(failure.detail.platform_code ?? 0)) throw failure
    throw new BridgeError('INVALID_INVITE', 'The invite is no longer valid: whoever sent it stopped playing, or it was not for this user.')
  }
}
