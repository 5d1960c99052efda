/** The C client against servers that a test scripts: broken, hostile, slow and restarted ones. It runs under AddressSanitizer and UBSan. */
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { frame, head, OP } from '../support/frames.ts'
import { buildPrograms, errorFor, event, isInstalled, Probe, readyFrame, responseTo, ScriptedServer } from './support/c-binding.ts'

const E = { reentrant: -3, limit: -5, notReady: -8, lost: -9, timeout: -10, closed: -15 } as const
const MEBIBYTE = 1_048_576
/** The most that the client may hold, whatever a server sends: two buffers of a connection that grew to twice their limit. */
const MOST_BYTES = 8 * MEBIBYTE
const OTHER = { bridge: undefined, contract: undefined }

const hasCompiler = (await isInstalled('gcc')) && process.platform !== 'win32'

if (!hasCompiler) {
  test('the C client', (context) => context.skip('There is no gcc to build the C client with; install gcc.'))
} else {
  describe('the C client', () => {
    let programs: string
    let base: string
    let runtime: string
    let server: ScriptedServer
    let probe: Probe

    beforeAll(async () => {
      programs = await mkdtemp(join(tmpdir(), 'spc-'))
      await buildPrograms(programs, { probe: 'tests/probe.c' })
    })
    afterAll(() => rm(programs, { recursive: true, force: true }))
    beforeEach(async () => {
      base = await mkdtemp(join(tmpdir(), 'sp-'))
      runtime = join(base, 'run')
      server = await ScriptedServer.listen(runtime)
      probe = new Probe(join(programs, 'probe'), runtime)
    })
    afterEach(async () => {
      await probe.stop()
      await server.close()
      await rm(base, { recursive: true, force: true })
    })

    /** Connects and returns the server's side. */
    const connected = async (data: object = {}) => {
      probe.send('connect -1')
      const peer = await server.peer()
      await peer.ready(data)
      await probe.state('ready')
      return peer
    }
    const count = () => probe.ask('count', 'allocations')

    test('names itself in the handshake', async () => {
      probe.send('connect -1')
      expect(await (await server.peer()).handshake()).toEqual({
        v: 1,
        client_id: '42',
        contract: '1.0',
        encoding: 'json',
        max_frame_bytes: MEBIBYTE,
        streams: true,
        sdk_version: 'sallyport-c/0.1.0',
      })
    })

    test('reads frames that come byte by byte', async () => {
      probe.send('connect -1')
      const peer = await server.peer()
      await peer.handshake()
      for (const byte of readyFrame()) peer.socket.write(Buffer.from([byte]))
      await probe.state('ready')
      probe.send('call GET_LOBBY {"lobby_id":"7"}')
      const call = await peer.message()
      expect(call).toMatchObject({ cmd: 'GET_LOBBY', args: { lobby_id: '7' } })
      for (const byte of responseTo(call, { id: '7' })) peer.socket.write(Buffer.from([byte]))
      expect(await probe.line('result')).toMatchObject({ code: 0, data: { id: '7' } })
      await probe.quit()
    })

    test('reads frames that come in one piece', async () => {
      probe.send('connect -1')
      const peer = await server.peer()
      await peer.handshake()
      peer.write(readyFrame(), event('A', 1), frame(OP.PING, 'x'), event('B', [2]), event('C', null))
      await probe.state('ready')
      expect(probe.with('event').map(({ event: name }) => name)).toEqual(['READY', 'A', 'B', 'C'])
      await probe.quit()
    })

    test('returns a PING with the same bytes', async () => {
      const peer = await connected()
      const bytes = Buffer.from([0, 255, 1, 2])
      peer.write(frame(OP.PING, bytes), frame(OP.PING, Buffer.alloc(0)))
      expect(await peer.frame()).toEqual({ opcode: OP.PONG, payload: bytes })
      expect(await peer.frame()).toEqual({ opcode: OP.PONG, payload: Buffer.alloc(0) })
      await probe.quit()
    })

    test('reports a CLOSE with its code, and a revoked sign-in', async () => {
      const peer = await connected()
      peer.write(frame(OP.CLOSE, { code: 4003, message: 'Revoked.' }))
      expect(await probe.state('waiting')).toMatchObject({ error: 'E_SERVER_CLOSED', close_code: 4003, lost: 1 })
      expect(await probe.line('account')).toEqual({ account: 2 })
      await probe.quit()
    })

    test('takes an answer of the largest size', async () => {
      const peer = await connected()
      probe.send('call GET_LOBBY_MESSAGES')
      const call = await peer.message()
      const empty = responseTo(call, '').length - 8
      peer.write(responseTo(call, 'x'.repeat(MEBIBYTE - empty)))
      expect(await probe.line('result')).toMatchObject({ code: 0, bytes: MEBIBYTE - empty + 2 })
      expect((await count()).at_most).toBeLessThan(MOST_BYTES)
      await probe.quit()
    })

    test('ends each call once, and ignores responses that it did not ask for', async () => {
      const peer = await connected()
      probe.send('call FIRST')
      probe.send('call SECOND')
      const [first, second] = [await peer.message(), await peer.message()]
      expect(first.nonce).not.toBe(second.nonce)
      for (const nonce of ['0', '-1', '99999999999999999999', 'x', '', 7, null, {}, String(Number(second.nonce) + 72)])
        peer.write(responseTo({ ...first, nonce: nonce as string }, 'wrong'))
      peer.write(responseTo(second, 2), responseTo(second, 'again'), responseTo(first, 1), responseTo(first, 'again'))
      await probe.line('result', 2)
      await probe.ask('status 0', 'status')
      expect(probe.with('result').map(({ result, data }) => [result, data])).toEqual([
        [2, 2],
        [1, 1],
      ])
      await probe.quit()
    })

    test('reads an error with its name and its time to wait', async () => {
      const peer = await connected()
      probe.send('call X')
      peer.write(errorFor(await peer.message(), { code: 5011, message: 'Slow down.', retry_after: 1.5 }))
      expect(await probe.line('result')).toMatchObject({ code: 5011, name: 'RATE_LIMITED', retry_after_ms: 1500 })
      probe.send('call X')
      peer.write(errorFor(await peer.message(), { code: -9, message: 7, retry_after: 1e300 }))
      expect(await probe.line('result', 2)).toMatchObject({ code: 1000, name: 'UNKNOWN_ERROR', retry_after_ms: 86_400_000 })
      await probe.quit()
    })

    const broken: Readonly<Record<string, Buffer>> = {
      'text that is not JSON': frame(OP.FRAME, '{"cmd":'),
      'bytes that are not UTF-8': frame(OP.FRAME, Buffer.from([0x22, 0xff, 0x22])),
      'a hundred thousand brackets': frame(OP.FRAME, '['.repeat(100_000)),
      'a length of 4 GiB': head(OP.FRAME, 0xffff_ffff),
      'a length over the limit': head(OP.FRAME, MEBIBYTE + 1),
      'an unknown type of frame': head(99, 0),
      'a handshake': frame(OP.HANDSHAKE, {}),
    }
    test.each(Object.entries(broken))('ends the connection after %s, and comes back', async (_, bytes) => {
      const peer = await connected()
      probe.send('call X')
      await peer.message()
      const from = probe.lines.length
      peer.write(bytes)
      expect(await probe.state('waiting', from)).toMatchObject({ error: 'E_PROTOCOL', lost: 1 })
      expect(await probe.line('result')).toMatchObject({ code: E.lost })
      await (await server.peer()).ready()
      await probe.state('ready', from)
      expect((await count()).at_most).toBeLessThan(MEBIBYTE)
      await probe.quit()
    })

    test('takes no large frame before the handshake is complete', async () => {
      probe.send('connect 0')
      const peer = await server.peer()
      await peer.handshake()
      peer.write(head(OP.FRAME, 65_537))
      expect(await probe.state('offline')).toMatchObject({ error: 'E_PROTOCOL' })
      await probe.quit()
    })

    test('ignores messages of unknown shape', async () => {
      const peer = await connected()
      for (const odd of [null, 1, 'x', [], {}, { cmd: 7 }, { cmd: 'DISPATCH' }, { cmd: 'DISPATCH', evt: 'x'.repeat(1000) }])
        peer.write(frame(OP.FRAME, JSON.stringify(odd)))
      peer.write(event('LAST', {}))
      await expect.poll(() => probe.with('event').at(-1)?.['event']).toBe('LAST')
      expect(probe.with('event')).toHaveLength(2)
      await probe.quit()
    })

    test('keeps no memory for a length that was only announced', async () => {
      const peer = await connected()
      const before = await count()
      peer.write(head(OP.FRAME, MEBIBYTE), Buffer.alloc(1000, 0x20))
      probe.send('idle 100')
      await probe.line('idle_us')
      expect((await count()).in_use).toBeLessThan(before.in_use + 65_536)
      await probe.quit()
    })

    test('survives a flood of events with bounded memory, and still makes calls', async () => {
      const peer = await connected()
      probe.send('inside quiet')
      const flood = event('FLOOD', { text: 'x'.repeat(100) })
      peer.write(Buffer.concat(Array.from({ length: 20_000 }, () => flood)))
      probe.send('call X')
      await peer.answer()
      await probe.line('result')
      await expect.poll(async () => (await count()).events).toBe(20_001)
      expect((await count()).at_most).toBeLessThan(MEBIBYTE)
      await probe.quit()
    })

    test('stops sending to a server that does not read', async () => {
      const peer = await connected()
      peer.socket.pause()
      const text = 'x'.repeat(60_000)
      for (let sent = 0; sent < 60; sent += 1) probe.send(`call X {"text":"${text}"}`)
      expect(await probe.line('return', 2)).toEqual({ return: E.limit })
      expect((await count()).at_most).toBeLessThan(MOST_BYTES)
      await probe.quit()
    })

    test('waits longer before each attempt at a server that closes at once', async () => {
      probe.send('connect -1')
      for (let attempt = 0; attempt < 5; attempt += 1) (await server.peer()).socket.destroy()
      await expect.poll(() => probe.lines.filter(({ state }) => state === 'waiting').length).toBeGreaterThanOrEqual(5)
      const delays = probe.lines.filter(({ state }) => state === 'waiting').map(({ delay }) => delay as number)
      expect(delays[0]).toBeLessThanOrEqual(100)
      expect(delays[4]).toBeGreaterThanOrEqual(250)
      expect(Math.max(...delays)).toBeLessThanOrEqual(500)
      await probe.quit()
    })

    test('does not wait for a server that accepts and says nothing', async () => {
      const second = await ScriptedServer.listen(runtime, 1)
      probe.send('connect -1')
      await server.peer()
      await (await second.peer()).ready()
      await probe.state('ready')
      await probe.quit()
      await second.close()
    })

    test('prefers a bridge to a server in an earlier slot, and takes the other one if there is none', async () => {
      const second = await ScriptedServer.listen(runtime, 1)
      probe.send('connect -1')
      const other = await server.peer()
      await other.ready(OTHER)
      const bridge = await second.peer()
      await bridge.ready()
      await probe.state('ready')
      await other.ended()
      await probe.quit()
      await second.close()

      probe = new Probe(join(programs, 'probe'), runtime)
      probe.send('connect -1')
      await (await server.peer()).ready(OTHER)
      await probe.state('ready')
      await probe.quit()
    })

    test('with require_bridge accepts no other server', async () => {
      await probe.quit()
      probe = new Probe(join(programs, 'probe'), runtime, { requireBridge: true })
      probe.send('connect 0')
      await (await server.peer()).ready(OTHER)
      expect(await probe.state('offline')).toMatchObject({ error: 'E_NO_SERVER' })
      await probe.quit()
    })

    test('ends a call in time, and ignores its late response', async () => {
      const peer = await connected()
      probe.send('within 50 X')
      const call = await peer.message()
      expect(await probe.line('result')).toMatchObject({ code: E.timeout, name: 'E_TIMEOUT' })
      peer.write(responseTo(call, 'late'), event('AFTER', null))
      await expect.poll(() => probe.with('event').at(-1)?.['event']).toBe('AFTER')
      expect(probe.with('result')).toHaveLength(1)
      await probe.quit()
    })

    test('restores AUTHORIZE_REQUEST, the sign-in, the subscriptions and the presence, in this order', async () => {
      await probe.ask('subscribe ACTIVITY_JOIN', 'return')
      await probe.ask('subscribe GUILD_STATUS {"guild_id":"5"}', 'return')
      await probe.ask('subscribe AUTHORIZE_REQUEST', 'return')
      probe.send('connect -1')
      const first = await server.peer()
      await first.ready()
      expect(await first.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'AUTHORIZE_REQUEST' })
      expect(await first.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'ACTIVITY_JOIN' })
      expect(await first.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: { guild_id: '5' } })
      expect(await probe.state('ready')).toMatchObject({ active: 3, sign_in: 0, presence: 0 })
      probe.send('sign-in-silently')
      await first.answer({ user: { id: '77', username: 'ada' } })
      await probe.line('result')
      probe.send('activity {"state":"one"}')
      expect((await first.answer()).args).toMatchObject({ activity: { state: 'one' } })
      probe.send('activity {"state":"two"}')
      expect((await first.answer()).args).toMatchObject({ activity: { state: 'two' } })
      await probe.line('result', 3)

      const from = probe.lines.length
      first.socket.destroy()
      const second = await server.peer()
      await second.ready()
      expect(await second.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'AUTHORIZE_REQUEST' })
      const signIn = await second.message()
      expect(signIn).toMatchObject({ cmd: 'AUTHENTICATE', args: { user_id: '77' } })
      second.write(responseTo(signIn, { user: { id: '77' } }))
      const rest = [await second.answer(), await second.answer(), await second.answer()]
      expect(rest.map(({ cmd, evt }) => evt ?? cmd)).toEqual(['ACTIVITY_JOIN', 'GUILD_STATUS', 'SET_ACTIVITY'])
      expect(rest[2]?.args.activity).toEqual({ state: 'two' })
      expect(await probe.state('ready', from)).toMatchObject({ sign_in: 1, presence: 1, active: 3, refused: 0 })

      second.write(event('GUILD_STATUS', { guild: { id: '6' } }), event('GUILD_STATUS', { guild: { id: '5' } }))
      // on_event of the options gets both; the subscription one.
      await expect.poll(() => probe.lines.filter(({ event: name }) => name === 'GUILD_STATUS')).toHaveLength(3)
      await probe.quit()
    })

    test('keeps the last presence of the time without a connection, and none that was refused', async () => {
      const first = await connected()
      probe.send('activity {"state":"good"}')
      await first.answer()
      probe.send('activity {"state":"bad"}')
      first.write(errorFor(await first.message(), { code: 4000, message: 'Bad.' }))
      await probe.line('result', 2)
      first.socket.destroy()
      const second = await server.peer()
      await second.ready()
      expect((await second.message()).args.activity).toEqual({ state: 'good' })
      const from = probe.lines.length
      second.socket.destroy()
      await probe.state('waiting', from)
      const returned = probe.with('return').length
      probe.send('activity {"state":"newer"}')
      probe.send('activity {"state":"newest"}')
      expect(await probe.line('return', returned + 2)).toEqual({ return: E.notReady })
      const third = await server.peer()
      await third.ready()
      expect((await third.answer()).args.activity).toEqual({ state: 'newest' })
      await probe.quit()
    })

    test('signs in with a proof key', async () => {
      const peer = await connected()
      probe.send('sign-in openid sdk.social_layer_presence')
      const authorize = await peer.answer({ code: 'c\u00f6de', redirect_uri: 'http://127.0.0.1/' })
      expect(authorize).toMatchObject({ cmd: 'AUTHORIZE', args: { client_id: '42', scopes: ['openid', 'sdk.social_layer_presence'] } })
      const exchange = await peer.answer({ access_token: 'secret' })
      expect(exchange).toMatchObject({ cmd: 'GET_TOKEN', args: { code: 'c\u00f6de', redirect_uri: 'http://127.0.0.1/' } })
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(exchange.args.code_verifier as string))
      expect(authorize.args.code_challenge).toBe(Buffer.from(digest).toString('base64url'))
      expect(await peer.answer({ user: { id: '9' } })).toMatchObject({ cmd: 'AUTHENTICATE', args: {} })
      expect(await probe.line('result')).toMatchObject({ code: 0, data: { user: { id: '9' } } })
      expect(await probe.line('account')).toEqual({ account: 1 })
      await probe.quit()
    })

    test('calls back for each pending call when it closes, and never later', async () => {
      const peer = await connected()
      probe.send('call X')
      probe.send('call Y')
      await peer.message()
      await peer.message()
      probe.send('close')
      await probe.line('result', 2)
      expect(probe.with('result').map(({ code }) => code)).toEqual([E.closed, E.closed])
      peer.write(event('AFTER', null))
      expect(await probe.ask('connect -1', 'return')).toEqual({ return: E.closed })
      const from = probe.lines.findIndex(({ state }) => state === 'closed')
      expect(probe.lines.slice(from).some((line) => 'event' in line || 'result' in line)).toBe(false)
      await probe.quit()
    })

    test.each(['close', 'destroy'])('can %s inside a callback', async (action) => {
      const peer = await connected()
      probe.send('call X')
      await peer.message()
      probe.send(`inside ${action}`)
      await probe.ask('status 0', 'status')
      peer.write(event('ONE', null), event('TWO', null))
      expect(await probe.line('result')).toMatchObject({ code: E.closed })
      await peer.ended()
      await probe.quit()
      expect(probe.with('event').map(({ event: name }) => name)).toEqual(['READY', 'ONE'])
    })

    test('refuses poll inside a callback, and makes calls there', async () => {
      const peer = await connected()
      probe.send('inside poll')
      await probe.ask('status 0', 'status')
      peer.write(event('ONE', null))
      expect(await probe.line('return', 2)).toEqual({ return: E.reentrant })
      probe.send('inside call')
      await probe.ask('status 0', 'status')
      await probe.line('status')
      peer.write(event('TWO', null))
      expect((await peer.message()).cmd).toBe('FROM_CALLBACK')
      await probe.quit()
    })

    test('allocates nothing once it is ready', async () => {
      const peer = await connected()
      const turn = async () => {
        probe.send('call GET_LOBBY {"lobby_id":"7"}')
        probe.send('activity {"state":"Unloading the Copper Wren","details":"12 crates ashore"}')
        await peer.answer({ id: '7', members: [] })
        await peer.answer({ state: 'x' })
        peer.write(event('LOBBY_MESSAGE_CREATE', { text: 'x'.repeat(500) }))
      }
      for (let warm = 0; warm < 3; warm += 1) await turn()
      await probe.line('result', 6)
      const before = await count()
      for (let round = 0; round < 50; round += 1) await turn()
      await probe.line('result', 106)
      expect((await count()).allocations).toBe(before.allocations)
      await probe.quit()
    })

    test('ignores a socket in a folder where other users can replace it', async () => {
      await chmod(runtime, 0o777)
      expect(await probe.ask('connect 0', 'return')).toEqual({ return: 0 })
      expect(await probe.state('offline')).toMatchObject({ error: 'E_FOREIGN_SERVER' })
      expect(server.connections).toBe(0)
      await probe.quit()
    })

    test('ignores a link to a socket', async () => {
      const linked = join(base, 'links')
      await mkdir(linked, { mode: 0o700 })
      await symlink(join(runtime, 'discord-ipc-0'), join(linked, 'discord-ipc-0'))
      await probe.quit()
      probe = new Probe(join(programs, 'probe'), linked)
      probe.send('connect 0')
      expect(await probe.state('offline')).toMatchObject({ error: 'E_NO_SERVER' })
      expect(server.connections).toBe(0)
      await probe.quit()
    })
  })
}
