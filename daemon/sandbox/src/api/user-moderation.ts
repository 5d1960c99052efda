/** Moderation metadata of direct messages, set by games. */
import { PlatformError } from '../platform-error.ts'
import { userPairKey } from '../store/user-messages.ts'
import type { Handler, Handlers } from './handlers.ts'

const updateUserMessageModerationMetadata: Handler<'UPDATE_USER_MESSAGE_MODERATION_METADATA'> = (
  { user_id_1: one, user_id_2: other, message_id, metadata },
  { platform, caller },
) => {
  const { store } = platform
  if ([one, other].some((id) => store.users.get(id) === undefined)) throw new PlatformError('unknownUser')
  const message = store.userMessages.group(userPairKey(one, other)).find(({ id }) => id === message_id)
  if (message === undefined || message.applicationId !== caller.applicationId) throw new PlatformError('unknownMessage')
  store.commit([store.userMessages.put(message.id, { ...message, moderationMetadata: metadata })])
  return null
}

export const userModerationHandlers = {
  UPDATE_USER_MESSAGE_MODERATION_METADATA: updateUserMessageModerationMetadata,
} satisfies Partial<Handlers>
