/** Mappings for the lobbies that the user is in. */
import type { EventName } from '@sallyport/protocol'
import { messageKey } from '../../../dedupe-keys.ts'
import { fieldsOf, idOf, picked } from '@sallyport/core/json-read'
import { type DispatchContext, type DispatchMapping, type MappedEvent, messageVersion } from './dispatch-mapping.ts'

/** The platform sends these without any intent. */
const NONE = 0

const mapping = (event: EventName, map: (context: DispatchContext) => MappedEvent | undefined): DispatchMapping => ({
  event,
  intents: NONE,
  from: { [event]: map },
})

/** The dispatch data is the lobby itself. */
function lobby({ d }: DispatchContext): MappedEvent | undefined {
  const id = idOf(d['id'])
  return id === undefined ? undefined : { args: { lobby_id: id }, data: { lobby_id: id, lobby: d } }
}

function lobbyDeleted({ d }: DispatchContext): MappedEvent | undefined {
  const id = idOf(d['id']) ?? idOf(d['lobby_id'])
  return id === undefined ? undefined : { args: { lobby_id: id }, data: { lobby_id: id } }
}

function member({ d }: DispatchContext): MappedEvent | undefined {
  const lobbyId = idOf(d['lobby_id'])
  if (lobbyId === undefined) return undefined
  const user = d['member'] === undefined ? { id: idOf(d['user_id']) } : memberFrom(fieldsOf(d['member']))
  return { args: { lobby_id: lobbyId }, data: { lobby_id: lobbyId, member: user } }
}

/** Some senders name the member by a user instead of an id. */
function memberFrom(given: Readonly<Record<string, unknown>>): object {
  return { ...given, id: idOf(given['id']) ?? idOf(given['user_id']) ?? idOf(fieldsOf(given['user'])['id']) }
}

const message =
  (event: EventName) =>
  ({ d, identity }: DispatchContext): MappedEvent | undefined => {
    const id = idOf(d['id'])
    const lobbyId = idOf(d['lobby_id'])
    if (id === undefined || lobbyId === undefined) return undefined
    const data = event === 'LOBBY_MESSAGE_DELETE' ? picked(d, ['id', 'lobby_id']) : d
    return {
      args: { lobby_id: lobbyId },
      data,
      dedupeKey: (userId) => messageKey({ applicationId: identity.applicationId, userId }, event, messageVersion(d)),
    }
  }

export const LOBBY_MAPPINGS: readonly DispatchMapping[] = [
  mapping('LOBBY_CREATE', lobby),
  mapping('LOBBY_UPDATE', lobby),
  mapping('LOBBY_DELETE', lobbyDeleted),
  mapping('LOBBY_MEMBER_ADD', member),
  mapping('LOBBY_MEMBER_UPDATE', member),
  mapping('LOBBY_MEMBER_REMOVE', member),
  mapping('LOBBY_MESSAGE_CREATE', message('LOBBY_MESSAGE_CREATE')),
  mapping('LOBBY_MESSAGE_UPDATE', message('LOBBY_MESSAGE_UPDATE')),
  mapping('LOBBY_MESSAGE_DELETE', message('LOBBY_MESSAGE_DELETE')),
]
