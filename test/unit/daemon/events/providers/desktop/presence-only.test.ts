import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { APPLICATION, clientWorld, type ClientWorld, presenceServer, quiet, SCOPES } from '../../../../../support/client-world.ts'
import type { MemoryClient } from '../../../../../support/memory-client.ts'

const PRESENCE = {
  applicationId: APPLICATION,
  userId: undefined,
  sessionId: 1,
  claimedPid: 12,
  stored: { activity: { name: '', type: 0, details: 'At sea' }, secrets: undefined },
  since: 0,
}

describe('a server that takes presence and answers nothing else', () => {
  let world: ClientWorld
  let real: MemoryClient

  beforeEach(async () => {
    world = await clientWorld(2)
    world.client.answer = presenceServer
    real = world.clients[1] as MemoryClient
  })
  afterEach(async () => {
    await world.source.stop()
    await quiet()
    expect(world.bridge.log.problems).toEqual([])
  })

  const call = (cmd: string) => world.source.call(world.callerOf(), cmd, {})
  /** Lets one subscription go unanswered until its deadline. */
  const learn = async (): Promise<void> => {
    const game = await world.game()
    await world.wants(game, 'ACTIVITY_JOIN')
    await world.pass(10_000, 500)
  }

  test('is known for that after one deadline: calls are refused at once, and say why', async () => {
    await world.game()
    const game = await world.game()
    await world.wants(game, 'ACTIVITY_JOIN')
    const waiting = expect(call('GET_USER')).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('takes presence'),
    })
    await world.pass(10_000, 500)
    await waiting
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringMatching(/^GET_USER .*takes presence/) })
    expect(world.client.last.asked.filter((cmd) => cmd === 'GET_USER')).toHaveLength(1)
    expect(world.source.isLinked(APPLICATION, undefined)).toBe(false)
    expect(world.source.health()).toMatchObject({ state: 'live', reason: expect.stringContaining('presence') })
  })

  test('goes on to show presence, and is shown no token', async () => {
    await learn()
    world.source.expect(APPLICATION, true)
    world.source.show(APPLICATION, PRESENCE)
    await quiet()
    expect(world.client.last.asked.at(-1)).toBe('SET_ACTIVITY')
    // Whom it names means nothing: it is nobody's client.
    expect([undefined, '5'].map((userId) => world.source.canShow(APPLICATION, userId))).toEqual([true, true])
    const signed = await world.game(SCOPES)
    await world.wants(signed, 'VOICE_CHANNEL_SELECT')
    await expect(world.source.call(world.callerOf(), 'GET_GUILDS', {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(world.client.peers.flatMap(({ asked }) => asked)).not.toContain('AUTHENTICATE')
  })

  test('holds no subscription up, and keeps nothing running', async () => {
    await learn()
    const game = await world.game()
    const before = world.clock.now()
    let isAnswered = false
    void world.source.welcome(world.callerOf(), { name: 'OVERLAY_UPDATE', args: { pid: 1 } })?.then(() => {
      isAnswered = true
    })
    await quiet()
    expect([isAnswered, world.clock.now()]).toEqual([true, before])
    await world.pass(10_000, 500)
    expect(game.heard()).toEqual([])
    // Where the folder cannot be watched, as here, once a minute at most; no more for that.
    expect(world.clock.pending).toBeLessThanOrEqual(1)
  })

  test('is known to other applications, and again after it closed a connection', async () => {
    await learn()
    const other = await world.game(undefined, '22')
    await world.wants(other, 'AUTHORIZE_REQUEST')
    await expect(world.source.call(world.callerOf('22'), 'GET_USER', {})).rejects.toMatchObject({
      message: expect.stringContaining('takes presence'),
    })
    for (const peer of world.client.peers) peer.receiver?.onClose()
    await world.pass(500)
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('takes presence') })
  })

  test('is forgotten when something else takes its place', async () => {
    await learn()
    world.client.vanish()
    world.client.answer = () => ({ data: 'here' })
    world.client.appear()
    await world.pass(1000)
    expect(await call('GET_USER')).toBe('here')
  })

  test('was only slow when it answers after all, and gets all that it could not have', async () => {
    const game = await world.game(SCOPES)
    await world.wants(game, 'ACTIVITY_JOIN')
    await world.wants(game, 'VOICE_CHANNEL_SELECT')
    await world.pass(10_000, 500)
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('takes presence') })
    const peer = world.client.last
    const before = peer.asked.length
    world.client.answer = () => ({ data: {} })
    peer.send({ cmd: 'SUBSCRIBE', evt: 'ACTIVITY_JOIN', data: { evt: 'ACTIVITY_JOIN' }, nonce: peer.calls[0]?.nonce })
    await quiet()
    expect(peer.asked.slice(before)).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT'])
    expect(world.source.isLinked(APPLICATION, undefined)).toBe(true)
  })

  test('is asked now and then, when a game calls, whether it does more by now', async () => {
    await world.game()
    const given = world.source.call(world.callerOf(), 'GET_USER', {}, undefined)
    void given.catch(() => {})
    const game = await world.game()
    await world.wants(game, 'ACTIVITY_JOIN')
    await world.pass(10_000, 500)
    const asked = () => world.client.last.asked.filter((one) => one === 'CURRENT_USER_UPDATE').length
    for (let count = 0; count < 5; count++) await call('GET_USER').catch(() => {})
    await quiet()
    expect(asked()).toBe(1)
    world.client.answer = () => ({ data: 'here' })
    await world.pass(60_000, 1000)
    await call('GET_USER').catch(() => {})
    await quiet()
    expect(asked()).toBe(2)
    expect(await call('GET_USER')).toBe('here')
  })

  test('stands back for a real client in another slot, which gets presence too', async () => {
    real.appear()
    world.source.expect(APPLICATION, true)
    const game = await world.game()
    world.source.expect(APPLICATION, true)
    world.source.show(APPLICATION, PRESENCE)
    await world.wants(game, 'ACTIVITY_JOIN')
    await world.pass(10_500, 500)
    expect(world.client.peers.every(({ isCutOff }) => isCutOff)).toBe(true)
    expect(real.last.asked).toEqual(['ACTIVITY_JOIN', 'SET_ACTIVITY'])
    expect(await call('GET_USER')).toEqual(null)
    real.last.tell('ACTIVITY_JOIN', { secret: 's' })
    expect(world.source.health()).toEqual({ state: 'live' })
    await quiet()
    expect(game.heard().filter(({ evt }) => evt === 'ACTIVITY_JOIN')).toHaveLength(1)
  })

  test('stands back for a real client that starts later', async () => {
    await learn()
    real.appear()
    await call('GET_USER').catch(() => {})
    await quiet()
    expect(real.last.asked).toEqual(['ACTIVITY_JOIN'])
    expect(await call('GET_USER')).toEqual(null)
    expect(world.client.peers.every(({ isCutOff }) => isCutOff)).toBe(true)
  })

  test('stands back for a real client that was slow to say hello', async () => {
    await learn()
    const hello = real.ready
    real.ready = undefined
    real.appear()
    const game = await world.game(undefined, '22')
    await world.wants(game, 'AUTHORIZE_REQUEST')
    await world.pass(500)
    expect(world.client.last.asked).toEqual(['AUTHORIZE_REQUEST'])
    await world.pass(5000, 500)
    real.last.tell('READY', hello)
    await quiet()
    expect(real.last.asked).toEqual(['AUTHORIZE_REQUEST'])
    expect(world.client.last.isCutOff).toBe(true)
  })
})
