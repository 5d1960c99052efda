/** A link and its sessions: what it says of itself, what it asks for, how it waits, and that it survives whatever comes. */
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { settled } from '../../../../support/fake-clock.ts'
import { Harness, INTERVAL_MS, TOKEN } from './harness.ts'

const hello = { heartbeat_interval: INTERVAL_MS }

describe('a session', () => {
  test('begins with Hello, Identify and READY; what follows is told in order', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    expect(socket.url).toBe('wss://gateway.example/?v=10&encoding=json')
    expect(socket.sent).toEqual([])
    expect(harness.link.state).toEqual({ name: 'connecting' })
    socket.say(10, hello)
    expect(socket.sent).toEqual([
      { op: 2, d: { token: TOKEN, properties: { os: process.platform, browser: 'sallyport', device: 'sallyport' }, intents: 513 } },
    ])
    harness.ready(socket)
    expect(harness.link.state).toEqual({ name: 'live' })
    // Only the heartbeat is waited for.
    expect(harness.clock.pending).toBe(1)
    socket.dispatch('GUILD_CREATE', 2, { id: '1' })
    expect(harness.dispatches.map(({ t, s }) => [t, s])).toEqual([
      ['READY', 1],
      ['GUILD_CREATE', 2],
    ])
    expect(harness.states).toEqual([{ name: 'connecting' }, { name: 'live' }])
  })

  test('names capabilities and presence where there are some', async () => {
    const harness = new Harness({ capabilities: 1 << 15, presence: () => ({ status: 'idle' }) })
    const socket = await harness.greeted()
    expect(socket.sent[0]?.d).toMatchObject({ capabilities: 32_768, presence: { status: 'idle' } })
  })

  test('begins without a presence that would make Identify too large', async () => {
    const harness = new Harness({ presence: () => ({ status: 'x'.repeat(4096) }) })
    const socket = await harness.greeted()
    expect(socket.sent[0]).toMatchObject({ op: 2, d: { intents: 513 } })
    expect(socket.sent[0]?.d).not.toHaveProperty('presence')
  })

  test.each(['zlib-stream', 'zstd-stream'] as const)('asks for %s in both addresses', async (compress) => {
    const harness = new Harness({ compress })
    const socket = await harness.live()
    expect(socket.url).toBe(`wss://gateway.example/?v=10&encoding=json&compress=${compress}`)
    socket.closed()
    expect((await harness.nextSocket()).url).toBe(`wss://resume.example/?v=10&encoding=json&compress=${compress}`)
  })

  test('tells what was missed before RESUMED, and is live only then', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.dispatch('GUILD_CREATE', 2)
    socket.closed()
    const next = await harness.nextSocket()
    next.say(10, hello)
    expect(next.sent).toEqual([{ op: 6, d: { token: TOKEN, session_id: 'session-1', seq: 2 } }])
    next.dispatch('CHANNEL_CREATE', 3)
    expect(harness.link.state.name).toBe('connecting')
    next.dispatch('RESUMED', 4)
    expect(harness.link.state).toEqual({ name: 'live' })
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
    ['an unsafe address, where the session began at a safe one', 'ws://resume.example'],
    ['another protocol', 'https://resume.example'],
  ])('is resumed where it began when READY gives %s', async (_what, there) => {
    const harness = new Harness()
    const socket = await harness.greeted()
    socket.dispatch('READY', 1, { session_id: 'a', resume_gateway_url: there })
    socket.closed()
    const next = await harness.nextSocket()
    expect(next.url).toBe('wss://gateway.example/?v=10&encoding=json')
    next.say(10, hello)
    expect(next.sent[0]?.op).toBe(6)
  })

  test.each([[undefined], [''], [17]])('with the id %j is not resumed', async (id) => {
    const harness = new Harness()
    const socket = await harness.greeted()
    socket.dispatch('READY', 1, { session_id: id, resume_gateway_url: 'wss://resume.example' })
    expect(harness.link.state.name).toBe('live')
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

describe('what cannot be read', () => {
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

  test('so does what cannot be unpacked', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.unreadable('Z_DATA_ERROR')
    expect(socket.closedWith).toBe(4002)
    expect(harness.link.state).toEqual({ name: 'waiting', reason: 'The gateway sent what cannot be used: Z_DATA_ERROR.' })
  })

  test('operations and events that mean nothing here are counted, and change nothing', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    for (const op of [-1, 2, 5, 12, 99, 2 ** 40]) socket.say(op, { anything: true })
    socket.say(10, hello)
    socket.say(0, {}, { t: null, s: 5 })
    socket.say(0, {}, { s: 6 })
    expect(harness.link.ignored).toBe(9)
    expect(harness.link.state.name).toBe('live')
    expect(harness.dispatches).toHaveLength(1)
    expect(socket.closedWith).toBeUndefined()
  })

  test('events before the session began are not told', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    socket.dispatch('READY', 1, { session_id: 'a' })
    expect(harness.dispatches).toEqual([])
    expect(harness.link.state.name).toBe('connecting')
  })

  test('an event without a number keeps the one before', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    for (const s of [null, 'x', 1.5]) socket.say(0, {}, { t: 'TYPING_START', s })
    socket.say(1)
    expect(socket.of(1)).toEqual([{ op: 1, d: 1 }])
  })
})

