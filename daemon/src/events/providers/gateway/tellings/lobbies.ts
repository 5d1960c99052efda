/** What games are told of the lobbies their user is in. */
import type { EventName } from '@sallyport/protocol'
import { messageNews } from '../../../news.ts'
import { fieldsOf, idOf, messageVersion, picked } from '../../../../platform/gateway/reading.ts'
import type { GatewayNews, Told, TellingRow } from './telling-row.ts'

/** Sent without any intent. */
const NONE = 0

const row = (event: EventName, told: (news: GatewayNews) => Told | undefined): TellingRow => ({
  event,
  by: 'user',
  intents: NONE,
  from: { [event]: told },
})

/** The dispatch is the lobby itself. */
function lobby({ d }: GatewayNews): Told | undefined {
  const id = idOf(d['id'])
  return id === undefined ? undefined : { args: { lobby_id: id }, data: { lobby_id: id, lobby: d } }
}

function lobbyGone({ d }: GatewayNews): Told | undefined {
  const id = idOf(d['id']) ?? idOf(d['lobby_id'])
  return id === undefined ? undefined : { args: { lobby_id: id }, data: { lobby_id: id } }
}

function member({ d }: GatewayNews): Told | undefined {
  const lobbyId = idOf(d['lobby_id'])
  if (lobbyId === undefined) return undefined
  const who = d['member'] === undefined ? { id: idOf(d['user_id']) } : memberFrom(fieldsOf(d['member']))
  return { args: { lobby_id: lobbyId }, data: { lobby_id: lobbyId, member: who } }
}

/** Some senders name the member by a user instead of an id. */
function memberFrom(given: Readonly<Record<string, unknown>>): object {
  return { ...given, id: idOf(given['id']) ?? idOf(given['user_id']) ?? idOf(fieldsOf(given['user'])['id']) }
}

const message =
  (event: EventName) =>
  ({ d, party }: GatewayNews): Told | undefined => {
    const id = idOf(d['id'])
    const lobbyId = idOf(d['lobby_id'])
    if (id === undefined || lobbyId === undefined) return undefined
    const data = event === 'LOBBY_MESSAGE_DELETE' ? picked(d, ['id', 'lobby_id']) : d
    return { args: { lobby_id: lobbyId }, data, key: (userId) => messageNews(party.applicationId, userId, event, messageVersion(d)) }
  }

export const LOBBY_TELLINGS: readonly TellingRow[] = [
  row('LOBBY_CREATE', lobby),
  row('LOBBY_UPDATE', lobby),
  row('LOBBY_DELETE', lobbyGone),
  row('LOBBY_MEMBER_ADD', member),
  row('LOBBY_MEMBER_UPDATE', member),
  row('LOBBY_MEMBER_REMOVE', member),
  row('LOBBY_MESSAGE_CREATE', message('LOBBY_MESSAGE_CREATE')),
  row('LOBBY_MESSAGE_UPDATE', message('LOBBY_MESSAGE_UPDATE')),
  row('LOBBY_MESSAGE_DELETE', message('LOBBY_MESSAGE_DELETE')),
]
