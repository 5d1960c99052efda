/** Lobbies: joining by secret, and bulk changes of members. */
import { LOBBIES_PER_USER, LOBBY_IDLE_DEFAULT_S, LOBBY_MEMBERS_MAX, LOBBY_SECRET_MS } from '../constants.ts'
import { hashOf } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import { type Platform, rememberApplication } from '../platform.ts'
import type { StoredLobby, StoredLobbyMember } from '../store/records.ts'
import type { Handler, Handlers } from './handlers.ts'
import { liveLobbies, lobbyOf } from './lobby-lifecycle.ts'
import { lobbyView, memberView, withMember } from './lobby-view.ts'
import { personView } from './user-view.ts'

type JoinArgs = Parameters<Handler<'CREATE_OR_JOIN_LOBBY'>>[0]
type BulkChange = Parameters<Handler<'BULK_UPDATE_LOBBY_MEMBERS'>>[0]['members'][number]

const createOrJoinLobby: Handler<'CREATE_OR_JOIN_LOBBY'> = (args, { platform, caller }) => {
  const { store, clock } = platform
  const lobbies = liveLobbies(platform, caller.applicationId)
  const secretHash = hashOf(args.secret)
  const existing = lobbies.find((lobby) => lobby.secretHash === secretHash && mayJoin(lobby, caller.id, clock.now()))
  const isMember = existing?.members.some(({ id }) => id === caller.id) ?? false
  if (!isMember && lobbies.filter(({ members }) => members.some(({ id }) => id === caller.id)).length >= LOBBIES_PER_USER) {
    throw new PlatformError('tooManyLobbies')
  }
  if (existing !== undefined && !isMember && existing.members.length >= LOBBY_MEMBERS_MAX) throw new PlatformError('lobbyFull')
  const lobby = joined(existing ?? newLobby(platform, caller.applicationId, secretHash), caller.id, args, clock.now())
  store.commit([...rememberApplication(platform, caller.applicationId), store.lobbies.put(lobby.id, lobby)])
  return lobbyView(platform, lobby)
}

/** Members can rejoin with the secret at any time; new members only for a limited time. */
const mayJoin = (lobby: StoredLobby, userId: string, now: number): boolean =>
  now - lobby.createdAt < LOBBY_SECRET_MS || lobby.members.some(({ id }) => id === userId)

const newLobby = ({ ids, clock }: Platform, applicationId: string, secretHash: string): StoredLobby => ({
  id: ids.next(),
  applicationId,
  metadata: null,
  members: [],
  flags: 0,
  secretHash,
  createdAt: clock.now(),
  idleTimeoutSeconds: LOBBY_IDLE_DEFAULT_S,
  lastUsedAt: clock.now(),
})

function joined(lobby: StoredLobby, userId: string, args: JoinArgs, now: number): StoredLobby {
  return {
    ...lobby,
    metadata: args.lobby_metadata === undefined ? lobby.metadata : args.lobby_metadata,
    flags: args.flags ?? lobby.flags,
    idleTimeoutSeconds: args.idle_timeout_seconds ?? lobby.idleTimeoutSeconds,
    members: withMember(lobby.members, { id: userId, metadata: args.member_metadata }),
    lastUsedAt: now,
  }
}

const bulkUpdateLobbyMembers: Handler<'BULK_UPDATE_LOBBY_MEMBERS'> = ({ lobby_id, members: changes }, { platform, caller }) => {
  const { store, clock } = platform
  const lobby = lobbyOf(platform, caller.applicationId, lobby_id)
  const known = ({ id }: BulkChange) => personView(platform, caller.applicationId, id) !== undefined
  if (!changes.every(known)) throw new PlatformError('unknownUser')
  const changed = new Set<string>()
  let members: readonly StoredLobbyMember[] = lobby.members
  for (const change of changes) {
    if (change.remove_member === true) {
      members = members.filter(({ id }) => id !== change.id)
      changed.delete(change.id)
    } else if (members.length < LOBBY_MEMBERS_MAX || members.some(({ id }) => id === change.id)) {
      // Like the platform, it ignores users above the limit of members.
      members = withMember(members, change)
      changed.add(change.id)
    }
  }
  store.commit([store.lobbies.put(lobby.id, { ...lobby, members, lastUsedAt: clock.now() })])
  return members.filter(({ id }) => changed.has(id)).map(memberView)
}

export const lobbyHandlers = {
  BULK_UPDATE_LOBBY_MEMBERS: bulkUpdateLobbyMembers,
  CREATE_OR_JOIN_LOBBY: createOrJoinLobby,
} satisfies Partial<Handlers>
