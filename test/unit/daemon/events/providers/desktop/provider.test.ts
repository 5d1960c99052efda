import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#daemon/src/sessions/session.ts'
import { DesktopClientProvider } from '#daemon/src/events/providers/desktop/provider.ts'
import { createPublisher } from '#daemon/src/events/publisher.ts'
import { EventRouting } from '#daemon/src/events/routing.ts'
import { Game, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { MemoryClient } from '#test/support/memory-client.ts'
import { tokenOf } from '#test/support/tokens.ts'
import { Secret } from '@sallyport/core/secret'

const ANN = '80351110224678912'
const SCOPES = ['rpc', 'identify']
const PRESENCE = {
  applicationId: '1234567890',
  userId: undefined,
  sessionId: 1,
  claimedPid: 12,
  stored: { activity: { name: '', type: 0, details: 'At sea' }, secrets: undefined },
  since: 0,
}

/** Waits until all work without timers is done. */
const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn++) await settled()
}

describe('the desktop client as a provider', () => {
  let clock: FakeClock
  let bridge: TestBridge
  let client: MemoryClient
  let provider: DesktopClientProvider
  let routing: EventRouting
  let known: string[]
  let isAnnounced: boolean

  beforeEach(async () => {
    clock = new FakeClock()
    bridge = testBridge({ clock })
    client = new MemoryClient()
    known = []
    isAnnounced = false
    routing = new EventRouting()
    provider = sourceAt('/run/user/7')
    routing.register([{ name: 'user', covers: (session) => session.scopes.has('gateway.connect') }, ...provider.routes])
    await provider.start()
    // Replaces the providers of the test bridge.
    await quiet()
    bridge.hub.changed.on(() => provider.reconcile(bridge.hub.selectors()))
  })
  afterEach(async () => {
    await provider.stop()
    await quiet()
    expect(bridge.log.problems).toEqual([])
  })

  const sourceAt = (directory: string): DesktopClientProvider => {
    const { hub, registry, lifecycle, log } = bridge
    return new DesktopClientProvider({
      place: { directory, ipcPrefix: 'discord-ipc', platform: 'linux' },
      dialer: client.dialer,
      clock,
      log,
      hub,
      registry,
      lifecycle,
      publish: createPublisher({ hub, clock }),
      routing,
      tokenOf: async (session) => session.signedIn?.accessToken ?? new Secret('none'),
      onUser: ({ username }) => {
        known.push(username)
        return isAnnounced
      },
      ownAddresses: () => [],
      isClient: () => true,
      apiEndpoint: 'https://example.test/api/v10',
      placesOf: () => undefined,
    })
  }

  const game = async (scopes?: readonly string[], { applicationId = '1234567890', userId = ANN } = {}): Promise<Game> => {
    const made = Game.connected(bridge, { client_id: applicationId, streams: true })
    if (scopes !== undefined) await made.ask('AUTHENTICATE', { access_token: tokenOf(scopes, { applicationId, userId }) })
    await quiet()
    return made
  }
  const callerOf = (applicationId = '1234567890'): Session =>
    bridge.registry.all().find((one) => one.applicationId === applicationId) as Session
  const wants = async (of: Game, evt: string, args: object = {}): Promise<void> => {
    of.call('SUBSCRIBE', args, evt)
    await quiet()
  }

  test('does not connect without demand', async () => {
    const one = await game(SCOPES)
    await wants(one, 'LOBBY_MESSAGE_CREATE').catch(() => {})
    expect(client.peers).toEqual([])
    expect(provider.health()).toEqual({ state: 'idle' })
    expect(clock.pending).toBe(0)
  })

  test('subscribes at the client once for all sessions, until the last one unsubscribes', async () => {
    const one = await game()
    const other = await game()
    await wants(one, 'ACTIVITY_JOIN')
    await wants(other, 'ACTIVITY_JOIN')
    await wants(one, 'AUTHORIZE_REQUEST')
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHORIZE_REQUEST'])
    expect(provider.health()).toEqual({ state: 'active' })

    client.last.sendEvent('ACTIVITY_JOIN', { secret: 's' })
    client.last.sendEvent('AUTHORIZE_REQUEST', null)
    await quiet()
    expect(one.received().map(({ evt, data }) => [evt, data])).toEqual([
      ['ACTIVITY_JOIN', { secret: 's' }],
      ['AUTHORIZE_REQUEST', null],
    ])
    expect(other.received().map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN'])

    one.call('UNSUBSCRIBE', {}, 'ACTIVITY_JOIN')
    await quiet()
    expect(client.last.asked).toHaveLength(2)
    other.call('UNSUBSCRIBE', {}, 'ACTIVITY_JOIN')
    await quiet()
    expect(client.last.asked.at(-1)).toBe('UNSUBSCRIBE ACTIVITY_JOIN')
  })

  test('is not asked for events that it refuses to a session whose scopes are enough elsewhere', async () => {
    const one = await game(['identify', 'guilds'])
    await wants(one, 'CHANNEL_CREATE')
    await wants(one, 'AUTHORIZE_REQUEST')
    expect(client.last.asked).toEqual(['AUTHORIZE_REQUEST'])
    const other = await game(SCOPES)
    await wants(other, 'GUILD_CREATE')
    expect(client.last.asked).toEqual(['AUTHORIZE_REQUEST', 'AUTHENTICATE', 'GUILD_CREATE'])
  })

  test('authenticates before events of users, once per token, and publishes only to that user', async () => {
    const ann = await game([...SCOPES, 'rpc.notifications.read'])
    const bob = await game([...SCOPES, 'rpc.notifications.read'], { userId: '7' })
    await wants(ann, 'VOICE_CHANNEL_SELECT')
    await wants(ann, 'NOTIFICATION_CREATE')
    expect(client.last.asked).toEqual(['AUTHENTICATE', 'VOICE_CHANNEL_SELECT', 'NOTIFICATION_CREATE'])
    expect(client.last.calls[0]?.args).toEqual({ access_token: tokenOf([...SCOPES, 'rpc.notifications.read']) })

    client.answer = () => ({ error: { code: 4009, message: 'Token does not match current user' } })
    await wants(bob, 'VOICE_CHANNEL_SELECT')
    await wants(bob, 'VOICE_CONNECTION_STATUS')
    ann.received()
    bob.received()
    client.last.sendEvent('VOICE_CHANNEL_SELECT', { channel_id: null })
    client.last.sendEvent('VOICE_CONNECTION_STATUS', { state: 'CONNECTED', pings: [] })
    await quiet()
    expect(ann.received()).toHaveLength(1)
    expect(bob.received()).toEqual([])
  })

  test('restores all state in order, once, within a second after the client restarts', { tags: ['6-19'] }, async () => {
    const one = await game(SCOPES)
    await wants(one, 'VOICE_CHANNEL_SELECT')
    await wants(one, 'ACTIVITY_JOIN')
    await wants(one, 'AUTHORIZE_REQUEST')
    provider.prepare('1234567890', PRESENCE)
    provider.show('1234567890', PRESENCE)
    await provider.call(callerOf(), 'SET_VOICE_SETTINGS', { mute: true })
    await provider.call(callerOf(), 'SET_VOICE_SETTINGS', { deaf: true })

    client.answer = () => undefined
    const pending = provider.call(callerOf(), 'GET_VOICE_SETTINGS', {})
    await quiet()
    client.vanish()
    await expect(pending).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('retry') })
    expect(provider.health()).toMatchObject({ state: 'unavailable', reason: expect.stringContaining('does not run') })
    await expect(provider.call(callerOf(), 'GET_USER', { id: '1' })).rejects.toMatchObject({ message: expect.stringContaining('start it') })

    client.answer = () => ({})
    client.appear()
    for (let passed = 0; passed < 1000; passed += 50) {
      clock.advance(50)
      await quiet()
    }
    expect(client.peers).toHaveLength(2)
    expect(client.last.asked).toEqual([
      'AUTHORIZE_REQUEST',
      'ACTIVITY_JOIN',
      'SET_ACTIVITY',
      'AUTHENTICATE',
      'VOICE_CHANNEL_SELECT',
      'SET_VOICE_SETTINGS',
    ])
    expect(client.last.calls[2]?.args).toEqual({ pid: 12, activity: { type: 0, details: 'At sea' } })
    expect(client.last.calls[5]?.args).toEqual({ mute: true, deaf: true })
    one.received()
    client.last.sendEvent('AUTHORIZE_REQUEST', null)
    await quiet()
    expect(one.received()).toHaveLength(1)
  })

  test('a client that closes every connection is retried with backoff', async () => {
    const one = await game()
    await wants(one, 'ACTIVITY_JOIN')
    for (let minute = 0; minute < 10; minute++) {
      for (let passed = 0; passed < 60_000; passed += 1000) {
        for (const peer of client.peers) if (!peer.isCutOff) peer.receiver?.onClose()
        clock.advance(1000)
        await settled()
        await settled()
      }
    }
    expect(client.peers.length).toBeLessThan(30)
  })

  test('a game that signs in later gets the events that need a user', async () => {
    const one = await game()
    await wants(one, 'ACTIVITY_JOIN')
    bridge.hub.subscribe(callerOf(), { name: 'VOICE_CHANNEL_SELECT', args: {} })
    await quiet()
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
    await one.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES) })
    await quiet()
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT'])
  })

  test('closes when the last session closes, and releases the voice settings', async () => {
    const one = await game(SCOPES)
    const same = await game()
    const other = await game(SCOPES, { applicationId: '22' })
    await provider.call(callerOf(), 'SET_VOICE_SETTINGS', { mute: true })
    await expect(provider.call(callerOf('22'), 'SET_VOICE_SETTINGS', { mute: false })).rejects.toMatchObject({
      error: 'INVALID_PERMISSIONS',
    })
    one.receiver.onClose()
    await quiet()
    expect(client.peers[0]?.isCutOff).toBe(false)
    same.receiver.onClose()
    await quiet()
    expect(client.peers[0]?.isCutOff).toBe(true)
    await provider.call(callerOf('22'), 'SET_VOICE_SETTINGS', { mute: false })
    other.receiver.onClose()
    await quiet()
    expect(clock.pending).toBe(0)
  })

  test('each call has the scopes of its own session, and none without sign-in', async () => {
    const scopes = ['rpc', 'identify', 'rpc.voice.read']
    await game(SCOPES)
    await game(scopes)
    const [first, second] = bridge.registry.all() as [Session, Session]
    await provider.call(first, 'GET_GUILDS', {})
    await provider.call(second, 'GET_VOICE_SETTINGS', {})
    await provider.call(second, 'GET_VOICE_SETTINGS', {})
    await provider.call(second, 'GET_USER', { id: '1' })
    expect(client.last.asked).toEqual([
      'AUTHENTICATE',
      'GET_GUILDS',
      'AUTHENTICATE',
      'GET_VOICE_SETTINGS',
      'GET_VOICE_SETTINGS',
      'GET_USER',
    ])
    expect(client.last.calls[2]?.args).toEqual({ access_token: tokenOf(scopes) })
  })

  test('the error of the client for a token is the response to the call that used it', async () => {
    await game(SCOPES)
    client.answer = ({ cmd }) => (cmd === 'AUTHENTICATE' ? { error: { code: 4009, message: 'Token does not match current user' } } : {})
    const refused = provider.call(callerOf(), 'GET_GUILDS', {})
    await expect(refused).rejects.toMatchObject({ error: 'INVALID_TOKEN', message: 'Token does not match current user' })
    expect(client.last.asked).toEqual(['AUTHENTICATE'])
  })

  test('an event without arguments reaches a session once, and only sessions that may receive it', async () => {
    const one = await game(SCOPES)
    const other = await game(SCOPES)
    await wants(one, 'VOICE_STATE_UPDATE', { channel_id: '1' })
    await wants(one, 'VOICE_STATE_UPDATE', { channel_id: '2' })
    await wants(other, 'MESSAGE_CREATE', { channel_id: '1' })
    await wants(one, 'MESSAGE_CREATE', { channel_id: '2' })
    one.received()
    other.received()
    client.last.sendEvent('VOICE_STATE_UPDATE', { user: { id: '9' } })
    client.last.sendEvent('MESSAGE_CREATE', { channel_id: '1', message: { id: '5' } })
    client.last.sendEvent('MESSAGE_CREATE', { channel_id: '1', message: { id: '5' } })
    client.last.sendEvent('NOT_AN_EVENT', {})
    client.last.sendEvent('GUILD_CREATE', {})
    await quiet()
    expect(one.received().map(({ evt }) => evt)).toEqual(['VOICE_STATE_UPDATE'])
    expect(other.received().map(({ evt }) => evt)).toEqual(['MESSAGE_CREATE'])
  })

  test('an event that the gateway provides is not published', async () => {
    const one = await game([...SCOPES, 'gateway.connect'])
    await wants(one, 'GUILD_CREATE')
    expect(client.peers).toEqual([])
    await wants(one, 'ACTIVITY_JOIN')
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
  })

  test('SUBSCRIBE waits for a running client at most a second, and is refused with its reason', async () => {
    await game(SCOPES)
    const session = callerOf()
    const event = { name: 'VOICE_STATE_UPDATE', args: { channel_id: '404' } }
    client.answer = ({ cmd }) => (cmd === 'SUBSCRIBE' ? { error: { code: 4005, message: 'Invalid channel id' } } : {})
    await expect(routing.confirm(session, event)).rejects.toMatchObject({ error: 'INVALID_CHANNEL', message: 'Invalid channel id' })

    client.answer = ({ cmd }) => (cmd === 'SUBSCRIBE' ? undefined : {})
    let isAnswered = false
    const welcomed = routing.confirm(session, { name: 'ACTIVITY_JOIN', args: {} })?.then(() => {
      isAnswered = true
    })
    await quiet()
    expect(client.last.asked).toContain('ACTIVITY_JOIN')
    expect(isAnswered).toBe(false)
    clock.advance(1000)
    await welcomed
    expect(routing.confirm(session, { name: 'LOBBY_MESSAGE_CREATE', args: {} })).toBe(undefined)
  })

  test('the user of the client is announced, and its changes are published to sessions of no other user', async () => {
    const one = await game()
    const bob = await game(['identify'], { userId: '7' })
    await wants(one, 'CURRENT_USER_UPDATE')
    await wants(bob, 'CURRENT_USER_UPDATE')
    one.received()
    bob.received()
    expect(known).toEqual(['ann'])
    const changed = { id: ANN, username: 'anna', discriminator: '0', avatar: null }
    client.last.sendEvent('CURRENT_USER_UPDATE', changed)
    expect(known).toEqual(['ann', 'anna'])
    await quiet()
    expect(one.received().map(({ data }) => data)).toEqual([changed])
    expect(bob.received()).toEqual([])

    isAnnounced = true
    client.last.sendEvent('CURRENT_USER_UPDATE', changed)
    await quiet()
    expect(one.received()).toEqual([])
  })

  test('refuses calls of an application without sessions', async () => {
    await game()
    const session = callerOf()
    await provider.stop()
    await expect(provider.call(session, 'GET_USER', { id: '1' })).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
  })

  test('a subscription during the search of a call waits like any other', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'client-'))
    await provider.stop()
    client = new MemoryClient(join(directory, 'discord-ipc-0'))
    client.vanish()
    provider = sourceAt(directory)
    await provider.start()
    const one = await game()
    const other = await game(undefined, { applicationId: '22' })
    await wants(other, 'ACTIVITY_JOIN')
    const refused = provider.call(callerOf(), 'GET_USER', { id: '1' })
    one.call('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
    await expect(refused).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    await quiet()
    expect(clock.pending).toBe(0)

    client.appear()
    writeFileSync(client.path, '')
    await expect.poll(() => client.peers.flatMap(({ asked }) => asked).toSorted()).toEqual(['ACTIVITY_JOIN', 'AUTHORIZE_REQUEST'])
    rmSync(directory, { recursive: true })
  })
})
