/** The direct messages that the bridge has seen, kept so that a game that asks for them again need not wait for the platform. */
import type { UserMessage } from '@sallyport/protocol'

/** The messages between two users, as one application reads them for one of them. */
export interface Conversation {
  readonly applicationId: string
  /** Who reads. */
  readonly userId: string
  /** With whom. */
  readonly peerId: string
}

/** A moment before a call to the platform. What the call gives is kept only if nothing was forgotten, changed or taken back since. */
export interface HistoryMark {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly changes: number
  readonly endings: number
}

/** Never rejects: what cannot be kept or found is asked of the platform again. */
export interface MessageHistory {
  mark(): HistoryMark
  /** The newest `limit` messages, the newest first; undefined when not enough are known, or not freshly enough. */
  recall(conversation: Conversation, limit: number): Promise<UserMessage[] | undefined>
  /** Keeps what the platform answered when it was asked for `limit` messages. */
  learn(conversation: Conversation, mark: HistoryMark, limit: number, messages: readonly UserMessage[]): Promise<void>
  /** A message that was sent or changed through the bridge. */
  note(conversation: Conversation, mark: HistoryMark, message: UserMessage): Promise<void>
  /** A message that was taken back. */
  drop(conversation: Conversation, messageId: string): Promise<void>
  /** The platform tells of a message that is new or changed, whole or the parts that matter. What is kept of a newer form of it stays. */
  told(conversation: Conversation, message: Partial<UserMessage> & Pick<UserMessage, 'id'>): Promise<void>
  /** The platform tells that a message was taken back, without saying by whom. */
  takenBack(applicationId: string, messageId: string): Promise<void>
  /** Something happened that was not told well enough: the next question goes to the platform. */
  doubt(conversation: Conversation): Promise<void>
  /** Deletes everything that was read for this user of this application. */
  forget(applicationId: string, userId: string): Promise<void>
  close(): Promise<void>
}

/** Keeps nothing: every history comes from the platform. */
export const noHistory: MessageHistory = {
  mark: () => ({ at: 0, changes: 0, endings: 0 }),
  recall: async () => undefined,
  learn: async () => {},
  note: async () => {},
  drop: async () => {},
  told: async () => {},
  takenBack: async () => {},
  doubt: async () => {},
  forget: async () => {},
  close: async () => {},
}
