/** The action after each close code and each form of Invalid Session, copied independently from the platform's table. */
import { GATEWAY_CLOSE_CODES, GATEWAY_OPCODES } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { settled } from '#test/support/fake-clock.ts'
import { type FakeSocket, Harness, INTERVAL_MS, TOKEN } from './harness.ts'

type Follow = 'resume' | 'new session' | 'no reconnect'

/** Code, and the action of the client. */
const DOCUMENTED: readonly (readonly [number | undefined, Follow])[] = [
  [4000, 'resume'],
  [4001, 'resume'],
  [4002, 'resume'],
  [4003, 'new session'],
  [4004, 'no reconnect'],
  [4005, 'resume'],
  [4007, 'new session'],
  [4008, 'resume'],
  [4009, 'new session'],
  [4010, 'no reconnect'],
  [4011, 'no reconnect'],
  [4012, 'no reconnect'],
  [4013, 'no reconnect'],
  [4014, 'no reconnect'],
]
/** No code, codes that a library reports for broken sockets, proxies, and future codes. */
const OTHERS: readonly (readonly [number | undefined, Follow])[] = [undefined, 1000, 1001, 1006, 1011, 1012, 3000, 4006, 4015, 4999].map(
  (code) => [code, 'resume'],
)
const ALL = [...DOCUMENTED, ...OTHERS]

const IDENTIFY = GATEWAY_OPCODES.IDENTIFY.op
const RESUME = GATEWAY_OPCODES.RESUME.op

const hello = (socket: FakeSocket): void => socket.say(10, { heartbeat_interval: INTERVAL_MS })

/** The first payload of the next connection. */
async function entry(harness: Harness): Promise<{ readonly url: string; readonly op: number | undefined; readonly d: unknown }> {
  const socket = await harness.nextSocket()
  hello(socket)
  // Two session starts are at least five seconds apart.
  if (socket.sent.length === 0) await harness.pass(5000)
  return { url: socket.url, op: socket.sent[0]?.op, d: socket.sent[0]?.d }
}

const RESUMED_AT = 'wss://resume.example/?v=10&encoding=json'
const BEGUN_AT = 'wss://gateway.example/?v=10&encoding=json'
const RESUMES = { url: RESUMED_AT, op: RESUME, d: { token: TOKEN, session_id: 'session-1', seq: 7 } }

async function liveHarness(): Promise<Harness> {
  const harness = new Harness()
  const socket = await harness.live()
  socket.dispatch('GUILD_CREATE', 7)
  return harness
}

test('the table has every documented code and no other', () => {
  expect(Object.values(GATEWAY_CLOSE_CODES).map(({ code }) => code)).toEqual(DOCUMENTED.map(([code]) => code))
})

describe('a live connection that the platform closes', () => {
  test.each(ALL)('with %s: %s', { tags: ['1-13'] }, async (code, follow) => {
    const harness = await liveHarness()
    harness.socket.closed(code)
    if (follow === 'no reconnect') {
      await settled()
      expect(harness.clock.pending).toBe(0)
      expect(harness.sockets).toHaveLength(1)
      expect(harness.connection.state).toMatchObject({ name: 'ended', closeCode: code })
      // The meaning of the code, and advice for the user.
      expect(harness.connection.state.reason).toMatch(/^The gateway closed the connection \(\d{4}\): [^.]+\. [A-Z].+\.$/)
      return
    }
    const { url, op, d } = await entry(harness)
    if (follow === 'resume') expect({ url, op, d }).toEqual(RESUMES)
    else {
      expect({ url, op }).toEqual({ url: BEGUN_AT, op: IDENTIFY })
      expect(harness.urls).toBe(2)
    }
  })
})

describe('a connection that is closed before its session began', () => {
  test.each(ALL)('with %s: identifies again unless it may not reconnect', async (code, follow) => {
    const harness = new Harness()
    const socket = await harness.afterHello()
    socket.closed(code)
    await settled()
    if (follow === 'no reconnect') expect(harness.connection.state.name).toBe('ended')
    else expect(await entry(harness)).toMatchObject({ url: BEGUN_AT, op: IDENTIFY })
  })
})

describe('a connection that is closed while it resumes', () => {
  test.each(ALL)('with %s: %s', async (code, follow) => {
    const harness = await liveHarness()
    harness.socket.closed()
    await entry(harness)
    harness.socket.closed(code)
    await settled()
    if (follow === 'no reconnect') expect(harness.connection.state.name).toBe('ended')
    else if (follow === 'resume') expect(await entry(harness)).toEqual(RESUMES)
    else expect(await entry(harness)).toMatchObject({ url: BEGUN_AT, op: IDENTIFY })
  })
})

describe('a connection that both sides close', () => {
  test.each(ALL)('with %s: %s', async (code, follow) => {
    const harness = await liveHarness()
    harness.socket.say(GATEWAY_OPCODES.RECONNECT.op)
    expect(harness.socket.closedWith).toBe(4000)
    harness.socket.closed(code)
    await settled()
    if (follow === 'no reconnect') expect(harness.connection.state).toMatchObject({ name: 'ended', closeCode: code })
    else if (follow === 'resume') expect(await entry(harness)).toEqual(RESUMES)
    else expect(await entry(harness)).toMatchObject({ url: BEGUN_AT, op: IDENTIFY })
  })
})

