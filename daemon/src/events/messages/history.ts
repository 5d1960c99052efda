/** The interface of the message history: direct messages that the bridge has seen, so that games need not wait for the platform. */
import type { AccountKey } from '@sallyport/core/account-key'
import type { UserMessage } from '@sallyport/protocol'

/** The messages between two users, as one application reads them for the user of the account. */
export interface Conversation extends AccountKey {
  /** The other user. */
  readonly peerId: string
}

/** The state before a call to the platform. Its result is stored only if nothing was changed or deleted since. */
export interface HistoryMark {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly changes: number
  readonly deletions: number
}

/** Never rejects: on a failure the messages are requested from the platform again. */
export interface MessageHistory {
  mark(): HistoryMark
  /** The newest `limit` messages, the newest first; undefined when too few are stored or they are outdated. */
  load(conversation: Conversation, limit: number): Promise<UserMessage[] | undefined>
  /** Stores the platform's response to a request for `limit` messages. */
  store(conversation: Conversation, mark: HistoryMark, limit: number, messages: readonly UserMessage[]): Promise<void>
  /** Adds a message that was sent or edited via the bridge. */
  add(conversation: Conversation, mark: HistoryMark, message: UserMessage): Promise<void>
  /** Removes a deleted message. */
  remove(conversation: Conversation, messageId: string): Promise<void>
  /** Applies a platform event about a new or edited message, which may be partial. A newer stored version stays. */
  onMessage(conversation: Conversation, message: Partial<UserMessage> & Pick<UserMessage, 'id'>): Promise<void>
  /** Applies a platform event about a deleted message, which does not name the conversation. */
  onMessageDeleted(applicationId: string, messageId: string): Promise<void>
  /** Drops a conversation after an incomplete event, so that the next request goes to the platform. */
  invalidate(conversation: Conversation): Promise<void>
  /** Deletes all messages of an account. */
  deleteAccount(account: AccountKey): Promise<void>
  close(): Promise<void>
}
