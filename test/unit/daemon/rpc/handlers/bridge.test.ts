import { describe, expect, test } from 'vitest'
import { DEFAULT_USER, Game, testBridge } from '#test/support/bridge.ts'
import { handshake, jsonOf, messages, OP, split } from '#test/support/frames.ts'

describe('READY', () => {
  const readyOf = (user = DEFAULT_USER, hello: object = {}) => {
    const game = new Game(testBridge({ user }))
    game.send(handshake(hello))
    const { payload } = split(game.channel.sent).frames[0]!
    return { bytes: payload.length, ...jsonOf(payload) }
  }
  test('contains the fields that old clients need', { tags: ['6-16'] }, () => {
    const { data, evt, cmd, nonce } = readyOf()
    expect({ cmd, evt, nonce }).toEqual({ cmd: 'DISPATCH', evt: 'READY', nonce: null })
    expect(data).toEqual({
      v: 1,
      config: { cdn_host: 'cdn.example.test', api_endpoint: '//example.test/api', environment: 'production' },
      user: DEFAULT_USER,
    })
  })
  test('contains the contract version for clients of the contract', () => {
    expect(readyOf(DEFAULT_USER, { contract: '1.0' }).data).toMatchObject({ contract: '1.0', bridge: { name: 'sallyport' } })
  })
  test('omits optional fields of a user with long names to stay short', () => {
    const user = { ...DEFAULT_USER, username: 'ü'.repeat(32), global_name: '🎮'.repeat(400) }
    const { bytes, data } = readyOf(user)
    expect(bytes).toBeLessThanOrEqual(1016)
    expect(data.user).toEqual({ id: '1', username: user.username, discriminator: '0', avatar: null })
  })
})

test('SET_HTTP_REQUEST_TIMEOUT sets the deadline of this connection and returns it', { tags: ['8-18'] }, () => {
  const bridge = testBridge()
  const game = Game.connected(bridge)
  Game.connected(bridge)
  expect(game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 1234 }).data).toEqual({ timeout_ms: 1234 })
  expect(bridge.registry.all().map(({ deadlineMs }) => deadlineMs)).toEqual([1234, 30_000])
  expect(game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 300_001 })).toMatchObject({ data: { code: 4000, path: 'timeout_ms' } })
})

test('GET_BRIDGE_STATUS returns facts, and the own session as the only game', () => {
  const bridge = testBridge()
  const games = [1, 2, 3].map((pid) => Game.connected(bridge, {}, { trust: 'kernel', pid, executable: `/games/${pid}` }))
  expect(games[1]?.call('GET_BRIDGE_STATUS').data).toMatchObject({ platform: 'test', uptime_s: 1, games: [{ pid: 2, trust: 'kernel' }] })
  expect(games[1]?.call('GET_BRIDGE_STATUS', { operator_proof: 'ab'.repeat(16) })).toMatchObject({ evt: 'ERROR', data: { code: 4000 } })
})

describe('who may connect', () => {
  test('a process of another system user is closed with 4001 before it receives anything else', () => {
    const game = new Game(testBridge({ uid: 1000 }), { trust: 'kernel', uid: 1001, pid: 5 })
    const [closed, ...more] = split(game.channel.sent).frames
    expect(closed?.opcode).toBe(OP.CLOSE)
    expect(jsonOf(closed!.payload)).toMatchObject({ code: 4001 })
    expect(more).toEqual([])
    game.channel.take()
    game.send(handshake())
    expect(game.channel.sent).toHaveLength(0)
  })
  test.each([[{ trust: 'kernel', uid: 1000, pid: 5 } as const], [{ trust: 'directory' } as const]])('%j is accepted', (peer) => {
    const game = new Game(testBridge({ uid: 1000 }), peer)
    game.send(handshake())
    expect(messages(game.channel.sent)).toMatchObject([{ evt: 'READY' }])
  })
})

describe('a connection that ends', () => {
  test('removes its presence, its subscriptions and its session', () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    game.call('SET_ACTIVITY', { pid: 1, activity: { details: 'In the docks' } })
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    expect([bridge.presenceStore.all().length, bridge.hub.selectors().length, bridge.registry.all().length]).toEqual([1, 1, 1])
    game.receiver.onClose()
    expect([bridge.presenceStore.all().length, bridge.hub.selectors().length, bridge.registry.all().length]).toEqual([0, 0, 0])
  })
  test('because the bridge closes is announced to every client', () => {
    const bridge = testBridge()
    const games = [Game.connected(bridge), new Game(bridge)]
    bridge.bridge.close('The bridge stops.')
    for (const { channel } of games)
      expect(jsonOf(split(channel.sent).frames[0]!.payload)).toEqual({ code: 1000, message: 'The bridge stops.' })
  })
})
