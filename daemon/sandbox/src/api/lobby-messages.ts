/** Lobby messages: send, read history, and the data of their events. */
import type { LobbyMessage } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { isBlockedBetween } from '../social/relationships.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { MessageChange } from '../store/message-change.ts'
import type { StoredLobby, StoredMessage } from '../store/records.ts'
import { checkModerated } from './auto-moderation.ts'
import { asUser, type Handler, type Handlers } from './handlers.ts'
import { historyOf, lobbyOfMember, touchWrites } from './lobby-lifecycle.ts'
import { personView } from './user-view.ts'
import { isoTime } from './wire-time.ts'

/** The default number of messages. */
const DEFAULT_PAGE = 50

const sendLobbyMessage: Handler<'SEND_LOBBY_MESSAGE'> = ({ lobby_id, content, metadata, flags }, { platform, caller }) => {
  const { store, ids, clock } = platform
  const user = asUser(caller)
  const lobby = lobbyOfMember(platform, user.applicationId, lobby_id, user.id)
  checkModerated(content)
  const message: StoredMessage = {
    id: ids.next(),
    lobbyId: lobby.id,
    applicationId: user.applicationId,
    authorId: user.id,
    content,
    metadata: metadata ?? null,
    flags: flags ?? 0,
  }
  const { lapsed } = historyOf([...store.messages.group(lobby.id), message], clock.now())
  store.commit([
    store.messages.put(message.id, message),
    ...lapsed.map(({ id }) => store.messages.delete(id)),
    ...touchWrites(platform, lobby),
  ])
  return lobbyMessageView(platform, lobby, message)
}

const getLobbyMessages: Handler<'GET_LOBBY_MESSAGES'> = ({ lobby_id, limit = DEFAULT_PAGE }, { platform, caller }) => {
  const { store, clock } = platform
  const user = asUser(caller)
  const lobby = lobbyOfMember(platform, user.applicationId, lobby_id, user.id)
  store.commit(touchWrites(platform, lobby))
  const { kept } = historyOf(store.messages.group(lobby.id), clock.now())
  return kept
    .filter(({ authorId }) => !isBlockedBetween(platform, user.id, authorId))
    .slice(-limit)
    .toReversed()
    .map((message) => lobbyMessageView(platform, lobby, message))
}

/** The data of an event of a lobby message. */
export function lobbyMessageEventData(platform: Platform, lobby: StoredLobby, change: MessageChange, message: StoredMessage): object {
  if (change === 'DELETE') return { id: message.id, lobby_id: lobby.id }
  const view = lobbyMessageView(platform, lobby, message)
  if (change === 'CREATE' || message.editedAt === undefined) return view
  return { ...view, timestamp: isoTime(snowflakeTime(message.id)), edited_timestamp: isoTime(message.editedAt) }
}

function lobbyMessageView(platform: Platform, lobby: StoredLobby, message: StoredMessage): LobbyMessage {
  const author = personView(platform, message.applicationId, message.authorId)
  if (author === undefined) throw new PlatformError('unknownUser')
  const additionalName = lobby.members.find(({ id }) => id === message.authorId)?.additionalName
  return {
    id: message.id,
    type: 0,
    content: message.content,
    lobby_id: lobby.id,
    // A lobby is its own channel.
    channel_id: lobby.id,
    author,
    ...(additionalName === undefined || additionalName === null ? {} : { lobby_member: { additional_name: additionalName } }),
    ...(message.metadata === null ? {} : { metadata: { ...message.metadata } }),
    ...(message.moderationMetadata === undefined ? {} : { moderation_metadata: { ...message.moderationMetadata } }),
    flags: message.flags,
    application_id: message.applicationId,
  }
}

export const lobbyMessageHandlers = {
  GET_LOBBY_MESSAGES: getLobbyMessages,
  SEND_LOBBY_MESSAGE: sendLobbyMessage,
} satisfies Partial<Handlers>
