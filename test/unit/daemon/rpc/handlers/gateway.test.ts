import { describe, expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

async function signedIn() {
  const bridge = testBridge({ botToken: new Secret('bot') })
  const game = Game.connected(bridge, { contract: '1.0' })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  return { bridge, game }
}

describe('REQUEST_GUILD_MEMBERS', () => {
  const ASKED: readonly (readonly [object, object])[] = [
    [{ query: '' }, { query: '', limit: 0 }],
    [{ query: 'a' }, { query: 'a', limit: 100 }],
    [
      { query: 'a', limit: 5, presences: true },
      { query: 'a', limit: 5, presences: true },
    ],
    [{ user_ids: ['6', '7'] }, { userIds: ['6', '7'] }],
  ]
  test.each(ASKED)('%j asks for %j', async (args, request) => {
    const { bridge, game } = await signedIn()
    const { data } = await game.ask('REQUEST_GUILD_MEMBERS', { guild_id: '5', ...args })
    expect(bridge.gateway.requests).toEqual([{ applicationId: '1234567890', guildId: '5', ...request }])
    expect(data).toMatchObject({ guild_id: '5', members: [{ user: { id: '6' } }], not_found: ['7'] })
    expect(Object.hasOwn(data, 'presences')).toBe('presences' in args)
  })
})

test('REQUEST_CHANNEL_INFO requests all fields unless the call names some', async () => {
  const { bridge, game } = await signedIn()
  expect((await game.ask('REQUEST_CHANNEL_INFO', { guild_id: '5' })).data).toMatchObject({
    channels: [{ id: '8', status: 'Mending nets' }],
  })
  await game.ask('REQUEST_CHANNEL_INFO', { guild_id: '5', fields: ['status'] })
  expect(bridge.gateway.requests).toMatchObject([{ fields: ['status', 'voice_start_time'] }, { fields: ['status'] }])
})
