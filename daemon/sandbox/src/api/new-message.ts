/** A new message, as it is stored. */
import type { Platform } from '../platform.ts'
import type { StoredChannelMessage } from '../store/records.ts'
import type { Handler } from './handlers.ts'

type Draft = Parameters<Handler<'CREATE_MESSAGE'>>[0]

/** A new message of an application, without files and without a reference. */
export const newMessage = (
  { ids }: Platform,
  { channelId, applicationId }: { readonly channelId: string; readonly applicationId: string },
  draft: Omit<Draft, 'channel_id'>,
): StoredChannelMessage => ({
  id: ids.next(),
  channelId,
  authorId: applicationId,
  applicationId,
  content: draft.content ?? '',
  embeds: draft.embeds ?? [],
  components: draft.components ?? [],
  stickerIds: draft.sticker_ids ?? [],
  poll: draft.poll ?? null,
  flags: draft.flags ?? 0,
  nonce: draft.nonce ?? null,
  tts: draft.tts ?? false,
  mentionedIds: mentionedIn(draft),
  reference: null,
  snapshot: null,
  editedAt: null,
  pinnedAt: null,
})

/** Users in the content whom the sender may mention. */
export function mentionedIn({ content, allowed_mentions: allowed }: Pick<Draft, 'content' | 'allowed_mentions'>): string[] {
  const named = [...(content ?? '').matchAll(/<@!?([0-9]+)>/g)].map((match) => match[1] ?? '')
  const all = allowed === undefined || allowed === null || (allowed.parse?.includes('users') ?? false)
  return [...new Set(named)].filter((id) => all || (allowed.users?.includes(id) ?? false))
}
