/** Edits and deletions of lobby messages, which no operation of the API makes: they come from a lobby's linked channel and from the platform's own moderators. */
import { LIMITS } from '@sallyport/protocol'
import * as z from 'zod'
import { checkModerated } from '../api/auto-moderation.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'

export const LobbyMessageInput = z
  .strictObject({
    message_id: z.string().min(1),
    content: z.string().min(1).max(LIMITS.lobbyMessageContent.value).optional(),
    deleted: z.literal(true).optional(),
  })
  .refine(({ content, deleted }) => (content === undefined) !== (deleted === undefined), { message: 'give a content, or say deleted' })

/** Throws unknownMessage, or what auto-moderation says of the new content. */
export function changeLobbyMessage({ store, clock }: Platform, { message_id: id, content }: z.output<typeof LobbyMessageInput>): void {
  const message = store.messages.get(id)
  if (message === undefined) throw new PlatformError('unknownMessage')
  if (content === undefined) return store.commit([store.messages.drop(id)])
  checkModerated(content)
  // What moderation said was said of the text before.
  const { moderationMetadata: _, ...kept } = message
  store.commit([store.messages.put(id, { ...kept, content, editedAt: clock.now() })])
}
