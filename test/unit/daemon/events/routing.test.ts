import { describe, expect, test } from 'vitest'
import type { AssignedRoute } from '#daemon/src/events/routes.ts'
import { type Confirmation, EventRouting, type Route } from '#daemon/src/events/routing.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import { Listener } from '#test/support/gateway-world.ts'

const ann: Session = new Listener(1, '1').session
const bob: Session = new Listener(2, '1').session
const GUILD = { name: 'GUILD_STATUS', args: { guild_id: '7' } }
const NAMES: readonly AssignedRoute[] = ['client', 'poll', 'user', 'bot']

/** Routes that cover the given sessions, in reverse order of preference. */
function routing(covered: Partial<Record<AssignedRoute, readonly Session[]>>, answers: Partial<Record<AssignedRoute, Confirmation>> = {}) {
  const asked: AssignedRoute[] = []
  const made = new EventRouting()
  const route = (name: AssignedRoute): Route => ({
    name,
    covers: (session) => covered[name]?.includes(session) === true,
    confirm: () => {
      const answer = answers[name]
      asked.push(name)
      return answer === undefined ? undefined : Promise.resolve(answer)
    },
  })
  made.register(NAMES.map(route))
  const assigned = (session: Session, event: string): readonly AssignedRoute[] =>
    NAMES.filter((name) => made.isAssigned(name, session, event))
  return { made, asked, assigned }
}

describe('a session', () => {
  test.each<{ covered: Partial<Record<AssignedRoute, readonly Session[]>>; event: string; by: readonly AssignedRoute[] }>([
    { covered: { user: [ann], poll: [ann], client: [ann] }, event: 'GUILD_STATUS', by: ['user'] },
    { covered: { poll: [ann], client: [ann] }, event: 'GUILD_STATUS', by: ['poll'] },
    { covered: { user: [bob], client: [ann] }, event: 'GUILD_STATUS', by: ['client'] },
    { covered: { bot: [ann] }, event: 'GUILD_STATUS', by: [] },
    { covered: { bot: [ann], user: [ann], client: [ann] }, event: 'GUILD_CREATE', by: ['bot'] },
    { covered: { bot: [ann], user: [ann] }, event: 'LOBBY_CREATE', by: ['user'] },
    { covered: { poll: [ann], client: [ann] }, event: 'GUILD_CREATE', by: ['client'] },
    { covered: { bot: [ann], user: [ann], poll: [ann], client: [ann] }, event: 'READY', by: [] },
    { covered: {}, event: 'GUILD_CREATE', by: [] },
  ])('gets $event by $by where $covered', ({ covered, event, by }) => {
    expect(routing(covered).assigned(ann, event)).toEqual(by)
  })
})

describe('a subscription', () => {
  const all = { user: [ann], poll: [ann], client: [ann] }
  test('is confirmed by the assigned route', async () => {
    const { made, asked } = routing(all, { user: 'confirmed', poll: 'confirmed' })
    await made.confirm(ann, GUILD)
    expect(asked).toEqual(['user'])
  })
  test('is confirmed by the next route that covers the session when one declines', async () => {
    const { made, asked } = routing({ ...all, poll: [bob] }, { user: 'declined', client: 'confirmed' })
    await made.confirm(ann, GUILD)
    expect(asked).toEqual(['user', 'client'])
  })
  test('that every route declines is kept', async () => {
    const { made, asked } = routing(all, { user: 'declined', poll: 'declined', client: 'declined' })
    await expect(made.confirm(ann, GUILD)).resolves.toBe(undefined)
    expect(asked).toEqual(['user', 'poll', 'client'])
  })
  test('is answered at once when its route has nothing to confirm, or when there is none', () => {
    const { made, asked } = routing(all, { poll: 'confirmed' })
    expect(made.confirm(ann, GUILD)).toBe(undefined)
    expect(made.confirm(bob, GUILD)).toBe(undefined)
    expect(asked).toEqual(['user'])
  })
})
