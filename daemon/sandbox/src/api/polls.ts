/** Polls of messages, and the deletion of several messages. */
import { DAY_MS } from '@sallyport/core/durations'
import { LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { StoredChannelMessage, StoredPoll } from '../store/records.ts'
import { auditWrites } from './audit-writes.ts'
import { textChannelFor } from './channel-access.ts'
import { messageFor } from './channel-messages.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { messageView } from './message-view.ts'
import { pageOf } from './pages.ts'
import { pollEnd } from './poll-view.ts'
import { personView } from './user-view.ts'

interface Named {
  readonly channel_id: string
  readonly message_id: string
}

function pollOf(
  operation: Operation,
  { channel_id, message_id }: Named,
): { readonly message: StoredChannelMessage; readonly poll: StoredPoll } {
  const channel = textChannelFor(operation, channel_id, 'READ_MESSAGE_HISTORY')
  const message = messageFor(operation, channel, message_id)
  if (message.poll === null) throw new PlatformError('unknownMessage')
  return { message, poll: message.poll }
}

const getAnswerVoters: Handler<'GET_ANSWER_VOTERS'> = ({ answer_id, after, limit, ...named }, operation) => {
  const { poll } = pollOf(operation, named)
  const voters = (poll.votes?.[String(answer_id)] ?? []).map((id) => ({ id }))
  const { platform, caller } = operation
  return { users: pageOf(voters, { after, limit }).flatMap(({ id }) => personView(platform, caller.applicationId, id) ?? []) }
}

const endPoll: Handler<'END_POLL'> = (named, operation) => {
  const { platform, caller } = operation
  const { message, poll } = pollOf(operation, named)
  if (message.authorId !== caller.applicationId) throw new PlatformError('missingPermissions')
  const now = platform.clock.now()
  if (now >= pollEnd(message.id, poll)) throw new PlatformError('pollExpired')
  const after = { ...message, poll: { ...poll, endedAt: now } }
  platform.store.commit([platform.store.channelMessages.put(after.id, after)])
  return messageView(platform, after)
}

/** Throws tooOldToDelete when one message is too old; then it deletes none. Unknown ids are ignored. */
const bulkDelete: Handler<'BULK_DELETE_MESSAGES'> = ({ channel_id, messages: ids, audit_log_reason: reason }, operation) => {
  const { store, clock } = operation.platform
  const channel = textChannelFor(operation, channel_id, 'MANAGE_MESSAGES')
  const oldest = clock.now() - LIMITS.bulkDeleteDays.value * DAY_MS
  const messages = ids.flatMap((id) => store.channelMessages.get(id) ?? []).filter((one) => one.channelId === channel.id)
  if (messages.some(({ id }) => snowflakeTime(id) < oldest)) throw new PlatformError('tooOldToDelete')
  const options = { count: String(messages.length) }
  store.commit([
    ...messages.flatMap(({ attachments = [] }) => attachments.map(({ id }) => store.files.delete(id))),
    ...messages.map(({ id }) => store.channelMessages.delete(id)),
    ...auditWrites(operation, channel.guildId, { event: 'MESSAGE_BULK_DELETE', targetId: channel.id, options, reason }),
  ])
  return null
}

export const pollHandlers = {
  BULK_DELETE_MESSAGES: bulkDelete,
  END_POLL: endPoll,
  GET_ANSWER_VOTERS: getAnswerVoters,
} satisfies Partial<Handlers>
