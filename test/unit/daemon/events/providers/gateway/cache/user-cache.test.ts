/** Users in the form of the local protocol. */
import { BUDGETS } from '@sallyport/core/budgets'
import { RpcUser } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { UserCache, userFrom } from '#daemon/src/events/providers/gateway/cache/user-cache.ts'

const BOB = { id: '6', username: 'bob', discriminator: '0', avatar: null }
const PROFILE = {
  accent_color: 255,
  banner: 'b1',
  avatar_decoration_data: { asset: 'a1', sku_id: '9' },
  primary_guild: { identity_guild_id: '7', identity_enabled: true, tag: 'SEA', badge: null },
}

test('a user keeps its public profile, and loses its private fields', () => {
  const user = userFrom({ ...BOB, ...PROFILE, email: 'bob@example.test', premium_type: 2, phone: '1', mfa_enabled: true })
  expect(user).toEqual({ ...BOB, global_name: null, bot: false, flags: 0, ...PROFILE })
  expect(RpcUser().safeParse(user).success).toBe(true)
})

test('a decoration of another form is left out, so that the event still arrives', () => {
  expect(userFrom({ ...BOB, avatar_decoration_data: 5 })).not.toHaveProperty('avatar_decoration_data')
  expect(userFrom({ ...BOB, avatar_decoration_data: null })).toMatchObject({ avatar_decoration_data: null })
})

test('a new gateway session replaces the relationships', () => {
  const cache = new UserCache('1')
  cache.update('READY', { relationships: [{ id: '6', type: 1, user: BOB }], presences: [{ user: { id: '6' }, status: 'idle' }] })
  expect(cache.relationship('6')).toMatchObject({ type: 1, presence: { status: 'idle', activity: null } })
  cache.update('RELATIONSHIP_UPDATE', { id: '6', type: 3 })
  expect(cache.relationship('6')).toMatchObject({ type: 3, user: { username: 'bob' }, presence: { status: 'idle' } })
  cache.update('READY', { relationships: [] })
  expect([cache.relationships(), cache.known('6')]).toEqual([[], undefined])
})

test('the newest activity of the application is shown', () => {
  const cache = new UserCache('1')
  const [left, other, now] = [{ application_id: '1', details: 'left' }, { application_id: '2' }, { application_id: '1', details: 'now' }]
  cache.update('READY', {
    relationships: [{ id: '6', type: 1, user: BOB }],
    presences: [{ user: { id: '6' }, status: 'online', activities: [left, now, other] }],
  })
  expect(cache.relationship('6')?.presence).toEqual({ status: 'online', activity: now })
})

test('a blocked user has no presence', () => {
  const cache = new UserCache('1')
  const online = { user: { id: '6' }, status: 'online' }
  cache.update('READY', { relationships: [{ id: '6', type: 1, user: BOB }], presences: [online] })
  cache.update('RELATIONSHIP_UPDATE', { id: '6', type: 2 })
  cache.update('PRESENCE_UPDATE', online)
  const none = { status: 'offline', activity: null }
  expect(cache.relationship('6')).toEqual({ type: 2, user: expect.objectContaining({ username: 'bob' }), presence: none })
})

