/** Lobbies, for the users who are in them: come, changed, joined, left and gone, and what is written there. */
import { lobbyMessageNews } from '../../api/lobby-messages.ts'
import { lobbyView, memberView } from '../../api/lobby-view.ts'
import { messageChange } from '../../store/message-change.ts'
import type { StoredLobby, StoredLobbyMember, StoredMessage } from '../../store/records.ts'
import type { Viewer } from '../viewer.ts'
import { isSame, NOTHING, type Occurrence, type Told } from './told.ts'

const isIn = ({ party, shard }: Viewer, lobby: StoredLobby): boolean =>
  shard.id === 0 && party.kind === 'user' && party.applicationId === lobby.applicationId && lobby.members.some(({ id }) => id === party.id)

export const ofLobby: Occurrence<StoredLobby> = ({ before, after }, { platform }) => {
  const lobby = after ?? before
  if (lobby === undefined) return undefined
  const gone: Told = { t: 'LOBBY_DELETE', d: { id: lobby.id, application_id: lobby.applicationId } }
  const come: Told = { t: 'LOBBY_CREATE', d: lobbyView(platform, lobby) }
  const stays = before === undefined || after === undefined ? NOTHING : changesOf(before, after, come.d)
  return (viewer) => {
    const was = before !== undefined && isIn(viewer, before)
    const is = after !== undefined && isIn(viewer, after)
    if (was && is) return stays
    if (was) return [gone]
    return is ? [come] : NOTHING
  }
}

/** For those who were in it and still are. */
function changesOf(before: StoredLobby, after: StoredLobby, view: unknown): readonly Told[] {
  const place = { lobby_id: after.id, application_id: after.applicationId }
  const known = new Map(before.members.map((member) => [member.id, member]))
  const left = before.members.filter(({ id }) => !after.members.some((member) => member.id === id))
  const told = (t: string) => (member: StoredLobbyMember) => ({ t, d: { ...place, member: memberView(member) } })
  const update = isSame(ownPart(before), ownPart(after)) ? NOTHING : [{ t: 'LOBBY_UPDATE', d: view }]
  return [
    ...update,
    ...after.members.filter(({ id }) => !known.has(id)).map(told('LOBBY_MEMBER_ADD')),
    ...after.members.filter((member) => known.has(member.id) && !isSame(known.get(member.id), member)).map(told('LOBBY_MEMBER_UPDATE')),
    ...left.map(told('LOBBY_MEMBER_REMOVE')),
  ]
}

/** What a lobby is besides its members and the time of its last use. */
const ownPart = ({ members: _, lastUsedAt: __, ...own }: StoredLobby) => own

export const ofLobbyMessage: Occurrence<StoredMessage> = (step, { platform }) => {
  const { messages, lobbies } = platform.store
  const message = step.after ?? step.before
  const lobby = lobbies.get(message?.lobbyId ?? '')
  // With the lobby go its messages, and nobody is told of each.
  if (message === undefined || lobby === undefined) return undefined
  const change = messageChange(messages.kind, step)
  if (change === undefined) return undefined
  const told: Told = { t: `LOBBY_MESSAGE_${change}`, d: lobbyMessageNews(platform, lobby, change, message) }
  return (viewer) => (isIn(viewer, lobby) ? [told] : NOTHING)
}
