/** What a bot without the message content intent receives of a message. */
import type { Message } from '@sallyport/protocol'
import type { StoredChannelMessage } from '../store/records.ts'
import { hasIntent } from './application-flags.ts'
import type { Operation } from './handlers.ts'
import { messageView } from './message-view.ts'

/** Whether the caller may read the content. Bots without the intent read only their own messages and their mentions. */
export function mayReadContent(operation: Operation, message: StoredChannelMessage): boolean {
  const { kind, id } = operation.caller
  return kind === 'user' || isAbout(message, id) || hasIntent(operation, 'MESSAGE_CONTENT')
}

/** Whether the message is by this user or bot, or mentions it. */
export const isAbout = ({ authorId, mentionedIds }: StoredChannelMessage, id: string): boolean =>
  authorId === id || mentionedIds.includes(id)

/** The message without what its author wrote. */
export function withoutContent({ poll: _, message_snapshots: snapshots, ...rest }: Message): Message {
  return {
    ...rest,
    ...emptyParts(),
    ...(snapshots == null ? {} : { message_snapshots: snapshots.map(({ message }) => ({ message: { ...message, ...emptyParts() } })) }),
  }
}

const emptyParts = () => ({ content: '', embeds: [], attachments: [], components: [] })

/** The wire form of a message for the caller. */
export function readableView(operation: Operation, message: StoredChannelMessage): Message {
  const view = messageView(operation.platform, message)
  return mayReadContent(operation, message) ? view : withoutContent(view)
}
