import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller } from '@sallyport/core/cancel'
import { APPLICATION, clientWorld, type ClientWorld, settle, SCOPES } from '#test/support/client-world.ts'
import type { ClientCall, MemoryClient } from '#test/support/memory-client.ts'

const presence = (claimedPid: number, details = 'At sea') => ({
  applicationId: APPLICATION,
  userId: undefined,
  sessionId: claimedPid,
  claimedPid,
  stored: { activity: { name: '', type: 0, details }, secrets: undefined },
  since: 0,
})

describe('the state of a game at the desktop client', () => {
  let world: ClientWorld
  let client: MemoryClient

  beforeEach(async () => {
    world = await clientWorld(2)
    client = world.client
  })
  afterEach(async () => {
    await world.provider.stop()
    await settle()
    expect(world.bridge.log.problems).toEqual([])
    expect(world.clock.pending).toBe(0)
  })

  const call = (cmd: string, args: object = {}, stop?: Canceller) => world.provider.call(world.sessionOf(), cmd, args, stop)
  const restart = (): void => {
    client.vanish()
    client.appear()
  }
  /** Answers all but these commands. */
  const allBut =
    (...silent: readonly string[]) =>
    ({ cmd }: ClientCall) =>
      silent.includes(cmd) ? undefined : { data: {} }

  test('does not wait for a user that it does not need', async () => {
    const game = await world.game(SCOPES)
    await world.subscribe(game, 'VOICE_CHANNEL_SELECT')
    await world.subscribe(game, 'ACTIVITY_JOIN')
    world.provider.prepare(APPLICATION, presence(12))
    world.provider.show(APPLICATION, presence(12))
    client.answer = allBut('AUTHENTICATE')
    restart()
    await world.pass(200)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'SET_ACTIVITY', 'AUTHENTICATE'])
    let isAnswered = false
    void world.routing.confirm(world.sessionOf(), { name: 'AUTHORIZE_REQUEST', args: {} })?.then(() => {
      isAnswered = true
    })
    await settle()
    expect(isAnswered).toBe(true)
  })

  test('is restored once, also when the client closes during that', async () => {
    const game = await world.game(SCOPES)
    for (const evt of ['VOICE_CHANNEL_SELECT', 'ACTIVITY_JOIN', 'AUTHORIZE_REQUEST']) await world.subscribe(game, evt)
    await call('SET_VOICE_SETTINGS', { mute: true })
    const all = ['AUTHORIZE_REQUEST', 'ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT', 'SET_VOICE_SETTINGS']
    for (const lastHeard of all) {
      // The client closes at this call, without a response.
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

  test('is retried with backoff after a temporary refusal', async () => {
    const game = await world.game(SCOPES)
    world.offline.reason = new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.')
    await world.subscribe(game, 'VOICE_CHANNEL_SELECT')
    await world.subscribe(game, 'ACTIVITY_JOIN')
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
    await world.pass(20_000, 1000)
    world.offline.reason = undefined
    await world.pass(5000, 1000)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT'])
    expect(world.clock.pending).toBe(0)
  })

  test('is retried after a timeout', async () => {
    const game = await world.game()
    await world.subscribe(game, 'AUTHORIZE_REQUEST')
    client.answer = allBut('SUBSCRIBE', 'SET_ACTIVITY')
    world.provider.prepare(APPLICATION, presence(12))
    world.provider.show(APPLICATION, presence(12))
    await world.subscribe(game, 'ACTIVITY_JOIN')
    await world.pass(10_000, 1000)
    client.answer = () => ({ data: {} })
    await world.pass(5000, 1000)
    expect(client.last.asked).toEqual(['AUTHORIZE_REQUEST', 'SET_ACTIVITY', 'ACTIVITY_JOIN', 'ACTIVITY_JOIN', 'SET_ACTIVITY'])
  })

  test('is not retried after a permanent refusal', async () => {
    const game = await world.game(SCOPES)
    client.answer = () => ({ error: { code: 4006, message: 'Not authenticated or invalid scope' } })
    await world.subscribe(game, 'VOICE_CHANNEL_SELECT')
    await world.subscribe(game, 'ACTIVITY_JOIN')
    expect(world.clock.pending).toBe(0)
  })

  test('is not sent for a call that was cancelled in the queue', async () => {
    await world.game(SCOPES)
    client.answer = allBut('AUTHENTICATE')
    const stop = new Canceller()
    const first = expect(call('GET_GUILDS')).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const second = expect(call('SELECT_VOICE_CHANNEL', { channel_id: '1' }, stop)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    await settle()
    stop.cancel()
    await world.pass(5000, 1000)
    await Promise.all([first, second])
    client.answer = () => ({ data: {} })
    await settle()
    expect(client.last.asked).toEqual(['AUTHENTICATE'])
  })

  test('restores voice settings before a new change of the game', async () => {
    const game = await world.game(SCOPES)
    await world.subscribe(game, 'VOICE_CHANNEL_SELECT')
    await call('SET_VOICE_SETTINGS', { mute: true })
    restart()
    const changed = call('SET_VOICE_SETTINGS', { mute: false })
    await world.pass(200)
    await changed
    const sent = client.last.calls.filter(({ cmd }) => cmd === 'SET_VOICE_SETTINGS').map(({ args }) => args)
    expect(sent).toEqual([{ mute: true }, { mute: false }])
  })

  test('restores voice settings only on behalf of a session with the scopes', async () => {
    const game = await world.game(SCOPES)
    await world.subscribe(game, 'ACTIVITY_JOIN')
    await call('SET_VOICE_SETTINGS', { mute: true })
    world.offline.reason = new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.')
    restart()
    await world.pass(1000)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
    world.offline.reason = undefined
    await world.pass(6000, 1000)
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'SET_VOICE_SETTINGS'])
  })

  test('releases the voice settings when the last session closes while no client runs', async () => {
    const game = await world.game(SCOPES)
    await world.game(SCOPES, '22')
    await call('SET_VOICE_SETTINGS', { mute: true })
    client.vanish()
    await settle()
    game.receiver.onClose()
    client.appear()
    await world.pass(1000)
    await world.provider.call(world.sessionOf('22'), 'SET_VOICE_SETTINGS', { mute: false })
    expect(client.last.calls.map(({ args }) => args)).toContainEqual({ mute: false })
    expect(client.peers.flatMap(({ calls }) => calls).filter(({ args }) => args.mute === true)).toHaveLength(1)
  })

  test('clears the activity of one process before another process shows one', async () => {
    await world.game()
    world.provider.prepare(APPLICATION, presence(12))
    await settle()
    world.provider.show(APPLICATION, presence(12))
    world.provider.show(APPLICATION, presence(34, 'Ashore'))
    await settle()
    expect(client.last.calls.map(({ args }) => args)).toEqual([
      { pid: 12, activity: { type: 0, details: 'At sea' } },
      { pid: 12 },
      { pid: 34, activity: { type: 0, details: 'Ashore' } },
    ])
  })

  test('moves to another client when the first one closes, except presence of another user', async () => {
    const other = world.clients[1] as MemoryClient
    other.ready = { ...other.ready, user: { id: '7', username: 'bob', discriminator: '0', avatar: null } }
    const game = await world.game()
    await world.subscribe(game, 'ACTIVITY_JOIN')
    world.provider.prepare(APPLICATION, presence(12))
    world.provider.show(APPLICATION, { ...presence(12), userId: '80351110224678912' })
    await settle()
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'SET_ACTIVITY'])
    other.appear()
    client.vanish()
    await world.pass(200)
    expect(other.last.asked).toEqual(['ACTIVITY_JOIN'])
    expect(world.provider.canShow({ applicationId: APPLICATION, userId: '80351110224678912' })).toBe(false)
    expect(world.provider.canShow({ applicationId: APPLICATION, userId: '7' })).toBe(true)
  })

  test('is there again a minute after its first connection, when the game comes for the third time', async () => {
    for (let visit = 1; visit <= 3; visit++) {
      const game = await world.game()
      await world.subscribe(game, 'AUTHORIZE_REQUEST')
      await world.pass(500)
      expect(client.peers).toHaveLength(Math.min(visit, 2))
      if (visit < 3) game.receiver.onClose()
    }
    await world.pass(58_000, 500)
    expect(client.peers).toHaveLength(2)
    await world.pass(1000)
    expect(client.peers).toHaveLength(3)
    expect(client.last.asked).toEqual(['AUTHORIZE_REQUEST'])
  })

  test('survives a client that closes after each handshake', async () => {
    const carried: boolean[] = []
    world.provider.changed.on(() => carried.push(world.provider.canShow({ applicationId: APPLICATION, userId: undefined })))
    const game = await world.game()
    client.vanish()
    await world.subscribe(game, 'ACTIVITY_JOIN')
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

  test('is refused with a reason', async () => {
    await world.game()
    client.ready = undefined
    client.dismisses = { code: 4000, message: 'Invalid Client ID' }
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('rejects this application') })
    client.dismisses = undefined
    const silent = expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('does not complete the handshake') })
    await world.pass(5000, 1000)
    await silent
    client.vanish()
    await expect(call('GET_USER')).rejects.toMatchObject({ message: expect.stringContaining('none runs here') })
  })

  test('is not retried constantly at a client that rejects the application', async () => {
    client.ready = undefined
    client.dismisses = { code: 4000, message: 'Invalid Client ID' }
    const game = await world.game()
    await world.subscribe(game, 'ACTIVITY_JOIN')
    await world.pass(3_600_000, 60_000)
    // Without socket notifications, as with pipes, it searches once a minute.
    expect(client.peers.length).toBeLessThan(80)
  })

  test('leaves nothing running when the game closes while the client is silent', async () => {
    client.ready = undefined
    const game = await world.game()
    await world.subscribe(game, 'ACTIVITY_JOIN')
    expect(client.peers).toHaveLength(1)
    game.receiver.onClose()
    await settle()
    expect(client.last.isCutOff).toBe(true)
    expect(world.clock.pending).toBe(0)
  })

  test('excludes data of the user of the client when the game is signed in as another user', async () => {
    client.ready = { ...client.ready, user: { id: '7', username: 'bob', discriminator: '0', avatar: null } }
    await world.game(SCOPES)
    for (const cmd of ['GET_ENTITLEMENT_TICKET', 'START_PURCHASE', 'GET_ENTITLEMENTS']) {
      await expect(call(cmd)).rejects.toMatchObject({ error: 'INVALID_TOKEN', message: expect.stringContaining('another user') })
    }
    await call('GET_USER', { id: '1' })
    expect(client.last.asked).toEqual(['GET_USER'])
    await world.game(undefined, '22')
    await world.provider.call(world.sessionOf('22'), 'GET_ENTITLEMENTS', {})
    expect(client.last.asked).toEqual(['GET_ENTITLEMENTS'])
  })
})
