/** Games use the real daemon with a desktop client in its own process: commands only the client can do, its events, its start and its end. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventDataOf } from '@sallyport/protocol'
import type { SallyportClient } from '@sallyport/client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { handshake } from '#test/support/frames.ts'
import { startStandIn, type StandInPlace, type StandInProcess } from '#test/support/stand-in-process.ts'
import { SOON } from '#test/support/soon.ts'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { elsewhere } from './support/elsewhere.ts'
import { RawClient } from './support/raw-client.ts'

const CHANNEL = '1500000000000000200'
const GRACE = { id: '42', username: 'grace' }
const ACTIVITY = {
  details: 'Harbour',
  timestamps: { start: 1_700_000_000 },
  buttons: [{ label: 'Watch', url: 'https://example.test/watch' }],
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let client: StandInProcess | undefined
  const games: SallyportClient[] = []

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
  })
  afterEach(async () => {
    await Promise.all(games.splice(0).map((game) => game.close()))
    await client?.kill()
    client = undefined
  })
  afterAll(async () => {
    await daemon.stop()
    await at.remove()
  })

  const ada = async (): Promise<{ id: string; username: string }> => {
    const game = await RawClient.open(daemon.socket)
    game.send(handshake())
    const { user } = (await game.message()).data
    game.hangUp()
    return user
  }
  const startClient = async (
    place: StandInPlace = { directory: at.runtime, slot: 'first' },
    endpoint?: string,
  ): Promise<StandInProcess> => {
    const apiEndpoint = endpoint ?? daemon.ready.apiBase.replace(/^http:/, '').replace(/\/v\d+$/, '')
    client = await startStandIn({ ...place, user: await ada(), apiEndpoint, apiBase: daemon.ready.apiBase })
    return client
  }
  const connect = async (applicationId: string): Promise<SallyportClient> => {
    const game = await connectedGame({ applicationId, runtimeDir: at.runtime, requireBridge: true })
    games.push(game)
    return game
  }
  const signedIn = async (applicationId: string, scopes: readonly string[] = ['identify', 'rpc']): Promise<SallyportClient> => {
    await setApplication(daemon.origin, applicationId, ALL_SCOPES)
    const game = await connect(applicationId)
    await game.askToSignIn({ scopes })
    return game
  }
  const ourProvider = async (game: SallyportClient) =>
    (await game.call('GET_BRIDGE_STATUS')).providers.find(({ name }) => name === 'desktop-client')

  test('voice settings are read and changed through the client, by the first application until it leaves', async () => {
    await startClient()
    const first = await signedIn('810000001')
    expect(await first.call('GET_VOICE_SETTINGS')).toMatchObject({ mute: false, input: { volume: 100 } })
    expect(await first.call('SET_VOICE_SETTINGS', { input: { volume: 30 }, mute: true })).toMatchObject({ mute: true })

    const second = await signedIn('810000002')
    expect(await second.call('GET_VOICE_SETTINGS')).toMatchObject({ input: { volume: 30 } })
    const refused = second.call('SET_VOICE_SETTINGS', { mute: false })
    await expect(refused).rejects.toMatchObject({ code: 4006, message: expect.stringContaining('810000001') })
    const refusedToo = second.call('SET_USER_VOICE_SETTINGS', { user_id: '42', volume: 10 })
    await expect(refusedToo).rejects.toMatchObject({ code: 4006, message: expect.stringContaining('810000001') })

    const reverted = Promise.withResolvers<EventDataOf<'VOICE_SETTINGS_UPDATE'>>()
    await second.on('VOICE_SETTINGS_UPDATE', (settings) => settings.mute || reverted.resolve(settings)).active
    await first.close()
    expect(await reverted.promise).toMatchObject({ mute: false, input: { volume: 100 } })
    expect(await second.call('SET_VOICE_SETTINGS', { mute: true })).toMatchObject({ mute: true })
  })

  test('a game without the scopes, or of another user, gets nothing from the sign-in of others', async () => {
    await startClient()
    await (await signedIn('810000003')).call('GET_VOICE_SETTINGS')
    const unsigned = await connect('810000003')
    await expect(unsigned.call('GET_VOICE_SETTINGS')).rejects.toMatchObject({ code: 4006 })

    await client?.kill()
    const apiEndpoint = daemon.ready.apiBase.replace(/^http:/, '').replace(/\/v\d+$/, '')
    client = await startStandIn({ directory: at.runtime, slot: 'first', user: GRACE, apiEndpoint, apiBase: daemon.ready.apiBase })
    const game = await signedIn('810000004')
    await expect(game.call('GET_VOICE_SETTINGS')).rejects.toMatchObject({ code: 4009, message: 'Token does not match current user' })
    await expect(game.call('GET_APPLICATION_TICKET')).rejects.toMatchObject({
      code: 4009,
      message: expect.stringContaining('another user'),
    })
    // The bridge answers about the user of the game.
    expect(await game.call('GET_ENTITLEMENTS')).toMatchObject([{ application_id: '810000004', user_id: expect.any(String) }])
  })

  test('answers and refusals of the client come back as they are, to a client of the plain protocol too', async () => {
    await startClient()
    const raw = await RawClient.ready(daemon.socket, { client_id: '810000005' })
    // The client does not know the user, and this game has no other way to ask.
    expect(await raw.call('GET_USER', { id: '7' })).toMatchObject({ cmd: 'GET_USER', data: { code: 1001 }, evt: 'ERROR' })
    expect(await raw.call('ACTIVITY_INVITE_USER', { user_id: '42', type: 1, pid: 7 })).toMatchObject({
      evt: 'ERROR',
      data: { code: 5006, message: 'No eligible activity' },
    })
    raw.hangUp()
    const game = await signedIn('810000006')
    const refused = game.call('GET_CHANNEL', { channel_id: '1' })
    await expect(refused).rejects.toMatchObject({ code: 4005, message: 'Invalid channel id' })
    expect(await game.call('GET_CHANNEL', { channel_id: CHANNEL })).toMatchObject({ name: 'Lamp Room' })
    expect(await ourProvider(game)).toEqual({ name: 'desktop-client', state: 'active' })
  })

  test('voice states and speaking reach the subscribed game once each', async () => {
    const { order, calls } = await startClient()
    const game = await signedIn('810000007')
    const received: string[] = []
    await game.on('VOICE_STATE_UPDATE', { channel_id: CHANNEL }, ({ user }) => received.push(`state ${user.username}`)).active
    await game.on('SPEAKING_START', { channel_id: CHANNEL }, ({ user_id }) => received.push(`start ${user_id}`)).active
    await game.on('SPEAKING_STOP', { channel_id: CHANNEL }, ({ user_id }) => received.push(`stop ${user_id}`)).active
    expect(await order('voiceState', 'UPDATE', CHANNEL, GRACE)).toBe(1)
    expect(await order('speak', GRACE.id, CHANNEL)).toBe(1)
    expect(await order('speak', GRACE.id, '999')).toBe(0)
    expect(await order('speak', GRACE.id, CHANNEL, false)).toBe(1)
    await vi.waitFor(() => expect(received).toEqual(['state grace', 'start 42', 'stop 42']), SOON)

    await game.close()
    await vi.waitFor(async () => expect((await client?.state())?.connections).toEqual([]), SOON)
    expect((await calls()).filter(({ cmd }) => cmd === 'AUTHENTICATE')).toHaveLength(1)
  })

  test('after the client was killed and started again everything is back, in order, and the game only waited', {
    tags: ['6-19'],
  }, async () => {
    const before = await startClient()
    const game = await signedIn('810000008')
    let asked = 0
    const joins: string[] = []
    await game.on('ACTIVITY_JOIN', ({ secret }) => joins.push(secret)).active
    await game.on('VOICE_STATE_UPDATE', { channel_id: CHANNEL }, () => {}).active
    await game.on('AUTHORIZE_REQUEST', () => asked++).active
    await game.call('SET_ACTIVITY', { pid: 4711, activity: ACTIVITY })
    await before.report((report) => report.event === 'call' && report.cmd === 'SET_ACTIVITY')
    await game.call('SET_VOICE_SETTINGS', { mute: true })
    const states: string[] = []
    game.onState(({ name }) => states.push(name))

    await before.kill()
    await expect(game.call('GET_VOICE_SETTINGS')).rejects.toMatchObject({ code: 1001, message: expect.stringContaining('start it') })
    expect(await ourProvider(game)).toMatchObject({ state: 'unavailable', reason: expect.stringContaining('does not run') })

    const { path } = before
    const after = await startClient({ path })
    await after.report((report) => report.event === 'call' && report.cmd === 'SET_VOICE_SETTINGS')
    expect((await after.calls()).map(({ cmd, evt }) => evt ?? cmd)).toEqual([
      'AUTHORIZE_REQUEST',
      'ACTIVITY_JOIN',
      'SET_ACTIVITY',
      'AUTHENTICATE',
      'VOICE_STATE_UPDATE',
      'SET_VOICE_SETTINGS',
    ])
    expect(after.reports.filter(({ event }) => event === 'connected')).toHaveLength(1)
    const [link] = (await after.state()).connections
    expect(link?.activity).toEqual({
      pid: 4711,
      activity: {
        type: 0,
        details: 'Harbour',
        timestamps: { start: 1_700_000_000_000 },
        buttons: ACTIVITY.buttons,
        name: expect.any(String),
      },
    })
    expect((await after.state()).voice).toMatchObject({ mute: true })

    expect(await after.order('authorizeRequest', '810000008')).toBe(1)
    expect(await after.order('join', '810000008', 'the secret')).toBe(1)
    await vi.waitFor(() => expect([asked, joins]).toEqual([1, ['the secret']]), SOON)
    expect(await game.call('GET_VOICE_SETTINGS')).toMatchObject({ mute: true })
    expect(states).toEqual([])
    expect(asked).toBe(1)
  })

  test('presence goes by the client with the process of the game, and is taken back when the game leaves', {
    tags: ['9.1-42'],
  }, async () => {
    const { state, report } = await startClient()
    const game = await connect('810000009')
    await game.call('SET_ACTIVITY', {
      pid: 12,
      activity: { details: 'At sea', party: { id: 'p1', size: [1, 4] }, secrets: { join: 'j1' } },
    })
    await report((one) => one.event === 'call' && one.cmd === 'SET_ACTIVITY')
    const [link] = (await state()).connections
    expect(link?.activity).toEqual({
      pid: 12,
      activity: { type: 0, details: 'At sea', party: { id: 'p1', size: [1, 4] }, secrets: { join: 'j1' } },
    })
    await game.call('SET_ACTIVITY', { pid: 12 })
    await vi.waitFor(async () => expect((await state()).connections[0]?.activity).toBe(null), SOON)
    await game.close()
    await vi.waitFor(async () => expect((await state()).connections).toEqual([]), SOON)
  })

  test('invites go through the client, and the secret comes back by it', { tags: ['1-6'] }, async () => {
    const { order, state } = await startClient()
    const game = await connect('810000015')
    const invites: EventDataOf<'ACTIVITY_INVITE'>[] = []
    const requests: string[] = []
    const secrets: string[] = []
    await game.on('ACTIVITY_INVITE', (invite) => invites.push(invite)).active
    await game.on('ACTIVITY_JOIN_REQUEST', ({ user }) => requests.push(user.username)).active
    await game.on('ACTIVITY_JOIN', ({ secret }) => secrets.push(secret)).active
    await expect(game.call('ACTIVITY_INVITE_USER', { user_id: GRACE.id, type: 1, pid: 12 })).rejects.toMatchObject({ code: 5006 })
    await game.call('SET_ACTIVITY', {
      pid: 12,
      activity: { details: 'At sea', party: { id: 'p1', size: [1, 4] }, secrets: { join: 'j1' } },
    })
    await vi.waitFor(async () => expect((await state()).connections[0]?.activity).not.toBe(null), SOON)
    expect(await game.call('ACTIVITY_INVITE_USER', { user_id: GRACE.id, type: 1, pid: 12 })).toBe(null)

    expect(await order('joinRequest', '810000015', GRACE)).toBe(1)
    await vi.waitFor(() => expect(requests).toEqual(['grace']), SOON)
    expect(await game.call('CLOSE_ACTIVITY_REQUEST', { user_id: GRACE.id })).toBe(null)
    await expect(game.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: GRACE.id })).rejects.toMatchObject({ code: 4012 })

    expect(await order('invite', '810000015', GRACE, { messageId: '77', secret: 'the way in' })).toBe(1)
    await vi.waitFor(() => expect(invites).toHaveLength(1), SOON)
    const [{ channel_id, message_id } = { channel_id: '', message_id: '' }] = invites
    const accepted = { type: 1, user_id: GRACE.id, session_id: 's', channel_id, message_id } as const
    expect(await game.call('ACCEPT_ACTIVITY_INVITE', accepted)).toBe(null)
    await vi.waitFor(() => expect(secrets).toEqual(['the way in']), SOON)
  })

  test('a client that starts later is found by itself, in the folder of its package too', async () => {
    const game = await connect('810000010')
    let asked = 0
    await game.on('AUTHORIZE_REQUEST', () => asked++).active
    expect(await ourProvider(game)).toMatchObject({ state: 'unavailable' })
    // The daemon has the first slot there too.
    const { report, order } = await startClient({ directory: join(at.runtime, 'app', 'com.discordapp.Discord'), slot: 'first' })
    await report((one) => one.event === 'call' && one.evt === 'AUTHORIZE_REQUEST')
    expect(await order('authorizeRequest', '810000010')).toBe(1)
    await vi.waitFor(() => expect(asked).toBe(1), SOON)
  })

  test('a client of another platform is left alone', async () => {
    // First the game: while it looks for the bridge, it may say hello to the client, too.
    const game = await connect('810000011')
    const { reports, state } = await startClient({ directory: at.runtime, slot: 'first' }, '//api.example.test/api')
    await game.call('SET_ACTIVITY', { pid: 12, activity: ACTIVITY })
    await expect(game.call('GET_NETWORKING_CONFIG')).rejects.toMatchObject({ code: 1001 })
    await expect(game.call('GET_NETWORKING_CONFIG')).rejects.toMatchObject({ code: 1001 })
    await vi.waitFor(async () => expect((await state()).connections).toEqual([]), SOON)
    expect(reports.filter(({ event }) => event === 'call')).toEqual([])
    expect(reports.filter(({ event }) => event === 'connected')).toHaveLength(1)
  })

  test.each(['silent', 'garbage', 'oversize', 'wrong-nonce', 'mute'] as const)(
    'a client that is %s costs a game nothing but the client',
    async (misbehaves) => {
      const apiEndpoint = daemon.ready.apiBase.replace(/^http:/, '').replace(/\/v\d+$/, '')
      client = await startStandIn({ directory: at.runtime, slot: 'first', user: GRACE, apiEndpoint, misbehaves })
      const game = await connect('810000012')
      await game.on('ACTIVITY_JOIN', () => {}).active
      await game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 300 })
      await game.call('SET_ACTIVITY', { pid: 12, activity: ACTIVITY })
      await expect(game.call('GET_NETWORKING_CONFIG')).rejects.toMatchObject({ code: 1001 })
      expect(await game.call('GET_BRIDGE_STATUS')).toMatchObject({ platform: 'sandbox' })
      expect(daemon.hasExited).toBe(false)
    },
  )

  test('a server that takes presence only gives way to the client in the next slot when it left a call without an answer', async () => {
    const apiEndpoint = daemon.ready.apiBase.replace(/^http:/, '').replace(/\/v\d+$/, '')
    const place = { directory: at.runtime, slot: 'first', user: await ada(), apiEndpoint, apiBase: daemon.ready.apiBase } as const
    client = await startStandIn({ ...place, misbehaves: 'presence-only' })
    const game = await connect('810000016')
    const joins: string[] = []
    await game.on('ACTIVITY_JOIN', ({ secret }) => joins.push(secret)).active
    await game.call('SET_ACTIVITY', { pid: 12, activity: ACTIVITY })
    await client.report((one) => one.event === 'call' && one.cmd === 'SET_ACTIVITY')
    await game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 5000 })
    await expect(game.call('GET_NETWORKING_CONFIG')).rejects.toMatchObject({ code: 1001 })
    await expect(game.call('GET_NETWORKING_CONFIG')).rejects.toMatchObject({
      code: 1001,
      message: expect.stringContaining('presence only'),
    })
    expect(await ourProvider(game)).toMatchObject({ state: 'active', reason: expect.stringContaining('presence') })

    const real = await startStandIn(place)
    try {
      await real.report((one) => one.event === 'call' && one.cmd === 'SET_ACTIVITY')
      await client.report((one) => one.event === 'gone')
      expect(await game.call('GET_USER', { id: place.user.id })).toMatchObject({ id: place.user.id })
      expect(await real.order('join', '810000016', 'the way in')).toBe(1)
      await vi.waitFor(() => expect(joins).toEqual(['the way in']), SOON)
    } finally {
      await real.kill()
    }
  })

  test('an event that is nested as none is costs the client its connection, and no game anything', async () => {
    const { order, report, state } = await startClient()
    const game = await connectedGame({
      applicationId: '810000017',
      runtimeDir: at.runtime,
      encoding: 'msgpack',
      requireBridge: true,
    })
    games.push(game)
    const joins: string[] = []
    await game.on('ACTIVITY_JOIN', ({ secret }) => joins.push(secret)).active
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as object
    const [{ connection: before } = { connection: 0 }] = (await state()).connections
    expect(await order('publish', 'ACTIVITY_JOIN', deep)).toBe(1)
    await report((one) => one.event === 'gone' && one.connection === before)
    await report((one) => one.event === 'call' && one.connection > before && one.evt === 'ACTIVITY_JOIN')
    expect(await order('join', '810000017', 'the way in')).toBe(1)
    await vi.waitFor(() => expect(joins).toEqual(['the way in']), SOON)
    expect(daemon.hasExited).toBe(false)
  })

  test('a flood of events reaches a game that reads, and harms no other game', async () => {
    const { order } = await startClient()
    const game = await connect('810000013')
    const other = await connect('810000014')
    let received = 0
    await game.on('SPEAKING_START', { channel_id: CHANNEL }, () => received++).active
    const data = { user_id: GRACE.id, channel_id: CHANNEL }
    expect(await order('flood', 'SPEAKING_START', data, { args: { channel_id: CHANNEL } }, 1500)).toBe(1500)
    expect(await other.call('GET_BRIDGE_STATUS')).toMatchObject({ platform: 'sandbox' })
    await vi.waitFor(() => expect(received).toBe(1500), SOON)
  })

  test('a client that started first keeps the first slot, which is logged; before any sign-in, READY names the user of the client', async () => {
    const other = await folders()
    const profile = join(other.base, 'platform.json')
    await mkdir(other.base, { recursive: true })
    await writeFile(profile, JSON.stringify(elsewhere('https://api.example.test')))
    client = await startStandIn({ directory: other.runtime, slot: 'first', user: GRACE, apiEndpoint: '//api.example.test/api' })
    expect(client.path).toMatch(/-0$/)
    const foreign = await startDaemon(target, other, ['--platform', profile, '--consent', 'deny'])
    expect(foreign.socket).toMatch(/-1$/)
    await expect.poll(() => foreign.output()).toContain('first-slot-taken')
    await expect.poll(foreign.output, SOON).toContain('has the first slot')
    const first = await RawClient.open(foreign.socket)
    first.send(handshake())
    expect((await first.message()).data.user).toMatchObject({ id: '0', username: 'player' })
    // The answer and the event, in either order.
    const received = [await first.call('SUBSCRIBE', {}, 'CURRENT_USER_UPDATE'), await first.message()]
    expect(received).toContainEqual(expect.objectContaining({ cmd: 'SUBSCRIBE', evt: null }))
    expect(received.find(({ evt }) => evt === 'CURRENT_USER_UPDATE')?.data).toMatchObject({ id: GRACE.id, username: 'grace' })
    const second = await RawClient.open(foreign.socket)
    second.send(handshake())
    expect((await second.message()).data.user).toMatchObject({ id: GRACE.id, username: 'grace' })
    first.hangUp()
    second.hangUp()
    await foreign.stop()
    await other.remove()
  })

  test('switched off, the daemon dials no client', async () => {
    const { reports } = await startClient()
    const other = await folders()
    const off = await startDaemon(target, { ...other, runtime: at.runtime }, ['--desktop-client', 'off'])
    const raw = await RawClient.ready(off.socket)
    expect(await raw.call('GET_NETWORKING_CONFIG')).toMatchObject({ evt: 'ERROR', data: { code: 1001 } })
    expect(reports.filter(({ event }) => event === 'connected')).toEqual([])
    raw.hangUp()
    await off.stop()
    await other.remove()
  })
})
