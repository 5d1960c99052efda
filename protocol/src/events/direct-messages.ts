/** Events about direct messages of the user. */
import * as z from 'zod'
import { once } from '../once.ts'
import { UserMessage } from '../records/user-message.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

const requires = anyOf('dm_channels.messages.read')
/** Messages can be partial, above all edited ones. */
const message = once(() => UserMessage().partial().extend({ id: Snowflake() }))

export const gameDirectMessageCreate = defineEvent({
  name: 'GAME_DIRECT_MESSAGE_CREATE',
  summary: 'The user sent or received a direct message.',
  delivery: 'subscription',
  requires,
  args: noArguments,
  data: message,
  provenance: 'sallyport',
})

export const gameDirectMessageUpdate = defineEvent({
  name: 'GAME_DIRECT_MESSAGE_UPDATE',
  summary: 'A direct message of the user was edited; contains its id and the changed fields.',
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
  data: () => z.looseObject({ id: Snowflake(), channel_id: Snowflake().optional() }),
  provenance: 'sallyport',
})
