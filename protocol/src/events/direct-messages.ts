/** Events about direct messages in which a game takes part. */
import * as z from 'zod'
import { UserMessage } from '../records/user-message.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

const requires = anyOf('dm_channels.messages.read')
/** Senders leave out much of a message, of a changed one above all. */
const message = UserMessage.partial().extend({ id: Snowflake })

export const gameDirectMessageCreate = defineEvent({
  name: 'GAME_DIRECT_MESSAGE_CREATE',
  summary: 'The user sent or got a direct message.',
  delivery: 'subscription',
  requires,
  args: noArguments,
  data: message,
  provenance: 'sallyport',
})

export const gameDirectMessageUpdate = defineEvent({
  name: 'GAME_DIRECT_MESSAGE_UPDATE',
  summary: 'A direct message of the user was edited; its id and what changed are told.',
  delivery: 'subscription',
  requires,
  args: noArguments,
  data: message,
  provenance: 'sallyport',
})

export const gameDirectMessageDelete = defineEvent({
  name: 'GAME_DIRECT_MESSAGE_DELETE',
  summary: 'A direct message of the user was deleted.',
  delivery: 'subscription',
  requires,
  args: noArguments,
  data: z.looseObject({ id: Snowflake, channel_id: Snowflake.optional() }),
  provenance: 'sallyport',
})
