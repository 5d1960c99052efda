/** The first answer to an interaction. */
import { callbackOf, type InteractionCallback, type InteractionCallbackRow, mayAnswer } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { seededId } from '../snowflake.ts'
import type { StoredInteraction } from '../store/administration.ts'
import type { StoredChannelMessage } from '../store/records.ts'
import type { Handler, Operation } from './handlers.ts'
import { interactionOf } from './interaction-life.ts'
import { ANSWER_FLAGS, answerTo, changedAnswer } from './interaction-messages.ts'
import { messageView } from './message-view.ts'

type Args = Parameters<Handler<'CREATE_INTERACTION_RESPONSE'>>[0]
type MessageData = Exclude<NonNullable<Args['data']>, { choices: unknown } | { title: unknown }>
type Callback = InteractionCallbackRow & { readonly name: string }

export const createInteractionResponse: Handler<'CREATE_INTERACTION_RESPONSE'> = (
  { interaction_token, with_response = false, type, data },
  operation,
) => {
  const { platform } = operation
  const { store, clock } = platform
  const interaction = interactionOf(platform, interaction_token)
  if (interaction === undefined) throw new PlatformError('unknownInteraction')
  if (interaction.answeredBy !== null) throw new PlatformError('alreadyAnswered')
  if (clock.now() - interaction.createdAt > interaction.answerWithinMs) throw new PlatformError('unknownInteraction')
  const callback = callbackOf(type)
  if (callback === undefined || !mayAnswer(interaction.type, callback)) throw misfit(interaction.type, type)
  const kept = messageFor(operation, interaction, callback, (data ?? {}) as MessageData)
  const answered: StoredInteraction = {
    ...interaction,
    answeredBy: type,
    originalId: kept?.message.id ?? interaction.originalId,
    isDeferred: callback.name === 'DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE',
  }
  store.commit([...(kept?.writes ?? []), store.interactions.put(interaction.id, answered)])
  return with_response ? view(platform, answered, callback, kept?.message) : null
}

const misfit = (interactionType: number, type: number): PlatformError =>
  new PlatformError('invalidForm', {
    errors: {
      type: {
        _errors: [
          { code: 'INTERACTION_CALLBACK_INVALID', message: `Interactions of type ${interactionType} cannot be answered by ${type}.` },
        ],
      },
    },
  })

/** The message that the answer makes or changes. */
function messageFor(operation: Operation, interaction: StoredInteraction, { name, data }: Callback, given: MessageData) {
  if (name === 'DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE')
    return answerTo(operation, interaction, {}, ((given.flags ?? 0) & ANSWER_FLAGS.ephemeral) | ANSWER_FLAGS.loading)
  if (data === 'message') return answerTo(operation, interaction, given)
  if (data !== 'changes') return undefined
  const before = operation.platform.store.channelMessages.get(interaction.originalId ?? '')
  if (before === undefined) throw new PlatformError('unknownMessage')
  return changedAnswer(operation, interaction, before, given)
}

function view(
  platform: Platform,
  interaction: StoredInteraction,
  { type, name }: Callback,
  message: StoredChannelMessage | undefined,
): InteractionCallback {
  const instance = name === 'LAUNCH_ACTIVITY' ? `i-${seededId(platform.seed, `instance ${interaction.id}`)}` : undefined
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(instance === undefined ? {} : { activity_instance_id: instance }),
      ...(message === undefined
        ? {}
        : {
            response_message_id: message.id,
            response_message_loading: (message.flags & ANSWER_FLAGS.loading) !== 0,
            response_message_ephemeral: (message.flags & ANSWER_FLAGS.ephemeral) !== 0,
          }),
    },
    ...(message === undefined && instance === undefined
      ? {}
      : {
          resource: {
            type,
            ...(instance === undefined ? {} : { activity_instance: { id: instance } }),
            ...(message === undefined ? {} : { message: messageView(platform, message) }),
          },
        }),
  }
}
