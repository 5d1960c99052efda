/** A gateway connection and its sessions: state, requests, backoff, and robustness against any input. */
import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { settled } from '#test/support/fake-clock.ts'
import { Harness, INTERVAL_MS, TOKEN } from './harness.ts'

const hello = { heartbeat_interval: INTERVAL_MS }

describe('a session', () => {
  test('starts with Hello, Identify and READY; later events are dispatched in order', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    expect(socket.url).toBe('wss://gateway.example/?v=10&encoding=json')
    expect(socket.sent).toEqual([])
    expect(harness.connection.state).toEqual({ name: 'connecting' })
    socket.say(10, hello)
    expect(socket.sent).toEqual([
      { op: 2, d: { token: TOKEN, properties: { os: process.platform, browser: 'sallyport', device: 'sallyport' }, intents: 513 } },
    ])
    harness.ready(socket)
    expect(harness.connection.state).toEqual({ name: 'live' })
    // Only the heartbeat timer is pending.
    expect(harness.clock.pending).toBe(1)
    socket.dispatch('GUILD_CREATE', 2, { id: '1' })
    expect(harness.dispatches.map(({ t, s }) => [t, s])).toEqual([
      ['READY', 1],
      ['GUILD_CREATE', 2],
    ])
    expect(harness.states).toEqual([{ name: 'connecting' }, { name: 'live' }])
  })

  test('includes capabilities and presence if present', { tags: ['5-32'] }, async () => {
    const harness = new Harness({ capabilities: 1 << 15, presence: () => ({ status: 'idle' }) })
    const socket = await harness.afterHello()
    expect(socket.sent[0]?.d).toMatchObject({ capabilities: 32_768, presence: { status: 'idle' } })
  })

  test('starts without a presence that would make Identify too large', async () => {
    const harness = new Harness({ presence: () => ({ status: 'x'.repeat(4096) }) })
    const socket = await harness.afterHello()
    expect(socket.sent[0]).toMatchObject({ op: 2, d: { intents: 513 } })
    expect(socket.sent[0]?.d).not.toHaveProperty('presence')
  })

  test.each(['zlib-stream', 'zstd-stream'] as const)('requests %s in both URLs', async (compress) => {
    const harness = new Harness({ compress })
    const socket = await harness.live()
    expect(socket.url).toBe(`wss://gateway.example/?v=10&encoding=json&compress=${compress}`)
    socket.closed()
    expect((await harness.nextSocket()).url).toBe(`wss://resume.example/?v=10&encoding=json&compress=${compress}`)
  })

  test('dispatches missed events before RESUMED, and is live only then', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.dispatch('GUILD_CREATE', 2)
    socket.closed()
    const next = await harness.nextSocket()
    next.say(10, hello)
    expect(next.sent).toEqual([{ op: 6, d: { token: TOKEN, session_id: 'session-1', seq: 2 } }])
    next.dispatch('CHANNEL_CREATE', 3)
    expect(harness.connection.state.name).toBe('connecting')
    next.dispatch('RESUMED', 4)
    expect(harness.connection.state).toEqual({ name: 'live' })
    expect(harness.dispatches.map(({ t }) => t)).toEqual(['READY', 'GUILD_CREATE', 'CHANNEL_CREATE', 'RESUMED'])
    next.closed()
    const last = await harness.nextSocket()
    last.say(10, hello)
    expect(last.sent[0]?.d).toMatchObject({ seq: 4 })
  })

  test.each([
    ['no address', undefined],
    ['no text', 5],
    ['an address that is none', 'nowhere'],
    ['an insecure URL after a secure one', 'ws://resume.example'],
    ['another protocol', 'https://resume.example'],
  ])('is resumed at its original URL if READY has %s', async (_what, there) => {
    const harness = new Harness()
    const socket = await harness.afterHello()
    socket.dispatch('READY', 1, { session_id: 'a', resume_gateway_url: there })
    socket.closed()
    const next = await harness.nextSocket()
    expect(next.url).toBe('wss://gateway.example/?v=10&encoding=json')
    next.say(10, hello)
    expect(next.sent[0]?.op).toBe(6)
  })

  test.each([[undefined], [''], [17]])('with the id %j is not resumed', async (id) => {
    const harness = new Harness()
    const socket = await harness.afterHello()
    socket.dispatch('READY', 1, { session_id: id, resume_gateway_url: 'wss://resume.example' })
    expect(harness.connection.state.name).toBe('live')
    socket.closed()
    const next = await harness.nextSocket()
    next.say(10, hello)
    await harness.pass(5000)
    expect(next.sent[0]?.op).toBe(2)
  })
})

