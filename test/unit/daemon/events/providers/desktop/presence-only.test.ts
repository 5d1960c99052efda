import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { APPLICATION, clientWorld, type ClientWorld, presenceServer, settle, SCOPES } from '#test/support/client-world.ts'
import type { MemoryClient } from '#test/support/memory-client.ts'

const PRESENCE = {
  applicationId: APPLICATION,
  userId: undefined,
  sessionId: 1,
  claimedPid: 12,
  stored: { activity: { name: '', type: 0, details: 'At sea' }, secrets: undefined },
  since: 0,
}

describe('a client that accepts only presence', () => {
  let world: ClientWorld
  let real: MemoryClient

  beforeEach(async () => {
    world = await clientWorld(2)
    world.client.answer = presenceServer
    real = world.clients[1] as MemoryClient
  })
  afterEach(async () => {
    await world.provider.stop()
    await settle()
    expect(world.bridge.log.problems).toEqual([])
  })

  const call = (cmd: string) => world.provider.call(world.sessionOf(), cmd, {})
  /** Leaves one subscription without a response until its deadline. */
  const learn = async (): Promise<void> => {
    const game = await world.game()
    await world.subscribe(game, 'ACTIVITY_JOIN')
    await world.pass(10_000, 500)
  }

  test('is detected after one deadline; then calls are refused at once with a reason', async () => {
    await world.game()
    const game = await world.game()
    await world.subscribe(game, 'ACTIVITY_JOIN')
    const waiting = expect(call('GET_USER')).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('presence only'),
    })
    await world.pass(10_000, 500)
    await waiting
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringMatching(/^GET_USER .*presence only/) })
    expect(world.client.last.asked.filter((cmd) => cmd === 'GET_USER')).toHaveLength(1)
    expect(world.provider.isConnected({ applicationId: APPLICATION, userId: undefined })).toBe(false)
    expect(world.provider.health()).toMatchObject({ state: 'active', reason: expect.stringContaining('presence') })
  })

  test('still shows presence, and gets no token', async () => {
    await learn()
    world.provider.prepare(APPLICATION, PRESENCE)
    world.provider.show(APPLICATION, PRESENCE)
    await settle()
    expect(world.client.last.asked.at(-1)).toBe('SET_ACTIVITY')
    // It belongs to no user, so the user it names is ignored.
    expect([undefined, '5'].map((userId) => world.provider.canShow({ applicationId: APPLICATION, userId }))).toEqual([true, true])
    const signed = await world.game(SCOPES)
    await world.subscribe(signed, 'VOICE_CHANNEL_SELECT')
    await expect(world.provider.call(world.sessionOf(), 'GET_GUILDS', {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(world.client.peers.flatMap(({ asked }) => asked)).not.toContain('AUTHENTICATE')
  })

  test('does not delay subscriptions, and leaves nothing running', async () => {
    await learn()
    const game = await world.game()
    const before = world.clock.now()
    let isAnswered = false
    void world.routing.confirm(world.sessionOf(), { name: 'OVERLAY_UPDATE', args: { pid: 1 } })?.then(() => {
      isAnswered = true
    })
    await settle()
    expect([isAnswered, world.clock.now()]).toEqual([true, before])
    await world.pass(10_000, 500)
    expect(game.received()).toEqual([])
    // Without directory watching, as here, it searches at most once a minute.
    expect(world.clock.pending).toBeLessThanOrEqual(1)
  })

  test('is known to other applications, and after it closed a connection', async () => {
    await learn()
    const other = await world.game(undefined, '22')
    await world.subscribe(other, 'AUTHORIZE_REQUEST')
    await expect(world.provider.call(world.sessionOf('22'), 'GET_USER', {})).rejects.toMatchObject({
      message: expect.stringContaining('presence only'),
    })
    for (const peer of world.client.peers) peer.receiver?.onClose()
    await world.pass(500)
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('presence only') })
  })

  test('is forgotten when another program takes its place', async () => {
    await learn()
    world.client.vanish()
    world.client.answer = () => ({ data: 'here' })
    world.client.appear()
    await world.pass(1000)
    expect(await call('GET_USER')).toBe('here')
  })

  test('was only slow if it responds later, and then gets all state', async () => {
    const game = await world.game(SCOPES)
    await world.subscribe(game, 'ACTIVITY_JOIN')
    await world.subscribe(game, 'VOICE_CHANNEL_SELECT')
    await world.pass(10_000, 500)
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('presence only') })
    const peer = world.client.last
    const before = peer.asked.length
    world.client.answer = () => ({ data: {} })
    peer.send({ cmd: 'SUBSCRIBE', evt: 'ACTIVITY_JOIN', data: { evt: 'ACTIVITY_JOIN' }, nonce: peer.calls[0]?.nonce })
    await settle()
    expect(peer.asked.slice(before)).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT'])
    expect(world.provider.isConnected({ applicationId: APPLICATION, userId: undefined })).toBe(true)
  })

  test('is tested again at times when a game calls', async () => {
    await world.game()
    const given = world.provider.call(world.sessionOf(), 'GET_USER', {}, undefined)
    void given.catch(() => {})
    const game = await world.game()
    await world.subscribe(game, 'ACTIVITY_JOIN')
    await world.pass(10_000, 500)
    const asked = () => world.client.last.asked.filter((one) => one === 'CURRENT_USER_UPDATE').length
    for (let count = 0; count < 5; count++) await call('GET_USER').catch(() => {})
    await settle()
    expect(asked()).toBe(1)
    world.client.answer = () => ({ data: 'here' })
    await world.pass(60_000, 1000)
    await call('GET_USER').catch(() => {})
    await settle()
    expect(asked()).toBe(2)
    expect(await call('GET_USER')).toBe('here')
  })

  test('is replaced by a full client in another slot, which gets presence too', async () => {
    real.appear()
    world.provider.prepare(APPLICATION, PRESENCE)
    const game = await world.game()
    world.provider.prepare(APPLICATION, PRESENCE)
    world.provider.show(APPLICATION, PRESENCE)
    await world.subscribe(game, 'ACTIVITY_JOIN')
    await world.pass(10_500, 500)
    expect(world.client.peers.every(({ isCutOff }) => isCutOff)).toBe(true)
    expect(real.last.asked).toEqual(['ACTIVITY_JOIN', 'SET_ACTIVITY'])
    expect(await call('GET_USER')).toEqual(null)
    real.last.sendEvent('ACTIVITY_JOIN', { secret: 's' })
    expect(world.provider.health()).toEqual({ state: 'active' })
    await settle()
    expect(game.received().filter(({ evt }) => evt === 'ACTIVITY_JOIN')).toHaveLength(1)
  })

  test('is replaced by a full client that starts later', async () => {
    await learn()
    real.appear()
    await call('GET_USER').catch(() => {})
    await settle()
    expect(real.last.asked).toEqual(['ACTIVITY_JOIN'])
    expect(await call('GET_USER')).toEqual(null)
    expect(world.client.peers.every(({ isCutOff }) => isCutOff)).toBe(true)
  })

  test('is replaced by a full client with a slow handshake', async () => {
    await learn()
    const hello = real.ready
    real.ready = undefined
    real.appear()
    const game = await world.game(undefined, '22')
    await world.subscribe(game, 'AUTHORIZE_REQUEST')
    await world.pass(500)
    expect(world.client.last.asked).toEqual(['AUTHORIZE_REQUEST'])
    await world.pass(5000, 500)
    real.last.sendEvent('READY', hello)
    await settle()
    expect(real.last.asked).toEqual(['AUTHORIZE_REQUEST'])
    expect(world.client.last.isCutOff).toBe(true)
  })
})
