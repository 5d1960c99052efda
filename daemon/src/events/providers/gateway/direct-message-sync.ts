/**
 * Records the direct messages that the gateway sends in the message history, forgets those with a user whose relationship changed, and
 * passes invites on to the handler of invites.
 */
import type { UserMessage } from '@sallyport/protocol'
import type { AccountKey } from '@sallyport/core/account-key'
import type { Logger } from '@sallyport/core/logger'
import type { MessageHistory } from '../../messages/history.ts'
import { type Fields, fieldsOf, idOf, listOf } from '@sallyport/core/json-read'

/** Receives messages with an activity: an invite, or a join request. */
type ActivityMessageListener = (message: unknown, account: AccountKey) => void

interface DirectMessageSyncDeps {
  readonly history: Pick<MessageHistory, 'onMessage' | 'onMessageDeleted' | 'invalidate'>
  readonly log: Logger
  readonly onActivityMessage: ActivityMessageListener
}

export class DirectMessageSync {
  readonly #deps: DirectMessageSyncDeps

  constructor(deps: DirectMessageSyncDeps) {
    this.#deps = deps
  }

  handle(t: string, d: unknown, account: AccountKey): void {
    const message = fieldsOf(d)
    if (t.startsWith('RELATIONSHIP_')) return this.#forget(message, account)
    if (message['guild_id'] != null) return
    if (t === 'MESSAGE_CREATE' && message['activity'] != null) this.#deps.onActivityMessage(d, account)
    const id = idOf(message['id'])
    // A lobby message is not a direct message.
    if (id === undefined || message['lobby_id'] != null) return
    if (t === 'MESSAGE_DELETE') this.#inBackground(this.#deps.history.onMessageDeleted(account.applicationId, id))
    else if (t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE') this.#store(message, account)
  }

  /** A block hides messages, and its end shows them again, so the platform is asked. */
  #forget(relationship: Fields, account: AccountKey): void {
    const peerId = idOf(relationship['id'])
    if (peerId !== undefined) this.#inBackground(this.#deps.history.invalidate({ ...account, peerId }))
  }

  #store(message: Fields, account: AccountKey): void {
    const peerId = peerOf(message, account.userId)
    // The history validates the fields, and accepts a partial message.
    if (peerId !== undefined)
      this.#inBackground(this.#deps.history.onMessage({ ...account, peerId }, message as Partial<UserMessage> & Pick<UserMessage, 'id'>))
  }

  #inBackground(work: Promise<void>): void {
    work.catch((err: unknown) => this.#deps.log.error('message-not-stored', { err }))
  }
}

/** The other user of the conversation; undefined when the message does not name them. */
function peerOf(message: Fields, userId: string): string | undefined {
  const author = idOf(fieldsOf(message['author'])['id'])
  if (author === undefined) return undefined
  if (author !== userId) return author
  const recipients = listOf(fieldsOf(message['channel'])['recipients']).map((one) => idOf(fieldsOf(one)['id']))
  return idOf(message['recipient_id']) ?? recipients.find((id) => id !== userId)
}