describe('Reconnect', () => {
  test('to a live connection resumes at once', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    await harness.pass(15_000)
    socket.say(7)
    expect(socket.closedWith).toBe(4000)
    socket.closed(4000)
    await settled()
    harness.socket.say(10, hello)
    expect(harness.socket).not.toBe(socket)
    expect(harness.socket.sent[0]?.op).toBe(6)
  })

  test('may come before Hello', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    socket.say(7)
    expect(socket.closedWith).toBe(4000)
    socket.closed(4000)
    const next = await harness.nextSocket()
    next.say(10, hello)
    expect(next.sent[0]?.op).toBe(2)
  })
})

describe('invalid input', () => {
  test.each(['', 'no json', '[]', '7', 'null', '{}', '{"op":"0"}', '{"op":1.5}', '{"op":null}'])(
    '%j closes with 4002 and resumes',
    async (text) => {
      const harness = new Harness()
      const socket = await harness.live()
      socket.sayText(text)
      expect(socket.closedWith).toBe(4002)
      socket.closed(4002)
      const next = await harness.nextSocket()
      next.say(10, hello)
      expect(next.sent[0]?.op).toBe(6)
    },
  )

  test('the memory of a large message is released, and that of others is not looked at', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    expect(harness.releases).toBe(0)
    await socket.sayLarge(JSON.stringify({ op: 0, t: 'GUILD_CREATE', s: 2, d: { id: '1' } }))
    expect(harness.dispatches.at(-1)).toEqual({ t: 'GUILD_CREATE', s: 2, d: { id: '1' } })
    expect(harness.releases).toBe(1)
  })

  test('data that cannot be decompressed closes as well', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.unreadable('Z_DATA_ERROR')
    expect(socket.closedWith).toBe(4002)
    expect(harness.connection.state).toEqual({ name: 'waiting', reason: 'The gateway sent an invalid payload: Z_DATA_ERROR.' })
  })

  test('unknown operations and events are counted and ignored', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    for (const op of [-1, 2, 5, 12, 99, 2 ** 40]) socket.say(op, { anything: true })
    socket.say(10, hello)
    socket.say(0, {}, { t: null, s: 5 })
    socket.say(0, {}, { s: 6 })
    expect(harness.connection.ignored).toBe(9)
    expect(harness.connection.state.name).toBe('live')
    expect(harness.dispatches).toHaveLength(1)
    expect(socket.closedWith).toBeUndefined()
  })

  test('events before the session are not dispatched', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    socket.dispatch('READY', 1, { session_id: 'a' })
    expect(harness.dispatches).toEqual([])
    expect(harness.connection.state.name).toBe('connecting')
  })

  test('an event without a sequence number keeps the previous one', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    for (const s of [null, 'x', 1.5]) socket.say(0, {}, { t: 'TYPING_START', s })
    socket.say(1)
    expect(socket.of(1)).toEqual([{ op: 1, d: 1 }])
  })
})

describe('a failed connection', () => {
  test('without Hello or READY, it times out', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    await harness.pass(20_000)
    expect(socket.closedWith).toBe(4000)
    expect(harness.connection.state.reason).toBe('The connection to the gateway timed out.')
    await harness.pass(1000)
    expect(socket.isDestroyed).toBe(true)
    const next = await harness.nextSocket()
    next.say(10, hello)
    for (let beats = 0; beats < 3; beats++) {
      await harness.pass(20_000)
      next.say(11)
    }
    expect(next.closedWith).toBe(4000)
    expect(harness.connection.state.reason).toBe('The gateway did not start the session in time.')
  })

  test('each failure doubles the backoff up to a minute, half of it random; a healthy connection resets it', async () => {
    const harness = new Harness()
    harness.chance = 1
    let socket = await harness.started()
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      socket.closed(undefined, 'ECONNREFUSED')
      await settled()
      expect(harness.connection.state).toEqual({
        name: 'waiting',
        reason: 'The gateway cannot be reached (ECONNREFUSED): the connection was lost.',
      })
      const { length } = harness.sockets
      await harness.pass(seconds * 1000 - 1)
      expect(harness.sockets).toHaveLength(length)
      await harness.pass(1)
      expect(harness.sockets).toHaveLength(length + 1)
      socket = harness.socket
    }
    socket.say(10, hello)
    harness.ready(socket)
    await harness.pass(10_000)
    socket.closed()
    await settled()
    expect(harness.socket).not.toBe(socket)
    harness.chance = 0
    const again = harness.socket
    again.closed()
    await harness.pass(499)
    expect(harness.socket).toBe(again)
    await harness.pass(1)
    expect(harness.socket).not.toBe(again)
  })
})

