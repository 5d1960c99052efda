/** Events about lobbies; `lobby_id` is the lobby. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Lobby, LobbyMember, LobbyMessage } from '../records/lobby.ts'
import { IsoTime, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

/** Without an id: all lobbies of the user. */
const lobby = once(() => z.strictObject({ lobby_id: Snowflake().nullish() }).nullish())
const requires = anyOf('lobbies.write')

const withLobby = once(() => z.looseObject({ lobby_id: Snowflake(), lobby: Lobby() }))
const withMember = once(() => z.looseObject({ lobby_id: Snowflake(), member: LobbyMember() }))
/** Messages can be partial. */
const message = once(() => LobbyMessage().partial().extend({ id: Snowflake(), lobby_id: Snowflake() }))

export const lobbyCreate = defineEvent({
  name: 'LOBBY_CREATE',
  summary: 'The user joined a lobby.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: withLobby,
  provenance: 'sallyport',
})

export const lobbyUpdate = defineEvent({
  name: 'LOBBY_UPDATE',
  summary: 'A lobby of the user changed.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: withLobby,
  provenance: 'sallyport',
})

export const lobbyDelete = defineEvent({
  name: 'LOBBY_DELETE',
  summary: 'The user left a lobby, or it was deleted.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: () => z.looseObject({ lobby_id: Snowflake() }),
  provenance: 'sallyport',
})

export const lobbyMemberAdd = defineEvent({
  name: 'LOBBY_MEMBER_ADD',
  summary: 'A user joined a lobby of the user.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: withMember,
  provenance: 'sallyport',
})

export const lobbyMemberUpdate = defineEvent({
  name: 'LOBBY_MEMBER_UPDATE',
  summary: 'A member of a lobby of the user changed.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: withMember,
  provenance: 'sallyport',
})

export const lobbyMemberRemove = defineEvent({
  name: 'LOBBY_MEMBER_REMOVE',
  summary: 'A user left a lobby of the user; only the id of the member is always present.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: () => z.looseObject({ lobby_id: Snowflake(), member: LobbyMember().partial().extend({ id: Snowflake() }) }),
  provenance: 'sallyport',
})

export const lobbyMessageCreate = defineEvent({
  name: 'LOBBY_MESSAGE_CREATE',
  summary: 'A message was sent in a lobby of the user.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: message,
  provenance: 'sallyport',
})

export const lobbyMessageUpdate = defineEvent({
  name: 'LOBBY_MESSAGE_UPDATE',
  summary: 'A message in a lobby of the user was edited.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: () => message().extend({ timestamp: IsoTime().optional(), edited_timestamp: IsoTime().nullish() }),
  provenance: 'sallyport',
})

export const lobbyMessageDelete = defineEvent({
  name: 'LOBBY_MESSAGE_DELETE',
  summary: 'A message in a lobby of the user was deleted.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: () => z.looseObject({ id: Snowflake(), lobby_id: Snowflake() }),
  provenance: 'sallyport',
})
