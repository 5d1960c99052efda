/** The original response to an interaction. */
import { callbackOf, type InteractionCallback, type InteractionCallbackRow, canAnswer } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { seededId } from '../snowflake.ts'
import type { StoredInteraction } from '../store/admin-records.ts'
import type { StoredChannelMessage } from '../store/records.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { interactionOf } from './interaction-lifecycle.ts'
import { RESPONSE_FLAGS, responseMessage, changedResponse } from './interaction-messages.ts'
import { messageView } from './message-view.ts'

type Args = Parameters<Handler<'CREATE_INTERACTION_RESPONSE'>>[0]
type MessageData = Exclude<NonNullable<Args['data']>, { choices: unknown } | { title: unknown } | { eligible: unknown }>
type Callback = InteractionCallbackRow & { readonly name: string }

const createInteractionResponse: Handler<'CREATE_INTERACTION_RESPONSE'> = (
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
  if (callback === undefined || !canAnswer(interaction.type, callback)) throw callbackMismatch(interaction.type, type)
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

const callbackMismatch = (interactionType: number, type: number): PlatformError =>
  new PlatformError('invalidForm', {
    errors: {
      type: {
        _errors: [
          {
            code: 'INTERACTION_CALLBACK_INVALID',
            message: `Interactions of type ${interactionType} do not allow a response of type ${type}.`,
          },
        ],
      },
    },
  })

/** The message that the response creates or changes. */
function messageFor(operation: Operation, interaction: StoredInteraction, { name, data }: Callback, given: MessageData) {
  if (name === 'DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE')
    return responseMessage(operation, interaction, {}, ((given.flags ?? 0) & RESPONSE_FLAGS.ephemeral) | RESPONSE_FLAGS.loading)
  if (data === 'message') return responseMessage(operation, interaction, given)
  if (data !== 'changes') return undefined
  const before = operation.platform.store.channelMessages.get(interaction.originalId ?? '')
  if (before === undefined) throw new PlatformError('unknownMessage')
  return changedResponse(operation, interaction, before, given)
}

function view(
  platform: Platform,
  interaction: StoredInteraction,
  { type, name }: Callback,
  message: StoredChannelMessage | undefined,
): InteractionCallback {
  const instance = name === 'LAUNCH_ACTIVITY' ? activityInstanceId(platform, interaction) : undefined
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(instance === undefined ? {} : { activity_instance_id: instance }),
      ...(message === undefined
        ? {}
        : {
            response_message_id: message.id,
            response_message_loading: (message.flags & RESPONSE_FLAGS.loading) !== 0,
            response_message_ephemeral: (message.flags & RESPONSE_FLAGS.ephemeral) !== 0,
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

/** The id of the activity that a response to the interaction launches. */
export const activityInstanceId = ({ seed }: Platform, { id }: { readonly id: string }): string => `i-${seededId(seed, `instance ${id}`)}`

export const interactionHandlers = {
  CREATE_INTERACTION_RESPONSE: createInteractionResponse,
} satisfies Partial<Handlers>
