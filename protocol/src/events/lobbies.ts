/** Events about lobbies: every one names its lobby as `lobby_id`. */
import * as z from 'zod'
import { Lobby, LobbyMember, LobbyMessage } from '../records/lobby.ts'
import { IsoTime, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

/** Without an id: every lobby of the user. */
const lobby = z.strictObject({ lobby_id: Snowflake.nullish() }).nullish()
const requires = anyOf('lobbies.write')

const withLobby = z.looseObject({ lobby_id: Snowflake, lobby: Lobby })
const withMember = z.looseObject({ lobby_id: Snowflake, member: LobbyMember })
/** Senders leave out much of a message. */
const message = LobbyMessage.partial().extend({ id: Snowflake, lobby_id: Snowflake })

export const lobbyCreate = defineEvent({
  name: 'LOBBY_CREATE',
  summary: 'The user is in a lobby from now on.',
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
  summary: 'The user is in a lobby no more: it is gone, or they left it.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: z.looseObject({ lobby_id: Snowflake }),
  provenance: 'sallyport',
})

export const lobbyMemberAdd = defineEvent({
  name: 'LOBBY_MEMBER_ADD',
  summary: 'Somebody joined a lobby of the user.',
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
  summary: 'Somebody left a lobby of the user; only the id of the member is sure.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: z.looseObject({ lobby_id: Snowflake, member: LobbyMember.partial().extend({ id: Snowflake }) }),
  provenance: 'sallyport',
})

export const lobbyMessageCreate = defineEvent({
  name: 'LOBBY_MESSAGE_CREATE',
  summary: 'A message was written in a lobby of the user.',
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
  data: message.extend({ timestamp: IsoTime.optional(), edited_timestamp: IsoTime.nullish() }),
  provenance: 'sallyport',
})

export const lobbyMessageDelete = defineEvent({
  name: 'LOBBY_MESSAGE_DELETE',
  summary: 'A message in a lobby of the user was deleted.',
  delivery: 'subscription',
  requires,
  args: lobby,
  data: z.looseObject({ id: Snowflake, lobby_id: Snowflake }),
  provenance: 'sallyport',
})
