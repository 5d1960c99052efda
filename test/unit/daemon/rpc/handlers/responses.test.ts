/** Responses of the platform: the bridge applies dated rules, orders and scopes to them. */
import { expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const GUILD = '197038439483310086'

async function on(day: number, scopes: readonly string[]) {
  const clock = new FakeClock(day)
  const bridge = testBridge({ clock })
  const game = Game.connected(bridge)
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', ...scopes]) })
  const ask = async (name: string, answer: unknown, args: object = {}) => {
    bridge.platform.replies.set(name, () => answer)
    return (await game.ask(name, args)).data
  }
  return { ask, bridge, game, clock }
}

const connection = (type: string) => ({
  id: '1',
  name: type,
  type,
  verified: true,
  friend_sync: false,
  show_activity: true,
  two_way_link: false,
  visibility: 1,
})

test.each([
  ['9 July 2026', Date.UTC(2026, 6, 9), ['github', 'riotgames', 'provider-b']],
  ['10 July 2026', Date.UTC(2026, 6, 10), ['github', 'provider-b']],
  ['22 September 2026', Date.UTC(2026, 8, 22), ['github']],
])('connections of removed providers on %s', { tags: ['4.1-2', '4.1-3'] }, async (_, day, expected) => {
  const { ask } = await on(day, ['connections'])
  const all = ['github', 'riotgames', 'provider-b'].map(connection)
  expect(((await ask('GET_CURRENT_USER_CONNECTIONS', all)) as { type: string }[]).map(({ type }) => type)).toEqual(expected)
})

test.each([
  ['15 November 2026', Date.UTC(2026, 10, 15), ['2', '1', '3']],
  ['16 November 2026', Date.UTC(2026, 10, 16), ['2', '1']],
])('channels on %s', { tags: ['4.1-6', '4.3-18'] }, async (_, day, expected) => {
  const { ask } = await on(day, ['guilds.channels.read'])
  const channels = [
    { id: '1', type: 0, position: 1 },
    { id: '3', type: 2, position: 0, flags: 1 << 17, name: '___hidden___' },
    { id: '2', type: 0, position: 0 },
  ]
  const data = (await ask('GET_GUILD_CHANNELS', channels, { guild_id: GUILD })) as { id: string }[]
  expect(data.map(({ id }) => id)).toEqual(expected)
})

test('premium_type needs identify.premium, also in what AUTHENTICATE answers', { tags: ['2.2-16', '5-6'] }, async () => {
  const user = { id: '80351110224678912', username: 'ann', discriminator: '0', avatar: null, premium_type: 2 }
  for (const [scopes, expected] of [
    [[], 0],
    [['identify.premium'], 2],
  ] as const) {
    const { ask, bridge, game } = await on(Date.UTC(2026, 0, 1), scopes)
    expect(await ask('GET_CURRENT_USER', user)).toMatchObject({ premium_type: expected })
    const information = {
      application: { id: '1234567890', name: 'Test game' },
      scopes: ['identify', ...scopes],
      expires: '2027-01-01T00:00:00+00:00',
      user,
    }
    bridge.platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', () => information)
    const { data } = await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', ...scopes]) })
    expect(data.user).toMatchObject({ premium_type: expected })
  }
})

test('lobby messages come the newest first, none older than 72 hours', { tags: ['1-8', '4.3-15', '8-3'] }, async () => {
  const now = Date.UTC(2026, 0, 10)
  const idAt = (ms: number) => (BigInt(ms - 1_420_070_400_000) << 22n).toString()
  const message = (ms: number) => ({ id: idAt(ms) })
  const { ask } = await on(now, ['lobbies.write'])
  const data = await ask('GET_LOBBY_MESSAGES', [message(now - 5000), message(now - 72 * 3_600_000 - 1), message(now)], { lobby_id: '1' })
  expect(data).toEqual([message(now), message(now - 5000)])
})

test('SET_HTTP_REQUEST_TIMEOUT sets the deadline of forwarded calls, and the error after it', {
  tags: ['4.3-24', '8-18', '9.1-38'],
}, async () => {
  const { bridge, game, clock } = await on(Date.UTC(2026, 0, 1), ['guilds'])
  bridge.platform.calls.length = 0
  bridge.platform.replies.set('GET_CURRENT_USER_GUILDS', () => new Promise(() => {}))
  game.begin('GET_CURRENT_USER_GUILDS', {})
  await Promise.resolve()
  expect(bridge.platform.calls[0]?.deadlineAt).toBe(clock.elapsed() + 30_000)
  clock.advance(29_999)
  expect(game.received()).toEqual([])
  clock.advance(1)
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(game.received()).toMatchObject([{ evt: 'ERROR', data: { code: 1001, message: expect.stringContaining('30000 ms') } }])

  expect(game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 250 }).data).toEqual({ timeout_ms: 250 })
  game.begin('GET_CURRENT_USER_GUILDS', {})
  await Promise.resolve()
  expect(bridge.platform.calls[1]?.deadlineAt).toBe(clock.elapsed() + 250)
  clock.advance(250)
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(game.received()).toMatchObject([{ evt: 'ERROR', data: { code: 1001, message: expect.stringContaining('250 ms') } }])
  for (const timeout_ms of [0, -1, 1.5, 300_001, '5'])
    expect(game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms })).toMatchObject({ data: { code: 4000, path: 'timeout_ms' } })
  for (const timeout_ms of [1, 300_000])
    expect(game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms })).toMatchObject({ data: { timeout_ms } })
})
