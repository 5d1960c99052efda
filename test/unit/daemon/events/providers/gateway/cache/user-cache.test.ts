/** Users in the form of the local protocol. */
import { RpcUser } from '@sallyport/protocol'
import { expect, test } from 'vitest'
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
  cache.update('RELATIONSHIP_UPDATE', { id: '6', type: 2 })
  expect(cache.relationship('6')).toMatchObject({ type: 2, user: { username: 'bob' }, presence: { status: 'idle' } })
  cache.update('READY', { relationships: [] })
  expect([cache.relationships(), cache.known('6')]).toEqual([[], undefined])
})
