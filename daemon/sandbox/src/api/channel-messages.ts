/** Channel messages of bots: create, reply, forward, edit. */
import { componentProblems, LIMITS, MESSAGE_FLAGS, REFERENCE_TYPES } from '@sallyport/protocol'
import { NONCE_KEPT_MS } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { Write } from '../store/collection.ts'
import type { StoredChannel, StoredChannelMessage } from '../store/records.ts'
import { received, retained } from './attachments.ts'
import { checkModerated } from './auto-moderation.ts'
import { mayIn, textChannelFor } from './channel-access.ts'
import { invalidBody } from './form-errors.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { mayReadContent, readableView } from './message-content.ts'
import { messageView, snapshotView } from './message-view.ts'
import { mentionedIn, newMessage } from './new-message.ts'
import { checkPremiumButtons } from './premium-buttons.ts'
import { checkSlowmode } from './slowmode.ts'

type Draft = Parameters<Handler<'CREATE_MESSAGE'>>[0]
type Changes = Parameters<Handler<'EDIT_MESSAGE'>>[0]

const createMessage: Handler<'CREATE_MESSAGE'> = (draft, operation) => {
  const { platform, caller, files } = operation
  const { store } = platform
  const channel = textChannelFor(
    operation,
    draft.channel_id,
    'SEND_MESSAGES',
    ...(draft.tts === true ? (['SEND_TTS_MESSAGES'] as const) : []),
    ...(files.length > 0 ? (['ATTACH_FILES'] as const) : []),
  )
  const earlier = draft.enforce_nonce === true ? sameNonce(operation, channel, draft.nonce) : undefined
  if (earlier !== undefined) return messageView(platform, earlier)
  checkSlowmode(operation, channel)
  checkPremiumButtons(platform, caller.applicationId, draft.components ?? [])
  checkModerated(draft.content, { operation, guildId: channel.guildId, channelId: channel.id })
  const { attachments, writes } = received(platform, files, draft.attachments ?? [])
  const message = {
    ...newMessage(platform, { channelId: channel.id, applicationId: caller.applicationId }, draft),
    attachments,
    ...referred(operation, channel, draft),
  }
  store.commit([...writes, store.channelMessages.put(message.id, message)])
  return messageView(platform, message)
}

/** A recent message of the same sender with this nonce. */
function sameNonce({ platform, caller }: Operation, channel: StoredChannel, nonce: Draft['nonce']): StoredChannelMessage | undefined {
  const { store, clock } = platform
  return store.channelMessages
    .group(channel.id)
    .find((one) => one.authorId === caller.applicationId && one.nonce === nonce && clock.now() - snowflakeTime(one.id) < NONCE_KEPT_MS)
}

/** The message of a reply or forward. For a forward the caller must be able to read it. */
function referred(
  operation: Operation,
  channel: StoredChannel,
  { message_reference: given }: Draft,
): Pick<StoredChannelMessage, 'reference' | 'snapshot'> {
  if (given === undefined || given === null) return { reference: null, snapshot: null }
  const { store } = operation.platform
  const isForward = given.type === REFERENCE_TYPES.forward
  const source = isForward ? store.channels.get(given.channel_id ?? '') : channel
  if (source === undefined) throw new PlatformError('unknownChannel')
  if (!mayIn(operation, source, 'READ_MESSAGE_HISTORY')) throw new PlatformError(isForward ? 'unreadableForward' : 'missingPermissions')
  const target = store.channelMessages.get(given.message_id)
  if (target === undefined || target.channelId !== source.id) {
    if (!isForward && given.fail_if_not_exists === false) return { reference: null, snapshot: null }
    throw new PlatformError('unknownMessage')
  }
  if (isForward && !mayReadContent(operation, target)) throw new PlatformError('unreadableForward')
  const type = isForward ? REFERENCE_TYPES.forward : REFERENCE_TYPES.reply
  return {
    reference: { type, messageId: target.id, channelId: source.id, guildId: source.guildId },
    snapshot: isForward ? snapshotView(operation.platform, target) : null,
  }
}

/** A message in a channel that the caller sees. */
export function messageFor({ platform }: Operation, channel: StoredChannel, messageId: string): StoredChannelMessage {
  const message = platform.store.channelMessages.get(messageId)
  if (message === undefined || message.channelId !== channel.id) throw new PlatformError('unknownMessage')
  return message
}

const editMessage: Handler<'EDIT_MESSAGE'> = (changes, operation) => {
  const { platform, caller, files } = operation
  const { store } = platform
  const channel = textChannelFor(operation, changes.channel_id, ...(files.length > 0 ? (['ATTACH_FILES'] as const) : []))
  const before = messageFor(operation, channel, changes.message_id)
  const isOwn = before.authorId === caller.applicationId
  if (!isOwn && !onlyFlags(changes)) throw new PlatformError('notAuthor')
  if (!isOwn && !mayIn(operation, channel, 'MANAGE_MESSAGES')) throw new PlatformError('missingPermissions')
  checkModerated(changes.content, { operation, guildId: channel.guildId, channelId: channel.id })
  const { message, writes } = changedMessage(operation, before, changes)
  store.commit([...writes, store.channelMessages.put(message.id, message)])
  return readableView(operation, message)
}

/** The message after an edit, with its files. Throws invalidForm or emptyMessage. */
export function changedMessage(
  { platform, files }: Operation,
  before: StoredChannelMessage,
  changes: Omit<Changes, 'channel_id' | 'message_id'>,
): { readonly message: StoredChannelMessage; readonly writes: readonly Write[] } {
  checkPremiumButtons(platform, before.authorId, changes.components ?? [])
  const { attachments, writes } = retained(platform, before.attachments ?? [], files, changes.attachments)
  if (attachments.length > LIMITS.messageAttachments.value)
    throw invalidBody([{ path: ['attachments'], message: `Must be ${LIMITS.messageAttachments.value} or fewer in length.` }])
  return { message: edited({ ...before, attachments }, changes, platform.clock.now()), writes }
}

function onlyFlags({ channel_id: _channel, message_id: _message, ...changes }: Changes): boolean {
  return Object.keys(changes).every((name) => name === 'flags')
}

/** Omitted fields stay; null clears them. A components message keeps its flag. */
function edited(before: StoredChannelMessage, changes: Omit<Changes, 'channel_id' | 'message_id'>, now: number): StoredChannelMessage {
  const flags = (before.flags & MESSAGE_FLAGS.IS_COMPONENTS_V2) | (changes.flags ?? before.flags)
  const problems = componentProblems({
    ...changes,
    flags,
    components: changes.components ?? ([...before.components] as Changes['components']),
  })
  if (problems.length > 0) throw invalidBody(problems)
  const message = {
    ...before,
    content: changes.content === undefined ? before.content : (changes.content ?? ''),
    embeds: changes.embeds === undefined ? before.embeds : (changes.embeds ?? []),
    components: changes.components === undefined ? before.components : (changes.components ?? []),
    mentionedIds: changes.content === undefined ? before.mentionedIds : mentionedIn(changes),
    flags,
    editedAt: now,
  }
  const { embeds, components, stickerIds, attachments = [] } = message
  const parts = [message.content, ...embeds, ...components, ...stickerIds, ...attachments, message.poll, message.snapshot]
  if (parts.every((part) => part === '' || part === null)) throw new PlatformError('emptyMessage')
  return message
}

export const channelMessageHandlers = {
  CREATE_MESSAGE: createMessage,
  EDIT_MESSAGE: editMessage,
} satisfies Partial<Handlers>
