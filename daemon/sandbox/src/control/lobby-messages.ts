/** Edits and deletions of lobby messages. The API has no operation for them; on the real platform they come from linked channels and moderators. */
import { LIMITS } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { checkModerated } from '../api/auto-moderation.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'

export const LobbyMessageInput = once(() =>
  z
    .strictObject({
      message_id: z.string().min(1),
      content: z.string().min(1).max(LIMITS.lobbyMessageContent.value).optional(),
      deleted: z.literal(true).optional(),
    })
    .refine(({ content, deleted }) => (content === undefined) !== (deleted === undefined), {
      message: 'must have either content or deleted',
    }),
)

/** Throws unknownMessage, or the auto-moderation error of the new content. */
export function changeLobbyMessage(
  { store, clock }: Platform,
  { message_id: id, content }: z.output<ReturnType<typeof LobbyMessageInput>>,
): void {
  const message = store.messages.get(id)
  if (message === undefined) throw new PlatformError('unknownMessage')
  if (content === undefined) return store.commit([store.messages.delete(id)])
  checkModerated(content)
  // The moderation metadata belongs to the old text.
  const { moderationMetadata: _, ...kept } = message
  store.commit([store.messages.put(id, { ...kept, content, editedAt: clock.now() })])
}
