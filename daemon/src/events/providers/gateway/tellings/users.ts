/** What games are told of their user and of the people around. */
import { personFrom } from '../cache/people.ts'
import { fieldsOf, idOf, numberOf } from '../../../../platform/gateway/reading.ts'
import type { GatewayNews, Told, TellingRow } from './telling-row.ts'

/** Sent without any intent. */
const NONE = 0
/** Of a relationship that is over. */
const ENDED = 0

function ownUser({ d, party }: GatewayNews): Told | undefined {
  const user = personFrom(d)
  return party.kind === 'user' && user?.id === party.userId ? { data: user } : undefined
}

function relationship({ d, people }: GatewayNews): Told | undefined {
  const user = personFrom(d['user']) ?? namedOf(d['id'], people)
  const type = numberOf(d['type'])
  if (user === undefined || type === undefined) return undefined
  const presence = fieldsOf(d['presence'])
  return { data: { type, user, ...(typeof presence['status'] === 'string' ? { presence } : {}) } }
}

function relationshipEnded({ d, people }: GatewayNews): Told | undefined {
  const user = personFrom(d['user']) ?? namedOf(d['id'], people)
  return user === undefined ? undefined : { data: { type: ENDED, user } }
}

/** A relationship has the id of the user that it is to. */
function namedOf(value: unknown, people: GatewayNews['people']) {
  const id = idOf(value)
  return id === undefined ? undefined : people.person(id)
}

export const USER_TELLINGS: readonly TellingRow[] = [
  { event: 'CURRENT_USER_UPDATE', by: 'user', intents: NONE, from: { USER_UPDATE: ownUser } },
  {
    event: 'RELATIONSHIP_UPDATE',
    by: 'user',
    intents: NONE,
    from: { RELATIONSHIP_ADD: relationship, RELATIONSHIP_UPDATE: relationship, RELATIONSHIP_REMOVE: relationshipEnded },
  },
]
