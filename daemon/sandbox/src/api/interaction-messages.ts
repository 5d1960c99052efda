/** Messages of interactions: the original response, and followups. */
import { INTEGRATION_TYPES, LIMITS, MESSAGE_FLAGS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredInteraction } from '../store/admin-records.ts'
import type { StoredChannelMessage } from '../store/records.ts'
import type { Write } from '../store/collection.ts'
import { checkSizes, received } from './attachments.ts'
import { checkModerated } from './auto-moderation.ts'
import { changedMessage } from './channel-messages.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { validInteraction } from './interaction-lifecycle.ts'
import { messageView } from './message-view.ts'
import { newMessage } from './new-message.ts'
import { channelPermissions, holds } from './permissions.ts'
import { checkPremiumButtons } from './premium-buttons.ts'

type Draft = Omit<Parameters<Handler<'CREATE_FOLLOWUP_MESSAGE'>>[0], 'application_id' | 'interaction_token'>
type Changes = Omit<Parameters<Handler<'EDIT_ORIGINAL_INTERACTION_RESPONSE'>>[0], 'application_id' | 'interaction_token'>

/** Flags of ephemeral and of deferred messages. */
export const RESPONSE_FLAGS = { ephemeral: 1 << 6, loading: 1 << 7 } as const

/** A message and the writes that store it. */
interface MessageWrites {
  readonly message: StoredChannelMessage
  readonly writes: readonly Write[]
}

const sizeLimitOf = ({ attachmentSizeLimit = LIMITS.attachmentBytes.value }: StoredInteraction): number => attachmentSizeLimit

/** A message of the application for an interaction. */
export function responseMessage(
  operation: Operation,
  interaction: StoredInteraction,
  draft: Draft,
  flags = draft.flags ?? 0,
): MessageWrites {
  const { platform, files } = operation
  const { id, type, userId, owners, applicationId, channelId, guildId } = interaction
  checkPremiumButtons(platform, applicationId, draft.components ?? [])
  checkModerated(draft.content, { operation, guildId, channelId })
  checkSizes(files, sizeLimitOf(interaction))
  const { attachments, writes } = received(platform, files, draft.attachments ?? [])
  const message = {
    ...newMessage(platform, { channelId, applicationId }, { ...draft, flags: flags | externalFlags(platform, interaction) }),
    attachments,
    cause: { interactionId: id, type, userId, owners },
  }
  return { message, writes: [...writes, platform.store.channelMessages.put(message.id, message)] }
}

/** Whether only the user installed the application, not the guild or channel. */
const isOfUserOnly = ({ owners }: StoredInteraction): boolean =>
  Object.hasOwn(owners, INTEGRATION_TYPES.user) && !Object.hasOwn(owners, INTEGRATION_TYPES.guild)

/** Responses of an application that the user alone installed are ephemeral where the user may not use external apps. */
function externalFlags(platform: Platform, interaction: StoredInteraction): number {
  const { applicationId, userId } = interaction
  const channel = platform.store.channels.get(interaction.channelId)
  const guild = platform.store.guilds.get(interaction.guildId ?? '')
  if (channel === undefined || guild === undefined || !isOfUserOnly(interaction)) return 0
  const bits = channelPermissions(platform, guild, channel, { kind: 'user', id: userId })
  const mayUse = holds(bits, 'USE_EXTERNAL_APPS')
  return !mayUse && platform.strictness.holds('external-app', applicationId, guild.name) ? RESPONSE_FLAGS.ephemeral : 0
}

/** The message after an edit. A deferred one becomes visible and stays ephemeral if it was. */
export function changedResponse(
  operation: Operation,
  interaction: StoredInteraction,
  before: StoredChannelMessage,
  changes: Changes,
): MessageWrites {
  const { guildId, channelId } = interaction
  checkModerated(changes.content, { operation, guildId, channelId })
  checkSizes(operation.files, sizeLimitOf(interaction))
  const isPromise = (before.flags & RESPONSE_FLAGS.loading) !== 0
  if (changes.poll !== undefined && changes.poll !== null && !isPromise)
    throw new PlatformError('invalidForm', {
      errors: { poll: { _errors: [{ code: 'POLL_NOT_ALLOWED', message: 'A poll can only be added to a deferred response.' }] } },
    })
  const { poll, ...rest } = changes
  const base = { ...before, flags: before.flags & ~RESPONSE_FLAGS.loading, ...(poll === undefined ? {} : { poll }) }
  const { message: after, writes } = changedMessage(operation, base, rest)
  const message = {
    ...after,
    flags: after.flags | (before.flags & RESPONSE_FLAGS.ephemeral),
    ...(isPromise ? { editedAt: null } : {}),
  }
  return { message, writes: [...writes, operation.platform.store.channelMessages.put(message.id, message)] }
}