describe('Invalid Session', () => {
  /** Any value but true means that the session cannot be resumed. */
  const FORMS: readonly (readonly [unknown, Follow])[] = [
    [true, 'resume'],
    [false, 'new session'],
    [null, 'new session'],
    [undefined, 'new session'],
    ['true', 'new session'],
    [1, 'new session'],
    [{}, 'new session'],
  ]

  test.each(FORMS)('%j to a live connection: %s', async (d, follow) => {
    const harness = await liveHarness()
    const { socket } = harness
    socket.say(9, d)
    // Not 1000 or 1001, which would end the session.
    expect(socket.closedWith).toBe(4000)
    socket.closed(4000)
    const next = await entry(harness)
    if (follow === 'resume') expect(next).toEqual(RESUMES)
    else expect(next).toMatchObject({ url: BEGUN_AT, op: IDENTIFY })
  })

  test.each(FORMS)('%j as the response to Resume: %s', async (d, follow) => {
    const harness = await liveHarness()
    harness.socket.closed()
    expect(await entry(harness)).toEqual(RESUMES)
    harness.socket.say(9, d)
    harness.socket.closed(4000)
    const next = await entry(harness)
    if (follow === 'resume') expect(next).toEqual(RESUMES)
    else expect(next).toMatchObject({ url: BEGUN_AT, op: IDENTIFY })
  })

  test.each(FORMS)('%j as the response to Identify: identifies again', async (d) => {
    const harness = new Harness()
    const socket = await harness.afterHello()
    socket.say(9, d)
    socket.closed(4000)
    expect(await entry(harness)).toMatchObject({ url: BEGUN_AT, op: IDENTIFY })
  })

  test.each([
    [0, 1000],
    [0.5, 3000],
    [1, 5000],
  ])('a new session waits between 1 and 5 seconds: with jitter %d, %d ms', async (chance, waitedMs) => {
    const harness = await liveHarness()
    await harness.pass(20_000)
    harness.chance = chance
    harness.socket.say(9, false)
    harness.socket.closed(4000)
    await settled()
    await harness.pass(waitedMs - 1)
    expect(harness.sockets).toHaveLength(1)
    await harness.pass(1)
    expect(harness.sockets).toHaveLength(2)
  })
})

describe('a session that cannot be resumed', () => {
  test('is dropped after three rejected Resumes', async () => {
    const harness = await liveHarness()
    harness.socket.closed()
    for (let refusal = 0; refusal < 3; refusal++) {
      expect(await entry(harness)).toEqual(RESUMES)
      harness.socket.closed(4000)
    }
    expect(await entry(harness)).toMatchObject({ url: BEGUN_AT, op: IDENTIFY })
  })

  test('resets the count after a successful Resume', async () => {
    const harness = await liveHarness()
    harness.socket.closed()
    for (let round = 0; round < 3; round++) {
      for (let refusal = 0; refusal < 2; refusal++) {
        expect(await entry(harness)).toEqual(RESUMES)
        harness.socket.closed(4000)
      }
      expect(await entry(harness)).toEqual(RESUMES)
      harness.socket.dispatch('RESUMED', 7)
      harness.socket.closed()
    }
  })

  test("is kept while the gateway is unreachable, and dropped when the platform's resume window ends", { tags: ['1-13'] }, async () => {
    const harness = await liveHarness()
    const began = harness.clock.now()
    harness.socket.closed(undefined, 'ECONNRESET')
    for (;;) {
      const socket = await harness.nextSocket()
      const isResuming = socket.url === RESUMED_AT
      expect(isResuming).toBe(harness.clock.now() - began <= 300_000)
      if (!isResuming) break
      expect(harness.connection.state.reason).toMatch(/^The gateway /)
      socket.closed(undefined, 'ENETUNREACH')
    }
    expect(harness.sockets.length).toBeGreaterThan(5)
    // The new session has no sequence number of the old one.
    hello(harness.socket)
    await harness.pass(5000)
    harness.socket.say(1)
    expect(harness.socket.of(1)).toEqual([{ op: 1, d: null }])
  })

  test('a new one starts without the old sequence number', { tags: ['1-13'] }, async () => {
    const harness = await liveHarness()
    harness.socket.closed(4009)
    await entry(harness)
    harness.socket.say(1)
    expect(harness.socket.of(1)).toEqual([{ op: 1, d: null }])
  })
})

test('the token is requested for each connection, the URL for each new session', async () => {
  const harness = await liveHarness()
  harness.socket.closed()
  await entry(harness)
  expect([harness.tokens, harness.urls]).toEqual([2, 1])
  harness.socket.closed(4009)
  await entry(harness)
  expect([harness.tokens, harness.urls]).toEqual([3, 2])
})