describe('more relationships than are kept', () => {
  const MAX = BUDGETS.gatewayCachedUsers.value
  const [FRIEND, BLOCKED, INCOMING, OUTGOING, IMPLICIT] = [1, 2, 3, 4, 5] as const
  const entry = (id: number, type: number) => ({ id: `${id}`, type, user: { ...BOB, id: `${id}`, username: `user${id}` } })
  /** So many of each type, the types in turn. */
  const entries = (counts: Readonly<Record<number, number>>) =>
    Object.entries(counts)
      .flatMap(([type, count]) => Array.from({ length: count }, (_, index) => ({ type: Number(type), index })))
      .toSorted((one, other) => one.index - other.index)
      .map(({ type }, index) => entry(index + 1, type))
  const countsOf = (cache: UserCache) =>
    Object.fromEntries(Object.entries(Object.groupBy(cache.relationships(), ({ type }) => type)).map(([type, all]) => [type, all?.length]))

  test.each([
    [{ [FRIEND]: MAX, [IMPLICIT]: 300 }, { [FRIEND]: MAX }],
    [
      { [IMPLICIT]: MAX, [OUTGOING]: 10, [INCOMING]: 20, [BLOCKED]: 30, [FRIEND]: 40 },
      { [FRIEND]: 40, [BLOCKED]: 30, [INCOMING]: 20, [OUTGOING]: 10, [IMPLICIT]: MAX - 100 },
    ],
    [
      { [FRIEND]: MAX - 10, [BLOCKED]: 20, [INCOMING]: 20 },
      { [FRIEND]: MAX - 10, [BLOCKED]: 10 },
    ],
    [{ [FRIEND]: MAX + 7 }, { [FRIEND]: MAX }],
    [
      { 77: MAX, [IMPLICIT]: 5, [FRIEND]: 1 },
      { [FRIEND]: 1, 77: MAX - 1 },
    ],
  ])('%j become %j', (given, kept) => {
    const all = entries(given)
    const cache = new UserCache('1')
    cache.update('READY', { relationships: all })
    expect(countsOf(cache)).toEqual(kept)
    expect(cache.relationshipsLeftOut).toBe(all.length - MAX)
    expect(cache.relationships()[0]?.type).toBe(FRIEND)
    // Also those whose place among the named users others took.
    for (const { user } of cache.relationships()) expect(cache.known(user.id)).toBe(cache.relationship(user.id)?.user)
  })

  test('taken while READY is parsed, they are the same', () => {
    const all = entries({ [IMPLICIT]: MAX, [FRIEND]: 50, [BLOCKED]: 50 })
    const [atOnce, inParts] = [new UserCache('1'), new UserCache('1')]
    atOnce.update('READY', { relationships: [...all, 5, { id: 'x', type: 1 }, { id: '1' }] })
    const taker = inParts.takerOf('READY', 'relationships')
    for (const one of [...all, 5, { id: 'x', type: 1 }, { id: '1' }]) taker?.take(one)
    inParts.update('READY', { relationships: taker?.result() })
    expect(inParts.relationships()).toEqual(atOnce.relationships())
    expect(inParts.relationshipsLeftOut).toBe(100)
    expect(inParts.takerOf('READY', 'guilds')).toBeUndefined()
    expect(inParts.takerOf('GUILD_CREATE', 'relationships')).toBeUndefined()
  })

  test('the count follows the dispatches, and a new friend is kept', () => {
    const cache = new UserCache('1')
    cache.update('READY', { relationships: entries({ [FRIEND]: 1, [IMPLICIT]: MAX + 1 }) })
    expect(cache.relationshipsLeftOut).toBe(2)
    cache.update('RELATIONSHIP_ADD', entry(90_001, FRIEND))
    expect([cache.relationship('90001')?.type, cache.relationshipsLeftOut]).toEqual([FRIEND, 3])
    cache.update('RELATIONSHIP_REMOVE', { id: '99999', type: IMPLICIT })
    expect(cache.relationshipsLeftOut).toBe(2)
    cache.update('RELATIONSHIP_UPDATE', entry(99_998, FRIEND))
    expect([cache.relationship('99998')?.type, cache.relationshipsLeftOut]).toEqual([FRIEND, 2])
    cache.update('RELATIONSHIP_REMOVE', { id: '99998', type: FRIEND })
    expect([cache.relationships().length, cache.relationshipsLeftOut]).toEqual([MAX - 1, 2])
    cache.update('READY', { relationships: [] })
    expect([cache.relationships().length, cache.relationshipsLeftOut]).toEqual([0, 0])
  })
})
