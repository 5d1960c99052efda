/** What the gateway tells of the user's own conversations, besides events: the history that is kept of them, and invites to whoever decides about these. */
import type { UserMessage } from '@sallyport/protocol'
import type { Logger } from '@sallyport/core/logger'
import type { MessageHistory } from '../../../messages/history.ts'
import { type Fields, fieldsOf, idOf, listOf } from '../../../platform/gateway/reading.ts'

/** Whose conversations they are. */
export interface Account {
  readonly applicationId: string
  readonly userId: string
}

/** Hears of messages that carry an activity: an invite to it, or a request to be invited. */
export type ActivityMessageListener = (message: unknown, account: Account) => void

export interface ConversationsParts {
  readonly history: Pick<MessageHistory, 'told' | 'takenBack'>
  readonly log: Logger
  readonly onActivityMessage: ActivityMessageListener
}

export class Conversations {
  readonly #parts: ConversationsParts

  constructor(parts: ConversationsParts) {
    this.#parts = parts
  }

  take(t: string, d: unknown, account: Account): void {
    const message = fieldsOf(d)
    if (message['guild_id'] != null) return
    if (t === 'MESSAGE_CREATE' && message['activity'] != null) this.#parts.onActivityMessage(d, account)
    const id = idOf(message['id'])
    // What is said in a lobby is no conversation between two.
    if (id === undefined || message['lobby_id'] != null) return
    if (t === 'MESSAGE_DELETE') this.#inBackground(this.#parts.history.takenBack(account.applicationId, id))
    else if (t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE') this.#keep(message, account)
  }

  #keep(message: Fields, account: Account): void {
    const peerId = peerOf(message, account.userId)
    // The history looks at the fields itself, and takes parts of a message.
    if (peerId !== undefined)
      this.#inBackground(this.#parts.history.told({ ...account, peerId }, message as Partial<UserMessage> & Pick<UserMessage, 'id'>))
  }

  #inBackground(work: Promise<void>): void {
    work.catch((err: unknown) => this.#parts.log.error('message-not-kept', { err }))
  }
}

/** The other side of the conversation; undefined when the message does not say. */
function peerOf(message: Fields, userId: string): string | undefined {
  const author = idOf(fieldsOf(message['author'])['id'])
  if (author === undefined) return undefined
  if (author !== userId) return author
  const recipients = listOf(fieldsOf(message['channel'])['recipients']).map((one) => idOf(fieldsOf(one)['id']))
  return idOf(message['recipient_id']) ?? recipients.find((id) => id !== userId)
}
