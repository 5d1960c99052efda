import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '../../../../../../daemon/src/sessions/session.ts'
import { DesktopClientSource } from '../../../../../../daemon/src/events/providers/desktop/source.ts'
import { tellOnce } from '../../../../../../daemon/src/events/once.ts'
import { Game, testBridge, type TestBridge } from '../../../../../support/bridge.ts'
import { FakeClock, settled } from '../../../../../support/fake-clock.ts'
import { MemoryClient } from '../../../../../support/memory-client.ts'
import { tokenOf } from '../../../../../support/tokens.ts'
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

/** Lets everything that needs no time happen. */
const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn++) await settled()
}

describe('the desktop client as a source', () => {
  let clock: FakeClock
  let bridge: TestBridge
  let client: MemoryClient
  let source: DesktopClientSource
  let known: string[]
  let isAnnounced: boolean

  beforeEach(async () => {
    clock = new FakeClock()
    bridge = testBridge({ clock })
    client = new MemoryClient()
    known = []
    isAnnounced = false
    source = sourceAt('/run/user/7')
    await source.start()
    // In place of the sources that the bridge of the tests has.
    await quiet()
    bridge.hub.onChange(() => source.apply(bridge.hub.desired()))
  })
  afterEach(async () => {
    await source.stop()
    await quiet()
    expect(bridge.log.problems).toEqual([])
  })

  const sourceAt = (directory: string): DesktopClientSource => {
    const { hub, registry, log } = bridge
    return new DesktopClientSource({
      place: { directory, ipcPrefix: 'discord-ipc', platform: 'linux' },
      dialling: client.dialling,
      clock,
      log,
      hub,
      registry,
      tell: tellOnce({ hub, clock }),
      isToldByGateway: (caller, event) => caller.scopes.has('gateway.connect') && event === 'GUILD_CREATE',
      tokenOf: async (caller) => caller.signedIn?.accessToken ?? new Secret('none'),
      onUser: ({ username }) => {
        known.push(username)
        return isAnnounced
      },
      ownAddresses: () => [],
      apiEndpoint: 'https://example.test/api/v10',
    })
  }

  const game = async (scopes?: readonly string[], { applicationId = '1234567890', userId = ANN } = {}): Promise<Game> => {
    const made = Game.greeted(bridge, { client_id: applicationId, streams: true })
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

  test('dials nobody while nobody wants anything of it', async () => {
    const one = await game(SCOPES)
    await wants(one, 'LOBBY_MESSAGE_CREATE').catch(() => {})
    expect(client.peers).toEqual([])
    expect(source.health()).toEqual({ state: 'idle' })
    expect(clock.pending).toBe(0)
  })

  test('tells the client what is wanted, once for all sessions, until nobody wants it', async () => {
    const one = await game()
    const other = await game()
    await wants(one, 'ACTIVITY_JOIN')
    await wants(other, 'ACTIVITY_JOIN')
    await wants(one, 'AUTHORIZE_REQUEST')
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHORIZE_REQUEST'])
    expect(source.health()).toEqual({ state: 'live' })

    client.last.tell('ACTIVITY_JOIN', { secret: 's' })
    client.last.tell('AUTHORIZE_REQUEST', null)
    await quiet()
    expect(one.heard().map(({ evt, data }) => [evt, data])).toEqual([
      ['ACTIVITY_JOIN', { secret: 's' }],
      ['AUTHORIZE_REQUEST', null],
    ])
    expect(other.heard().map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN'])

    one.call('UNSUBSCRIBE', {}, 'ACTIVITY_JOIN')
    await quiet()
    expect(client.last.asked).toHaveLength(2)
    other.call('UNSUBSCRIBE', {}, 'ACTIVITY_JOIN')
    await quiet()
    expect(client.last.asked.at(-1)).toBe('UNSUBSCRIBE ACTIVITY_JOIN')
  })

  test('signs in before what needs a user, once for a token, and tells only that user', async () => {
    const ann = await game([...SCOPES, 'rpc.notifications.read'])
    const bob = await game([...SCOPES, 'rpc.notifications.read'], { userId: '7' })
    await wants(ann, 'VOICE_CHANNEL_SELECT')
    await wants(ann, 'NOTIFICATION_CREATE')
    expect(client.last.asked).toEqual(['AUTHENTICATE', 'VOICE_CHANNEL_SELECT', 'NOTIFICATION_CREATE'])
    expect(client.last.calls[0]?.args).toEqual({ access_token: tokenOf([...SCOPES, 'rpc.notifications.read']) })

    client.answer = () => ({ error: { code: 4009, message: 'Token does not match current user' } })
    await wants(bob, 'VOICE_CHANNEL_SELECT')
    await wants(bob, 'VOICE_CONNECTION_STATUS')
    ann.heard()
    bob.heard()
    client.last.tell('VOICE_CHANNEL_SELECT', { channel_id: null })
    client.last.tell('VOICE_CONNECTION_STATUS', { state: 'CONNECTED', pings: [] })
    await quiet()
    expect(ann.heard()).toHaveLength(1)
    expect(bob.heard()).toEqual([])
  })

  test('after the client came back all is there again, in order, once, within a second', async () => {
    const one = await game(SCOPES)
    await wants(one, 'VOICE_CHANNEL_SELECT')
    await wants(one, 'ACTIVITY_JOIN')
    await wants(one, 'AUTHORIZE_REQUEST')
    source.expect('1234567890', true)
    source.show('1234567890', PRESENCE)
    await source.call(callerOf(), 'SET_VOICE_SETTINGS', { mute: true })
    await source.call(callerOf(), 'SET_VOICE_SETTINGS', { deaf: true })

    client.answer = () => undefined
    const pending = source.call(callerOf(), 'GET_VOICE_SETTINGS', {})
    await quiet()
    client.vanish()
    await expect(pending).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('try again') })
    expect(source.health()).toMatchObject({ state: 'absent', reason: expect.stringContaining('does not run') })
    await expect(source.call(callerOf(), 'GET_USER', { id: '1' })).rejects.toMatchObject({ message: expect.stringContaining('start it') })

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
    one.heard()
    client.last.tell('AUTHORIZE_REQUEST', null)
    await quiet()
    expect(one.heard()).toHaveLength(1)
  })

  test('a client that breaks every connection is asked less and less', async () => {
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

  test('a game that signs in later gets what it could not have before', async () => {
    const one = await game()
    await wants(one, 'ACTIVITY_JOIN')
    bridge.hub.subscribe(callerOf(), { name: 'VOICE_CHANNEL_SELECT', args: {} })
    await quiet()
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
    await one.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES) })
    await quiet()
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN', 'AUTHENTICATE', 'VOICE_CHANNEL_SELECT'])
  })

  test('is there no more when the last session has left, and lets go of the voice settings', async () => {
    const one = await game(SCOPES)
    const same = await game()
    const other = await game(SCOPES, { applicationId: '22' })
    await source.call(callerOf(), 'SET_VOICE_SETTINGS', { mute: true })
    await expect(source.call(callerOf('22'), 'SET_VOICE_SETTINGS', { mute: false })).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    one.receiver.onClose()
    await quiet()
    expect(client.peers[0]?.isCutOff).toBe(false)
    same.receiver.onClose()
    await quiet()
    expect(client.peers[0]?.isCutOff).toBe(true)
    await source.call(callerOf('22'), 'SET_VOICE_SETTINGS', { mute: false })
    other.receiver.onClose()
    await quiet()
    expect(clock.pending).toBe(0)
  })

  test('each call goes out with the scopes of its own session, unsigned ones with none', async () => {
    const scopes = ['rpc', 'identify', 'rpc.voice.read']
    await game(SCOPES)
    await game(scopes)
    const [first, second] = bridge.registry.all() as [Session, Session]
    await source.call(first, 'GET_GUILDS', {})
    await source.call(second, 'GET_VOICE_SETTINGS', {})
    await source.call(second, 'GET_VOICE_SETTINGS', {})
    await source.call(second, 'GET_USER', { id: '1' })
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

  test('what the client says of a token is the answer to the call that brought it', async () => {
    await game(SCOPES)
    client.answer = ({ cmd }) => (cmd === 'AUTHENTICATE' ? { error: { code: 4009, message: 'Token does not match current user' } } : {})
    const refused = source.call(callerOf(), 'GET_GUILDS', {})
    await expect(refused).rejects.toMatchObject({ error: 'INVALID_TOKEN', message: 'Token does not match current user' })
    expect(client.last.asked).toEqual(['AUTHENTICATE'])
  })

  test('an event that does not say for which subscription it is reaches a session once, and only who it may be for', async () => {
    const one = await game(SCOPES)
    const other = await game(SCOPES)
    await wants(one, 'VOICE_STATE_UPDATE', { channel_id: '1' })
    await wants(one, 'VOICE_STATE_UPDATE', { channel_id: '2' })
    await wants(other, 'MESSAGE_CREATE', { channel_id: '1' })
    await wants(one, 'MESSAGE_CREATE', { channel_id: '2' })
    one.heard()
    other.heard()
    client.last.tell('VOICE_STATE_UPDATE', { user: { id: '9' } })
    client.last.tell('MESSAGE_CREATE', { channel_id: '1', message: { id: '5' } })
    client.last.tell('MESSAGE_CREATE', { channel_id: '1', message: { id: '5' } })
    client.last.tell('NOT_AN_EVENT', {})
    client.last.tell('GUILD_CREATE', {})
    await quiet()
    expect(one.heard().map(({ evt }) => evt)).toEqual(['VOICE_STATE_UPDATE'])
    expect(other.heard().map(({ evt }) => evt)).toEqual(['MESSAGE_CREATE'])
  })

  test('what a gateway tells a session is left to it', async () => {
    const one = await game([...SCOPES, 'gateway.connect'])
    await wants(one, 'GUILD_CREATE')
    expect(client.peers).toEqual([])
    await wants(one, 'ACTIVITY_JOIN')
    expect(client.last.asked).toEqual(['ACTIVITY_JOIN'])
  })

  test('SUBSCRIBE waits for a client that is there, is refused with its reason, and waits a second at most', async () => {
    await game(SCOPES)
    const caller = callerOf()
    const event = { name: 'VOICE_STATE_UPDATE', args: { channel_id: '404' } }
    client.answer = ({ cmd }) => (cmd === 'SUBSCRIBE' ? { error: { code: 4005, message: 'Invalid channel id' } } : {})
    await expect(source.welcome(caller, event)).rejects.toMatchObject({ error: 'INVALID_CHANNEL', message: 'Invalid channel id' })

    client.answer = ({ cmd }) => (cmd === 'SUBSCRIBE' ? undefined : {})
    let isAnswered = false
    const welcomed = source.welcome(caller, { name: 'ACTIVITY_JOIN', args: {} })?.then(() => {
      isAnswered = true
    })
    await quiet()
    expect(client.last.asked).toContain('ACTIVITY_JOIN')
    expect(isAnswered).toBe(false)
    clock.advance(1000)
    await welcomed
    expect(source.welcome(caller, { name: 'LOBBY_MESSAGE_CREATE', args: {} })).toBe(undefined)
  })

  test('the user of the client is announced, and what changes of them told to those who do not speak for others', async () => {
    const one = await game()
    const bob = await game(['identify'], { userId: '7' })
    await wants(one, 'CURRENT_USER_UPDATE')
    await wants(bob, 'CURRENT_USER_UPDATE')
    one.heard()
    bob.heard()
    expect(known).toEqual(['ann'])
    const changed = { id: ANN, username: 'anna', discriminator: '0', avatar: null }
    client.last.tell('CURRENT_USER_UPDATE', changed)
    expect(known).toEqual(['ann', 'anna'])
    await quiet()
    expect(one.heard().map(({ data }) => data)).toEqual([changed])
    expect(bob.heard()).toEqual([])

    isAnnounced = true
    client.last.tell('CURRENT_USER_UPDATE', changed)
    await quiet()
    expect(one.heard()).toEqual([])
  })

  test('says that it cannot, where the application is gone', async () => {
    await game()
    const caller = callerOf()
    await source.stop()
    await expect(source.call(caller, 'GET_USER', { id: '1' })).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
  })

  test('what becomes wanted while a call looks for a client is waited for like all else', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'client-'))
    await source.stop()
    client = new MemoryClient(join(directory, 'discord-ipc-0'))
    client.vanish()
    source = sourceAt(directory)
    await source.start()
    const one = await game()
    const other = await game(undefined, { applicationId: '22' })
    await wants(other, 'ACTIVITY_JOIN')
    const refused = source.call(callerOf(), 'GET_USER', { id: '1' })
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
