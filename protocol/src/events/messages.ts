/** Events about messages. */
import * as z from 'zod'
import { RpcMessage } from '../records/message.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineEvent, OWN_CHANNELS } from './define.ts'

export const messageCreate = defineEvent({
  name: 'MESSAGE_CREATE',
  summary: 'A message was sent in the channel.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  narrowed: OWN_CHANNELS,
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: () => z.looseObject({ channel_id: Snowflake(), message: RpcMessage() }),
  provenance: 'documented',
})

export const messageUpdate = defineEvent({
  name: 'MESSAGE_UPDATE',
  summary: 'A message of the channel changed.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  narrowed: OWN_CHANNELS,
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: () => z.looseObject({ channel_id: Snowflake(), message: RpcMessage() }),
  provenance: 'documented',
})

export const messageDelete = defineEvent({
  name: 'MESSAGE_DELETE',
  summary: 'A message of the channel was deleted; contains only its id.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  narrowed: OWN_CHANNELS,
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: () => z.looseObject({ channel_id: Snowflake(), message: RpcMessage() }),
  provenance: 'documented',
})

export const notificationCreate = defineEvent({
  name: 'NOTIFICATION_CREATE',
  summary: 'The client shows a notification.',
  delivery: 'subscription',
  requires: allOf('rpc', 'rpc.notifications.read'),
  args: noArguments,
  data: () =>
    z.looseObject({ channel_id: Snowflake(), message: RpcMessage(), icon_url: z.string().nullable(), title: z.string(), body: z.string() }),
  provenance: 'documented',
})
