import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller } from '@sallyport/core/cancel'
import { APPLICATION, clientWorld, type ClientWorld, quiet, SCOPES } from '../../../../../support/client-world.ts'
import type { ClientCall, MemoryClient } from '../../../../../support/memory-client.ts'

const presence = (claimedPid: number, details = 'At sea') => ({
  applicationId: APPLICATION,
  userId: undefined,
  sessionId: claimedPid,
  claimedPid,
  stored: { activity: { name: '', type: 0, details }, secrets: undefined },
  since: 0,
})

describe('what a game wants of the desktop client', () => {
  let world: ClientWorld
  let client: MemoryClient

  beforeEach(async () => {
    world = await clientWorld(2)
    client = world.client
  })
  afterEach(async () => {
    await world.source.stop()
    await quiet()
    expect(world.bridge.log.problems).toEqual([])
    expect(world.clock.pending).toBe(0)
  })

  const call = (cmd: string, args: object = {}, stop?: Canceller) => world.source.call(world.callerOf(), cmd, args, stop)
  const restart = (): void => {
    client.vanish()
    client.appear()
  }
  /** Answers all but these commands. */
  const allBut =
    (...silent: readonly string[]) =>
    ({ cmd }: ClientCall) =>
      silent.includes(cmd) ? undefined : { data: {} }

  test('and needs no user does not wait for one', async () => {
    const game = await world.game(SCOPES)
    await world.wants(game, 'VOICE_CHANNEL_SELECT')
    await world.wants(game, 'ACTIVITY_JOIN')
    world.source.expect(APPLICATION, true)
    world.source.show(APPLICATION, presence(12))
    client.answer = allBut('AUTHENTICATE')
    restart()
    await world.pass(200)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'SET_ACTIVITY', 'AUTHENTICATE'])
    let isAnswered = false
    void world.source.welcome(world.callerOf(), { name: 'AUTHORIZE_REQUEST', args: {} })?.then(() => {
      isAnswered = true
    })
    await quiet()
    expect(isAnswered).toBe(true)
  })

  test('is all there once, also when the client goes away again in the middle', async () => {
    const game = await world.game(SCOPES)
    for (const evt of ['VOICE_CHANNEL_SELECT', 'ACTIVITY_JOIN', 'AUTHORIZE_REQUEST']) await world.wants(game, evt)
    await call('SET_VOICE_SETTINGS', { mute: true })
    const all = ['AUTHORIZE_REQUEST', 'ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT', 'SET_VOICE_SETTINGS']
    for (const lastHeard of all) {
      // It dies with this call, which it never answers.
      client.answer = ({ cmd, evt }) => {
        if ((cmd === 'SUBSCRIBE' ? evt : cmd) !== lastHeard) return { data: {} }
        client.vanish()
        return undefined
      }
      restart()
      await world.pass(1000)
      client.answer = () => ({ data: {} })
      client.appear()
      await world.pass(4000)
      expect(client.last.asked).toEqual(all)
    }
  })

  test('and was refused for the moment is asked for again, less and less', async () => {
    const game = await world.game(SCOPES)
    world.offline.reason = new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.')
    await world.wants(game, 'VOICE_CHANNEL_SELECT')
    await world.wants(game, 'ACTIVITY_JOIN')
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
    await world.pass(20_000, 1000)
    world.offline.reason = undefined
    await world.pass(5000, 1000)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT'])
    expect(world.clock.pending).toBe(0)
  })

  test('and was not answered in time is asked for again', async () => {
    const game = await world.game()
    await world.wants(game, 'AUTHORIZE_REQUEST')
    client.answer = allBut('SUBSCRIBE', 'SET_ACTIVITY')
    world.source.expect(APPLICATION, true)
    world.source.show(APPLICATION, presence(12))
    await world.wants(game, 'ACTIVITY_JOIN')
    await world.pass(10_000, 1000)
    client.answer = () => ({ data: {} })
    await world.pass(5000, 1000)
    expect(client.last.asked).toEqual(['AUTHORIZE_REQUEST', 'SET_ACTIVITY', 'ACTIVITY_JOIN', 'ACTIVITY_JOIN', 'SET_ACTIVITY'])
  })

  test('and was refused for good is not asked for again', async () => {
    const game = await world.game(SCOPES)
    client.answer = () => ({ error: { code: 4006, message: 'Not authenticated or invalid scope' } })
    await world.wants(game, 'VOICE_CHANNEL_SELECT')
    await world.wants(game, 'ACTIVITY_JOIN')
    expect(world.clock.pending).toBe(0)
  })

  test('is not sent for a game that gave up before its turn came', async () => {
    await world.game(SCOPES)
    client.answer = allBut('AUTHENTICATE')
    const stop = new Canceller()
    const first = expect(call('GET_GUILDS')).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const second = expect(call('SELECT_VOICE_CHANNEL', { channel_id: '1' }, stop)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    await quiet()
    stop.stop()
    await world.pass(5000, 1000)
    await Promise.all([first, second])
    client.answer = () => ({ data: {} })
    await quiet()
    expect(client.last.asked).toEqual(['AUTHENTICATE'])
  })

  test('of voice settings comes back before what the game changes then', async () => {
    const game = await world.game(SCOPES)
    await world.wants(game, 'VOICE_CHANNEL_SELECT')
    await call('SET_VOICE_SETTINGS', { mute: true })
    restart()
    const changed = call('SET_VOICE_SETTINGS', { mute: false })
    await world.pass(200)
    await changed
    const sent = client.last.calls.filter(({ cmd }) => cmd === 'SET_VOICE_SETTINGS').map(({ args }) => args)
    expect(sent).toEqual([{ mute: true }, { mute: false }])
  })

  test('of voice settings waits for somebody who may set them', async () => {
    const game = await world.game(SCOPES)
    await world.wants(game, 'ACTIVITY_JOIN')
    await call('SET_VOICE_SETTINGS', { mute: true })
    world.offline.reason = new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.')
    restart()
    await world.pass(1000)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
    world.offline.reason = undefined
    await world.pass(6000, 1000)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'SET_VOICE_SETTINGS'])
  })

  test('of voice settings is no longer held when the last session left while the client was away', async () => {
    const game = await world.game(SCOPES)
    await world.game(SCOPES, '22')
    await call('SET_VOICE_SETTINGS', { mute: true })
    client.vanish()
    await quiet()
    game.receiver.onClose()
    client.appear()
    await world.pass(1000)
    await world.source.call(world.callerOf('22'), 'SET_VOICE_SETTINGS', { mute: false })
    expect(client.last.calls.map(({ args }) => args)).toContainEqual({ mute: false })
    expect(client.peers.flatMap(({ calls }) => calls).filter(({ args }) => args.mute === true)).toHaveLength(1)
  })

  test('and its processes take turns to show is taken back from one before the other shows', async () => {
    await world.game()
    world.source.expect(APPLICATION, true)
    await quiet()
    world.source.show(APPLICATION, presence(12))
    world.source.show(APPLICATION, presence(34, 'Ashore'))
    await quiet()
    expect(client.last.calls.map(({ args }) => args)).toEqual([
      { pid: 12, activity: { type: 0, details: 'At sea' } },
      { pid: 12 },
      { pid: 34, activity: { type: 0, details: 'Ashore' } },
    ])
  })

  test('goes to the other client when the first one goes away, but not what its user does not show', async () => {
    const other = world.clients[1] as MemoryClient
    other.ready = { ...other.ready, user: { id: '7', username: 'bob', discriminator: '0', avatar: null } }
    const game = await world.game()
    await world.wants(game, 'ACTIVITY_JOIN')
    world.source.expect(APPLICATION, true)
    world.source.show(APPLICATION, { ...presence(12), userId: '80351110224678912' })
    await quiet()
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'SET_ACTIVITY'])
    other.appear()
    client.vanish()
    await world.pass(200)
    expect(other.last.asked).toEqual(['ACTIVITY_JOIN'])
    expect(world.source.canShow(APPLICATION, '80351110224678912')).toBe(false)
    expect(world.source.canShow(APPLICATION, '7')).toBe(true)
  })

  test('survives a client that says hello and goes, again and again', async () => {
    const carried: boolean[] = []
    world.source.onChange(() => carried.push(world.source.canShow(APPLICATION, undefined)))
    const game = await world.game()
    client.vanish()
    await world.wants(game, 'ACTIVITY_JOIN')
    client.goesAtOnce = true
    client.appear()
    await world.pass(20_000, 500)
    expect(carried).toEqual([])
    expect(client.peers.length).toBeLessThan(8)
    client.goesAtOnce = false
    await world.pass(60_000, 1000)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
    expect(carried).toEqual([true])
  })

  test('is told why it cannot be had', async () => {
    await world.game()
    client.ready = undefined
    client.dismisses = { code: 4000, message: 'Invalid Client ID' }
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('does not take this application') })
    client.dismisses = undefined
    const silent = expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('does not say hello') })
    await world.pass(5000, 1000)
    await silent
    client.vanish()
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('none runs here') })
  })

  test('of a client that turns the application away is not tried again and again', async () => {
    client.ready = undefined
    client.dismisses = { code: 4000, message: 'Invalid Client ID' }
    const game = await world.game()
    await world.wants(game, 'ACTIVITY_JOIN')
    await world.pass(3_600_000, 60_000)
    // Nothing tells of sockets here, as where there are pipes: once a minute.
    expect(client.peers.length).toBeLessThan(80)
  })

  test('leaves nothing running when the game leaves while the client says nothing', async () => {
    client.ready = undefined
    const game = await world.game()
    await world.wants(game, 'ACTIVITY_JOIN')
    expect(client.peers).toHaveLength(1)
    game.receiver.onClose()
    await quiet()
    expect(client.last.isCutOff).toBe(true)
    expect(world.clock.pending).toBe(0)
  })

  test('is not what belongs to the user of the client when the game plays for another', async () => {
    client.ready = { ...client.ready, user: { id: '7', username: 'bob', discriminator: '0', avatar: null } }
    await world.game(SCOPES)
    for (const cmd of ['GET_ENTITLEMENT_TICKET', 'START_PURCHASE', 'GET_ENTITLEMENTS']) {
      await expect(call(cmd)).rejects.toMatchObject({ error: 'INVALID_TOKEN', message: expect.stringContaining('another user') })
    }
    await call('GET_USER', { id: '1' })
    expect(client.last.asked).toEqual(['GET_USER'])
    await world.game(undefined, '22')
    await world.source.call(world.callerOf('22'), 'GET_ENTITLEMENTS', {})
    expect(client.last.asked).toEqual(['GET_ENTITLEMENTS'])
  })
})
