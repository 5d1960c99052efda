/** Connections to the sandbox's gateway: handshake, heartbeats, and close codes of client errors. */
import { connect } from 'node:net'
import { GATEWAY_OPCODES as OPS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'
import { bot, BOT_TOKEN, CONTENT, GUILDS, MEMBERS, open, order, PRESENCES, user } from './client.ts'

let harness: Harness
let isOwn: boolean
beforeEach(async () => {
  isOwn = true
  harness = await startHarness({ isOwnPeer: async () => isOwn })
})
afterEach(() => harness.close())

/** For tests with many connections on a busy machine. */
const MANY_MS = 120_000

const identity = { token: BOT_TOKEN, properties: {}, intents: GUILDS }

/** The status line of a raw upgrade request. */
const upgrade = (path: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(harness.sandbox.origin)
    const socket = connect(Number(port), '127.0.0.1')
    const given = { host: `127.0.0.1:${port}`, ...headers }
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.on('error', reject)
    socket.once('data', (data: Buffer) => {
      socket.destroy()
      resolve(data.toString('latin1').split('\r\n')[0] ?? '')
    })
    const asks = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}${asks}\r\n`)
  })

describe('an upgrade', () => {
  it('is for the gateway’s path, our own names and no foreign page', async () => {
    expect(await upgrade('/gateway?v=10&encoding=json', {})).toContain('101')
    expect(await upgrade('/elsewhere', {})).toContain('404')
    expect(await upgrade('//', {})).toContain('404')
    expect(await upgrade('/gateway?v=10&encoding=json', { host: 'evil.example' })).toContain('403')
    expect(await upgrade('/gateway?v=10&encoding=json', { origin: 'https://evil.example' })).toContain('403')
    expect((await harness.send('GET', '~sandbox/state')).status).toBe(200)
  })

  it('of another user’s program is refused', async () => {
    isOwn = false
    expect(await upgrade('/gateway?v=10&encoding=json', {})).toContain('403')
  })
})

describe('the address', () => {
  it('is public, and bots also get their limits', async () => {
    const url = `${harness.sandbox.origin.replace('http', 'ws')}/gateway`
    expect(harness.sandbox.profile.gatewayUrl).toBe(url)
    expect((await harness.send('GET', '/gateway')).json).toEqual({ url })
    const asked = async () => (await harness.send('GET', '/gateway/bot', { token: `Bot ${BOT_TOKEN}` })).json
    const limit = { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 }
    expect(await asked()).toEqual({ url, shards: 1, session_start_limit: limit })
    await bot(harness)
    harness.clock.advance(1000)
    expect(await asked()).toMatchObject({ session_start_limit: { remaining: 999, reset_after: 86_399_000 } })
  })

  it.each([
    ['an old version', 'v=9&encoding=json', 4012],
    ['no version', 'encoding=json', 4012],
    ['the encoding etf', 'v=10&encoding=etf', 4002],
  ])('with %s is closed', async (_, query, code) => {
    expect(await (await open(harness, { query })).closed).toBe(code)
  })
})

describe('a connection', () => {
  it('begins with Hello, and answers heartbeats', async () => {
    const client = await open(harness)
    expect((await client.of(OPS.HELLO.op)).d).toEqual({ heartbeat_interval: 41_250 })
    client.send(OPS.HEARTBEAT.op, null)
    expect(await client.of(OPS.HEARTBEAT_ACK.op)).toMatchObject({ s: null, t: null })
  })

  it('whose heartbeat is late has timed out, and its session with it', async () => {
    const { client, ready } = await bot(harness)
    harness.clock.advance(41_250)
    client.send(OPS.HEARTBEAT.op, client.seq)
    await client.of(OPS.HEARTBEAT_ACK.op)
    harness.clock.advance(61_000)
    client.send(OPS.HEARTBEAT.op, client.seq)
    await client.of(OPS.HEARTBEAT_ACK.op)
    harness.clock.advance(62_000)
    expect(await client.closed).toBe(4009)
    const again = await open(harness)
    again.send(OPS.RESUME.op, { token: BOT_TOKEN, session_id: ready['session_id'], seq: client.seq })
    expect((await again.of(OPS.INVALID_SESSION.op)).d).toBe(false)
  })

  const wrong: readonly (readonly [string, number, string | Buffer])[] = [
    ['no JSON', 4002, 'hello'],
    ['bytes that are no text', 4002, Buffer.from([131, 109])],
    ['JSON that is no object', 4002, '[]'],
    ['an object without an operation', 4002, '{}'],
    ['more than 4096 bytes', 4002, JSON.stringify({ op: 1, d: 'é'.repeat(2042) })],
    ['an unknown opcode', 4001, '{"op":99,"d":null}'],
    ['an operation of the platform', 4001, '{"op":11,"d":null}'],
    ['a request before Identify', 4003, '{"op":3,"d":{}}'],
    ['Identify without its fields', 4002, '{"op":2,"d":{}}'],
    ['an unknown token', 4004, JSON.stringify({ op: 2, d: { ...identity, token: 'Bot unknown' } })],
    ['Resume with an unknown token', 4004, '{"op":6,"d":{"token":"unknown","session_id":"1","seq":1}}'],
    ['no intents', 4013, JSON.stringify({ op: 2, d: { token: BOT_TOKEN, properties: {} } })],
    ['an unknown intent', 4013, JSON.stringify({ op: 2, d: { ...identity, intents: 1 << 17 } })],
    ['intents beyond all', 4013, JSON.stringify({ op: 2, d: { ...identity, intents: 2 ** 40 } })],
    ['a privileged intent that the application lacks', 4014, JSON.stringify({ op: 2, d: { ...identity, intents: MEMBERS } })],
    ['a shard beyond their number', 4010, JSON.stringify({ op: 2, d: { ...identity, shard: [2, 2] } })],
    ['a shard of another form', 4010, JSON.stringify({ op: 2, d: { ...identity, shard: 'first' } })],
  ]
  it.each(wrong)('that sends %s is closed with %i', async (_, code, text) => {
    const client = await open(harness)
    client.raw(text)
    expect(await client.closed).toBe(code)
  })

  it.each([
    [OPS.IDENTIFY.op, identity],
    [OPS.RESUME.op, { token: BOT_TOKEN, session_id: '1', seq: 1 }],
  ])('that comes with operation %i a second time is closed with 4005', async (op, d) => {
    const { client } = await bot(harness)
    client.send(op, d)
    expect(await client.closed).toBe(4005)
  })

  it('that sends more than 120 payloads in a minute is closed with 4008, and one that keeps to it is not', async () => {
    const client = await open(harness)
    for (let count = 0; count < 60; count++) client.send(OPS.HEARTBEAT.op, null)
    for (let count = 0; count < 60; count++) await client.of(OPS.HEARTBEAT_ACK.op)
    harness.clock.advance(50_000)
    for (let count = 0; count < 60; count++) client.send(OPS.HEARTBEAT.op, null)
    for (let count = 0; count < 60; count++) await client.of(OPS.HEARTBEAT_ACK.op)
    harness.clock.advance(10_000)
    for (let count = 0; count < 60; count++) client.send(OPS.HEARTBEAT.op, null)
    for (let count = 0; count < 60; count++) await client.of(OPS.HEARTBEAT_ACK.op)
    client.send(OPS.HEARTBEAT.op, null)
    expect(await client.closed).toBe(4008)
  })

  it('with too few shards is closed with 4011 when the bot must have more', async () => {
    expect((await order(harness, { action: 'require_shards', application_id: APPLICATION, shards: 2 })).status).toBe(200)
    expect((await order(harness, { action: 'require_shards', shards: 2 })).status).toBe(400)
    const whole = await open(harness)
    whole.send(OPS.IDENTIFY.op, identity)
    expect(await whole.closed).toBe(4011)
    const { ready } = await bot(harness, GUILDS, { shard: [1, 2] })
    expect(ready['shard']).toEqual([1, 2])
    expect((await harness.send('GET', '/gateway/bot', { token: `Bot ${BOT_TOKEN}` })).json['shards']).toBe(2)
  })
})

describe('Identify', () => {
  it.each([BOT_TOKEN, `Bot ${BOT_TOKEN}`])('takes a bot token as %s: READY, then each guild', async (token) => {
    const client = await open(harness)
    const ready = await client.identify({ token, intents: GUILDS })
    expect(ready).toMatchObject({
      v: 10,
      user: { id: APPLICATION, bot: true },
      session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      resume_gateway_url: `${harness.sandbox.profile.gatewayUrl}/resume`,
      application: { id: APPLICATION, flags: 1 << 19 },
    })
    const names = [await client.event('GUILD_CREATE'), await client.event('GUILD_CREATE')].map(({ name }) => name)
    expect(names).toEqual(['Harbour', 'Lighthouse'])
    expect(ready['guilds']).toHaveLength(2)
    expect(await client.heardUntilNow(harness)).toEqual([])
  })

  it('takes a user with the scopes for it, whose guilds are theirs', async () => {
    const { ready, client } = await user(harness, 'mary')
    expect(ready).toMatchObject({ user: { username: 'mary' }, relationships: [], application: { id: APPLICATION } })
    expect(ready['guilds']).toHaveLength(1)
    expect(await client.heardUntilNow(harness)).toEqual([])
  })

  it.each([
    ['without gateway.connect', 'identify'],
    ['without identify', 'gateway.connect'],
  ])('refuses a user %s', async (_, scope) => {
    const { access_token: token } = await harness.signIn(scope)
    const client = await open(harness)
    client.send(OPS.IDENTIFY.op, { ...identity, token: `Bearer ${token}` })
    expect(await client.closed).toBe(4004)
  })

  it('gives privileged intents to an application that set its flags for them', async () => {
    const flags = (1 << 13) | (1 << 15) | (1 << 19)
    await harness.send('PATCH', '/applications/@me', { token: `Bot ${BOT_TOKEN}`, json: { flags } })
    const client = await open(harness)
    await client.identify({ token: BOT_TOKEN, intents: GUILDS | MEMBERS | PRESENCES | CONTENT })
    const { members } = await client.event('GUILD_CREATE')
    expect((members as readonly object[]).length).toBeGreaterThan(2)
  })

  it(
    'is refused with 4004 once the sessions of a day are used up',
    async () => {
      for (let count = 0; count < 1000; count++) {
        const client = await open(harness)
        await client.identify({ token: BOT_TOKEN, intents: 0 })
        client.leave(1000)
      }
      const client = await open(harness)
      client.send(OPS.IDENTIFY.op, identity)
      expect(await client.closed).toBe(4004)
      harness.clock.advance(86_400_000)
      await bot(harness)
    },
    MANY_MS,
  )

  it('is over when the user’s sign-in is', async () => {
    const { client } = await user(harness, 'grace')
    await harness.send('POST', '~sandbox/revoke', { json: { user_id: await harness.idOf('grace') } })
    expect(await client.closed).toBe(4004)
    expect((await harness.send('GET', '~sandbox/state')).json['gateway']).toMatchObject({ connections: 0, sessions: [] })
  })
})

describe('compression', () => {
  it.each(['zlib-stream', 'zstd-stream'] as const)('%s flushes each payload into a frame of its own', async (compress) => {
    const client = await open(harness, { compress })
    await client.of(OPS.HELLO.op)
    await client.identify({ token: BOT_TOKEN, intents: GUILDS })
    await client.event('GUILD_CREATE')
    await client.event('GUILD_CREATE')
    expect(client.frames).toHaveLength(4)
    if (compress === 'zlib-stream') {
      expect(client.frames[0]?.subarray(0, 1).toString('hex')).toBe('78')
      for (const frame of client.frames) expect(frame.subarray(-4).toString('hex')).toBe('0000ffff')
    }
    client.raw('not JSON')
    expect(await client.closed).toBe(4002)
  })
})