describe('URL and token', () => {
  const refusing = (failure: Error) => new Harness({ token: () => Promise.reject(failure) })

  test('a temporary failure is retried', async () => {
    const harness = refusing(new BridgeError('SERVICE_UNAVAILABLE', 'The platform does not answer.'))
    harness.connection.start()
    await settled()
    expect(harness.connection.state).toEqual({ name: 'waiting', reason: 'The platform does not answer.' })
    expect(harness.clock.pending).toBe(1)
    await harness.pass(1000)
    expect(harness.connection.state.name).toBe('waiting')
    expect(harness.sockets).toEqual([])
  })

  test('a permanent failure ends it', async () => {
    const harness = refusing(new BridgeError('INVALID_TOKEN', 'Sign in again.'))
    harness.connection.start()
    await settled()
    expect(harness.connection.state).toEqual({ name: 'ended', reason: 'Sign in again.' })
    expect(harness.clock.pending).toBe(0)
  })

  test('an unexpected failure is reported without its text', async () => {
    const harness = refusing(new Error('planted detail'))
    harness.connection.start()
    await settled()
    expect(harness.connection.state.name).toBe('waiting')
    expect(harness.connection.state.reason).not.toContain('planted')
    expect(harness.log.problems).toHaveLength(1)
  })

  test.each(['https://gateway.example', 'nonsense', ''])('the URL %j ends it', async (url) => {
    const harness = new Harness({ url: async () => url })
    harness.connection.start()
    await settled()
    expect(harness.connection.state.name).toBe('ended')
    expect(harness.connection.state.reason).toMatch(/wss:\/\/.+profile\.$/)
  })

  test('a late result times out and is ignored', async () => {
    const answers: ((url: string) => void)[] = []
    const harness = new Harness({ url: () => new Promise((resolve) => void answers.push(resolve)) })
    harness.connection.start()
    await harness.pass(60_000)
    expect(harness.connection.state.name).toBe('waiting')
    await harness.pass(1000)
    expect(answers).toHaveLength(2)
    answers[0]?.('wss://late.example')
    await settled()
    expect(harness.sockets).toEqual([])
    answers[1]?.('wss://gateway.example')
    await settled()
    expect(harness.sockets).toHaveLength(1)
  })
})

describe('session starts', () => {
  test('are five seconds apart, across all connections of an application', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    harness.identifies.record(harness.clock.now() - 2000)
    socket.say(10, hello)
    expect(socket.sent).toEqual([])
    harness.clock.advance(2999)
    expect(socket.sent).toEqual([])
    // The other connection was faster.
    harness.identifies.record(harness.clock.now())
    harness.clock.advance(1)
    expect(socket.sent).toEqual([])
    harness.clock.advance(5000)
    expect(socket.of(2)).toHaveLength(1)
  })

  test('end with a reason well before the platform would reset the token', async () => {
    const harness = new Harness()
    const now = harness.clock.now()
    const spread = BUDGETS.gatewaySessionStartsMs.value / BUDGETS.gatewaySessionStarts.value
    for (let count = 0; count < 899; count++) harness.identifies.record(now - (900 - count) * spread)
    let socket = await harness.live()
    expect(socket.of(2)).toHaveLength(1)
    socket.closed(4009)
    socket = await harness.nextSocket()
    socket.say(10, hello)
    expect(socket.sent).toEqual([])
    expect(socket.closedWith).toBe(1000)
    socket.closed(1000)
    expect(harness.connection.state.name).toBe('ended')
    expect(harness.connection.state.reason).toMatch(/resets the token/)
    expect(harness.clock.pending).toBe(0)
  })

  test('are allowed again a day later', () => {
    const { identifies, clock } = new Harness()
    for (let count = 0; count < 900; count++) identifies.record(clock.now())
    expect(identifies.msUntilAllowed(clock.now())).toBeUndefined()
    expect(identifies.msUntilAllowed(clock.now() + 86_400_000)).toBe(0)
    // After the clock was set back.
    expect(identifies.msUntilAllowed(clock.now() - 3_600_000)).toBe(0)
  })
})

test('a listener that throws or stops the connection causes no failure', async () => {
  let stopped: Promise<void> | undefined
  const harness: Harness = new Harness({
    onDispatch: ({ t }) => {
      if (t === 'GUILD_CREATE') stopped = harness.connection.stop()
      throw new Error('planted')
    },
  })
  const socket = await harness.live()
  expect(harness.connection.state.name).toBe('live')
  socket.dispatch('GUILD_CREATE', 2)
  expect(socket.closedWith).toBe(1000)
  socket.closed(1000)
  await stopped
  expect(harness.states.map(({ name }) => name)).toEqual(['connecting', 'live'])
  expect(harness.log.problems.length).toBe(2)
})

test('the token is in no log', async () => {
  const harness = new Harness()
  const socket = await harness.live()
  socket.sayText(`{"op":${TOKEN}`)
  socket.closed(4004)
  expect(harness.log.lines.length).toBeGreaterThan(0)
  expect(harness.log.text).not.toContain('planted')
})
