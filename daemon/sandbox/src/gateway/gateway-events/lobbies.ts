/** Events of lobbies and their messages, for lobby members. */
import { lobbyMessageEventData } from '../../api/lobby-messages.ts'
import { lobbyView, memberView } from '../../api/lobby-view.ts'
import { isBlockedBetween } from '../../social/relationships.ts'
import { messageChange } from '../../store/message-change.ts'
import type { StoredLobby, StoredLobbyMember, StoredMessage } from '../../store/records.ts'
import type { Viewer } from '../viewer.ts'
import { isSame, NO_EVENTS, type ChangeMapper, type GatewayEvent } from './event-mapper.ts'

const isIn = ({ caller, shard }: Viewer, lobby: StoredLobby): boolean =>
  shard.id === 0 &&
  caller.kind === 'user' &&
  caller.applicationId === lobby.applicationId &&
  lobby.members.some(({ id }) => id === caller.id)

export const mapLobby: ChangeMapper<StoredLobby> = ({ before, after }, { platform }) => {
  const lobby = after ?? before
  if (lobby === undefined) return undefined
  const deleted: GatewayEvent = { t: 'LOBBY_DELETE', d: { id: lobby.id, application_id: lobby.applicationId } }
  const created: GatewayEvent = { t: 'LOBBY_CREATE', d: lobbyView(platform, lobby) }
  const updated = before === undefined || after === undefined ? NO_EVENTS : updateEvents(before, after, created.d)
  return (viewer) => {
    const was = before !== undefined && isIn(viewer, before)
    const is = after !== undefined && isIn(viewer, after)
    if (was && is) return updated
    if (was) return [deleted]
    return is ? [created] : NO_EVENTS
  }
}

/** For users who were members and still are. */
function updateEvents(before: StoredLobby, after: StoredLobby, view: unknown): readonly GatewayEvent[] {
  const place = { lobby_id: after.id, application_id: after.applicationId }
  const known = new Map(before.members.map((member) => [member.id, member]))
  const left = before.members.filter(({ id }) => !after.members.some((member) => member.id === id))
  const event = (t: string) => (member: StoredLobbyMember) => ({ t, d: { ...place, member: memberView(member) } })
  const update = isSame(ownPart(before), ownPart(after)) ? NO_EVENTS : [{ t: 'LOBBY_UPDATE', d: view }]
  return [
    ...update,
    ...after.members.filter(({ id }) => !known.has(id)).map(event('LOBBY_MEMBER_ADD')),
    ...after.members.filter((member) => known.has(member.id) && !isSame(known.get(member.id), member)).map(event('LOBBY_MEMBER_UPDATE')),
    ...left.map(event('LOBBY_MEMBER_REMOVE')),
  ]
}

/** The lobby without its members and the time of its last use. */
const ownPart = ({ members: _, lastUsedAt: __, ...own }: StoredLobby) => own

export const mapLobbyMessage: ChangeMapper<StoredMessage> = (step, { platform }) => {
  const { messages, lobbies } = platform.store
  const message = step.after ?? step.before
  const lobby = lobbies.get(message?.lobbyId ?? '')
  // Deleting a lobby deletes its messages without an event for each.
  if (message === undefined || lobby === undefined) return undefined
  const change = messageChange(messages.kind, step)
  if (change === undefined) return undefined
  const event: GatewayEvent = { t: `LOBBY_MESSAGE_${change}`, d: lobbyMessageEventData(platform, lobby, change, message) }
  return (viewer) => (isIn(viewer, lobby) && !isBlockedBetween(platform, viewer.caller.id, message.authorId) ? [event] : NO_EVENTS)
}