function messageOf({ store }: Platform, id: string | null): StoredChannelMessage {
  const found = id === null ? undefined : store.channelMessages.get(id)
  if (found === undefined) throw new PlatformError('unknownMessage')
  return found
}

const getOriginalInteractionResponse: Handler<'GET_ORIGINAL_INTERACTION_RESPONSE'> = ({ interaction_token }, { platform }) =>
  messageView(platform, messageOf(platform, validInteraction(platform, interaction_token).originalId))

const editOriginalInteractionResponse: Handler<'EDIT_ORIGINAL_INTERACTION_RESPONSE'> = (
  { application_id: _, interaction_token, with_components: _all, ...changes },
  operation,
) => {
  const { platform } = operation
  const interaction = validInteraction(platform, interaction_token)
  return changedOriginal(operation, interaction, changes)
}

function changedOriginal(operation: Operation, interaction: StoredInteraction, changes: Changes) {
  const { platform } = operation
  const { store } = platform
  const { message, writes } = changedResponse(operation, interaction, messageOf(platform, interaction.originalId), changes)
  store.commit([...writes, store.interactions.put(interaction.id, { ...interaction, isDeferred: false })])
  return messageView(platform, message)
}

const deleteOriginalInteractionResponse: Handler<'DELETE_ORIGINAL_INTERACTION_RESPONSE'> = ({ interaction_token }, { platform }) => {
  const { store } = platform
  const interaction = validInteraction(platform, interaction_token)
  const { id } = messageOf(platform, interaction.originalId)
  store.commit([store.channelMessages.delete(id), store.interactions.put(interaction.id, { ...interaction, originalId: null })])
  return null
}

const createFollowupMessage: Handler<'CREATE_FOLLOWUP_MESSAGE'> = (
  { application_id: _, interaction_token, with_components: _all, tts, ...draft },
  operation,
) => {
  const { platform } = operation
  const { store } = platform
  const interaction = validInteraction(platform, interaction_token)
  // The first message after a deferral is the deferred one.
  if (interaction.isDeferred && interaction.originalId !== null) return changedOriginal(operation, interaction, draft)
  const { followupIds } = interaction
  if (isOfUserOnly(interaction) && followupIds.length >= LIMITS.userInstallFollowups.value) throw new PlatformError('tooManyFollowups')
  const { message, writes } = responseMessage(operation, interaction, { ...draft, tts }, (draft.flags ?? 0) & FOLLOWUP_FLAGS)
  store.commit([...writes, store.interactions.put(interaction.id, { ...interaction, followupIds: [...followupIds, message.id] })])
  return messageView(platform, message)
}

const FOLLOWUP_FLAGS = RESPONSE_FLAGS.ephemeral | Object.values(MESSAGE_FLAGS).reduce((sum, flag) => sum | flag, 0)

/** A followup message of the interaction. */
function followupOf(platform: Platform, token: string, messageId: string) {
  const interaction = validInteraction(platform, token)
  if (!interaction.followupIds.includes(messageId)) throw new PlatformError('unknownMessage')
  return { interaction, message: messageOf(platform, messageId) }
}

const getFollowupMessage: Handler<'GET_FOLLOWUP_MESSAGE'> = ({ interaction_token, message_id }, { platform }) =>
  messageView(platform, followupOf(platform, interaction_token, message_id).message)

const editFollowupMessage: Handler<'EDIT_FOLLOWUP_MESSAGE'> = (
  { application_id: _, interaction_token, message_id, with_components: _all, ...changes },
  operation,
) => {
  const { platform } = operation
  const { interaction, message: before } = followupOf(platform, interaction_token, message_id)
  const { message, writes } = changedResponse(operation, interaction, before, changes)
  platform.store.commit(writes)
  return messageView(platform, message)
}

const deleteFollowupMessage: Handler<'DELETE_FOLLOWUP_MESSAGE'> = ({ interaction_token, message_id }, { platform }) => {
  const { message } = followupOf(platform, interaction_token, message_id)
  platform.store.commit([platform.store.channelMessages.delete(message.id)])
  return null
}

export const interactionMessageHandlers = {
  CREATE_FOLLOWUP_MESSAGE: createFollowupMessage,
  DELETE_FOLLOWUP_MESSAGE: deleteFollowupMessage,
  DELETE_ORIGINAL_INTERACTION_RESPONSE: deleteOriginalInteractionResponse,
  EDIT_FOLLOWUP_MESSAGE: editFollowupMessage,
  EDIT_ORIGINAL_INTERACTION_RESPONSE: editOriginalInteractionResponse,
  GET_FOLLOWUP_MESSAGE: getFollowupMessage,
  GET_ORIGINAL_INTERACTION_RESPONSE: getOriginalInteractionResponse,
} satisfies Partial<Handlers>
