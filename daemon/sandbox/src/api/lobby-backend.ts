/** Lobby operations of game backends with the bot token: create, change and delete lobbies; add and remove members. */
import { LOBBY_IDLE_DEFAULT_S, LOBBY_MEMBERS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { type Platform, rememberApplication } from '../platform.ts'
import type { StoredLobby, StoredLobbyMember } from '../store/records.ts'
import type { Handler, Handlers } from './handlers.ts'
import { endLobbyWrites, lobbyOf } from './lobby-lifecycle.ts'
import { lobbyView, memberView, withMember } from './lobby-view.ts'
import { personView } from './user-view.ts'

type Settings = Omit<Parameters<Handler<'MODIFY_LOBBY'>>[0], 'lobby_id'>

const createLobby: Handler<'CREATE_LOBBY'> = (settings, { platform, caller }) => {
  const { store, ids, clock } = platform
  const lobby = changed(platform, caller.applicationId, settings, {
    id: ids.next(),
    applicationId: caller.applicationId,
    metadata: null,
    members: [],
    flags: 0,
    secretHash: null,
    createdAt: clock.now(),
    idleTimeoutSeconds: LOBBY_IDLE_DEFAULT_S,
    lastUsedAt: clock.now(),
  })
  store.commit([...rememberApplication(platform, caller.applicationId), store.lobbies.put(lobby.id, lobby)])
  return lobbyView(platform, lobby)
}

const getLobby: Handler<'GET_LOBBY'> = ({ lobby_id }, { platform, caller }) =>
  lobbyView(platform, lobbyOf(platform, caller.applicationId, lobby_id))

const modifyLobby: Handler<'MODIFY_LOBBY'> = ({ lobby_id, ...settings }, { platform, caller }) => {
  const { store, clock } = platform
  const before = lobbyOf(platform, caller.applicationId, lobby_id)
  const lobby = { ...changed(platform, caller.applicationId, settings, before), lastUsedAt: clock.now() }
  store.commit([store.lobbies.put(lobby.id, lobby)])
  return lobbyView(platform, lobby)
}

const deleteLobby: Handler<'DELETE_LOBBY'> = ({ lobby_id }, { platform, caller }) => {
  platform.store.commit(endLobbyWrites(platform, lobbyOf(platform, caller.applicationId, lobby_id)))
  return null
}

/** Omitted settings stay unchanged; null clears them. */
function changed(platform: Platform, applicationId: string, settings: Settings, lobby: StoredLobby): StoredLobby {
  const { metadata, members, flags, idle_timeout_seconds, override_event_webhooks_url } = settings
  for (const { id } of members ?? []) checkUser(platform, applicationId, id)
  const { overrideEventWebhooksUrl, ...rest } = lobby
  const webhooksUrl = override_event_webhooks_url === undefined ? overrideEventWebhooksUrl : (override_event_webhooks_url ?? undefined)
  return {
    ...rest,
    metadata: metadata === undefined ? lobby.metadata : metadata,
    members: members === undefined ? lobby.members : (members ?? []).reduce(withMember, [] as readonly StoredLobbyMember[]),
    flags: flags === undefined ? lobby.flags : (flags ?? 0),
    idleTimeoutSeconds: idle_timeout_seconds ?? lobby.idleTimeoutSeconds,
    ...(webhooksUrl === undefined ? {} : { overrideEventWebhooksUrl: webhooksUrl }),
  }
}

function checkUser(platform: Platform, applicationId: string, id: string): void {
  if (personView(platform, applicationId, id) === undefined) throw new PlatformError('unknownUser')
}

const addLobbyMember: Handler<'ADD_LOBBY_MEMBER'> = ({ lobby_id, user_id, ...change }, { platform, caller }) => {
  const { store, clock } = platform
  const lobby = lobbyOf(platform, caller.applicationId, lobby_id)
  checkUser(platform, caller.applicationId, user_id)
  const isMember = lobby.members.some(({ id }) => id === user_id)
  if (!isMember && lobby.members.length >= LOBBY_MEMBERS_MAX) throw new PlatformError('lobbyFull')
  const members = withMember(lobby.members, { id: user_id, ...change })
  store.commit([store.lobbies.put(lobby.id, { ...lobby, members, lastUsedAt: clock.now() })])
  return members.filter(({ id }) => id === user_id).map(memberView)[0] as ReturnType<typeof memberView>
}

const removeLobbyMember: Handler<'REMOVE_LOBBY_MEMBER'> = ({ lobby_id, user_id }, { platform, caller }) => {
  const lobby = lobbyOf(platform, caller.applicationId, lobby_id)
  checkUser(platform, caller.applicationId, user_id)
  removeMember(platform, lobby, user_id)
  return null
}

/** Removes the user, who may already have left. */
export function removeMember({ store, clock }: Platform, lobby: StoredLobby, userId: string): void {
  const members = lobby.members.filter(({ id }) => id !== userId)
  store.commit([store.lobbies.put(lobby.id, { ...lobby, members, lastUsedAt: clock.now() })])
}

const updateLobbyMessageModerationMetadata: Handler<'UPDATE_LOBBY_MESSAGE_MODERATION_METADATA'> = (
  { lobby_id, message_id, metadata },
  { platform, caller },
) => {
  const { store } = platform
  const lobby = lobbyOf(platform, caller.applicationId, lobby_id)
  const message = store.messages.get(message_id)
  if (message === undefined || message.lobbyId !== lobby.id) throw new PlatformError('unknownMessage')
  store.commit([store.messages.put(message.id, { ...message, moderationMetadata: metadata })])
  return null
}

export const lobbyBackendHandlers = {
  ADD_LOBBY_MEMBER: addLobbyMember,
  CREATE_LOBBY: createLobby,
  DELETE_LOBBY: deleteLobby,
  GET_LOBBY: getLobby,
  MODIFY_LOBBY: modifyLobby,
  REMOVE_LOBBY_MEMBER: removeLobbyMember,
  UPDATE_LOBBY_MESSAGE_MODERATION_METADATA: updateLobbyMessageModerationMetadata,
} satisfies Partial<Handlers>