describe('a connection that comes to nothing', () => {
  test('no Hello, no READY: given up after a time', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    await harness.pass(20_000)
    expect(socket.closedWith).toBe(4000)
    expect(harness.link.state.reason).toBe('The gateway could not be reached in time.')
    await harness.pass(1000)
    expect(socket.isDestroyed).toBe(true)
    const next = await harness.nextSocket()
    next.say(10, hello)
    for (let beats = 0; beats < 3; beats++) {
      await harness.pass(20_000)
      next.say(11)
    }
    expect(next.closedWith).toBe(4000)
    expect(harness.link.state.reason).toBe('The gateway did not begin the session in time.')
  })

  test('each failure doubles the pause up to a minute, half of it by chance; a good connection ends the count', async () => {
    const harness = new Harness()
    harness.chance = 1
    let socket = await harness.started()
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      socket.closed(undefined, 'ECONNREFUSED')
      await settled()
      expect(harness.link.state).toEqual({ name: 'waiting', reason: 'The gateway cannot be reached (ECONNREFUSED): the connection broke.' })
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

describe('address and token', () => {
  const refusing = (failure: Error) => new Harness({ token: () => Promise.reject(failure) })

  test('one that may come later is asked for again', async () => {
    const harness = refusing(new BridgeError('SERVICE_UNAVAILABLE', 'The platform does not answer.'))
    harness.link.start()
    await settled()
    expect(harness.link.state).toEqual({ name: 'waiting', reason: 'The platform does not answer.' })
    expect(harness.clock.pending).toBe(1)
    await harness.pass(1000)
    expect(harness.link.state.name).toBe('waiting')
    expect(harness.sockets).toEqual([])
  })

  test('one that there is not ends it', async () => {
    const harness = refusing(new BridgeError('INVALID_TOKEN', 'Sign in again.'))
    harness.link.start()
    await settled()
    expect(harness.link.state).toEqual({ name: 'ended', reason: 'Sign in again.' })
    expect(harness.clock.pending).toBe(0)
  })

  test('a failure that nobody expected is told without its text', async () => {
    const harness = refusing(new Error('planted detail'))
    harness.link.start()
    await settled()
    expect(harness.link.state.name).toBe('waiting')
    expect(harness.link.state.reason).not.toContain('planted')
    expect(harness.log.problems).toHaveLength(1)
  })

  test.each(['https://gateway.example', 'nonsense', ''])('the address %j ends it', async (url) => {
    const harness = new Harness({ url: async () => url })
    harness.link.start()
    await settled()
    expect(harness.link.state.name).toBe('ended')
    expect(harness.link.state.reason).toMatch(/wss:\/\/.+profile\.$/)
  })

  test('an answer that takes too long is not waited for, and means nothing when it comes', async () => {
    const answers: ((url: string) => void)[] = []
    const harness = new Harness({ url: () => new Promise((resolve) => void answers.push(resolve)) })
    harness.link.start()
    await harness.pass(60_000)
    expect(harness.link.state.name).toBe('waiting')
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

describe('beginning sessions', () => {
  test('two are five seconds apart, however many links an application has', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    harness.identifies.note(harness.clock.now() - 2000)
    socket.say(10, hello)
    expect(socket.sent).toEqual([])
    harness.clock.advance(2999)
    expect(socket.sent).toEqual([])
    // Somebody else was faster.
    harness.identifies.note(harness.clock.now())
    harness.clock.advance(1)
    expect(socket.sent).toEqual([])
    harness.clock.advance(5000)
    expect(socket.of(2)).toHaveLength(1)
  })

  test('long before the platform would reset the token it ends, and says so', async () => {
    const harness = new Harness()
    const now = harness.clock.now()
    const spread = LIMITS.gatewayIdentifiesMs.value / LIMITS.gatewayIdentifies.value
    for (let count = 0; count < 899; count++) harness.identifies.note(now - (900 - count) * spread)
    let socket = await harness.live()
    expect(socket.of(2)).toHaveLength(1)
    socket.closed(4009)
    socket = await harness.nextSocket()
    socket.say(10, hello)
    expect(socket.sent).toEqual([])
    expect(socket.closedWith).toBe(1000)
    socket.closed(1000)
    expect(harness.link.state.name).toBe('ended')
    expect(harness.link.state.reason).toMatch(/reset the token/)
    expect(harness.clock.pending).toBe(0)
  })

  test('a day later it may again', () => {
    const { identifies, clock } = new Harness()
    for (let count = 0; count < 900; count++) identifies.note(clock.now())
    expect(identifies.inMs(clock.now())).toBeUndefined()
    expect(identifies.inMs(clock.now() + 86_400_000)).toBe(0)
    // A clock that was set back.
    expect(identifies.inMs(clock.now() - 3_600_000)).toBe(0)
  })
})

test('a listener that throws, or that stops the link, breaks nothing', async () => {
  let stopped: Promise<void> | undefined
  const harness: Harness = new Harness({
    onDispatch: ({ t }) => {
      if (t === 'GUILD_CREATE') stopped = harness.link.stop()
      throw new Error('planted')
    },
  })
  const socket = await harness.live()
  expect(harness.link.state.name).toBe('live')
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
