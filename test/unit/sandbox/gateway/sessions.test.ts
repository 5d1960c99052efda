/** Gateway sessions: resume with missed events, refused resumes, and faults on demand. */
import { GATEWAY_OPCODES as OPS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReplayBuffer } from '@sallyport/sandbox/gateway/replay-buffer'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'
import { bot, BOT_TOKEN, type GatewayClient, open, order, user } from './client.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

/** For tests with many requests on a busy machine. */
const MANY_MS = 120_000

const happen = (name: string) => order(harness, { action: 'dispatch', t: name, d: { name } })

async function resume(sessionId: unknown, seq: number, token = BOT_TOKEN): Promise<GatewayClient> {
  const client = await open(harness, { path: '/gateway/resume' })
  await client.of(OPS.HELLO.op)
  client.send(OPS.RESUME.op, { token, session_id: sessionId, seq })
  return client
}
/** The connections and sessions in the state report. */
const report = async () =>
  (await harness.send('GET', '~sandbox/state')).json['gateway'] as { connections: number; sessions: Record<string, unknown>[] }
/** The sandbox notices a closed connection with a delay; this polls until it did. */
const untilWaiting = async () => {
  while ((await report()).sessions.some(({ connected }) => connected)) await new Promise((resolve) => setImmediate(resolve))
}

describe('Resume', () => {
  it('brings what was missed, in order and once, then RESUMED', async () => {
    const { client, ready } = await bot(harness)
    await happen('FIRST')
    await client.event('FIRST')
    const { seq } = client
    client.vanish()
    await untilWaiting()
    expect((await happen('SECOND')).json).toEqual({ hit: 0 })
    await happen('THIRD')
    const again = await resume(ready['session_id'], seq)
    const received = [await again.of(0), await again.of(0), await again.of(0)]
    expect(received.map(({ t, s }) => [t, s])).toEqual([
      ['SECOND', seq + 1],
      ['THIRD', seq + 2],
      ['RESUMED', seq + 3],
    ])
    await happen('FOURTH')
    expect(await again.event('FOURTH')).toEqual({ name: 'FOURTH' })
  })

  it('moves the session from a connection that is still open', async () => {
    const { client, ready } = await bot(harness)
    const again = await resume(ready['session_id'], client.seq)
    await again.event('RESUMED')
    expect(await client.closed).toBe(1006)
    await happen('AFTER')
    await again.event('AFTER')
    expect((await report()).sessions).toHaveLength(1)
  })

  it('is for the same bot or user, and an open session', async () => {
    const { client, ready } = await bot(harness)
    client.vanish()
    const other = await resume(ready['session_id'], client.seq, 'sandbox-bot-987654321')
    expect((await other.of(OPS.INVALID_SESSION.op)).d).toBe(false)
    const unknown = await resume('no-session', 1)
    expect((await unknown.of(OPS.INVALID_SESSION.op)).d).toBe(false)
    // The connection stays open for a new Identify.
    await unknown.identify({ token: BOT_TOKEN, intents: 0 })
  })

  it.each([7_000, -1])('with a number that the session never gave (%i) is closed with 4007, and ends it', async (seq) => {
    const { client, ready } = await bot(harness)
    client.vanish()
    expect(await (await resume(ready['session_id'], seq)).closed).toBe(4007)
    const again = await resume(ready['session_id'], client.seq)
    expect((await again.of(OPS.INVALID_SESSION.op)).d).toBe(false)
  })

  it(
    'is too late when too much happened since',
    async () => {
      const { client, ready } = await bot(harness)
      client.vanish()
      await untilWaiting()
      for (let count = 0; count < 1001; count++) await happen('MANY')
      const again = await resume(ready['session_id'], client.seq)
      expect((await again.of(OPS.INVALID_SESSION.op)).d).toBe(false)
      expect((await report()).sessions).toEqual([])
    },
    MANY_MS,
  )

  it('is too late three minutes after the connection ended', async () => {
    const { client, ready } = await bot(harness)
    client.vanish()
    await untilWaiting()
    harness.clock.advance(179_999)
    expect((await report()).sessions).toHaveLength(1)
    harness.clock.advance(1)
    expect((await report()).sessions).toEqual([])
    expect((await (await resume(ready['session_id'], client.seq)).of(OPS.INVALID_SESSION.op)).d).toBe(false)
  })

  it.each([1000, 1001])('is refused after the client closed with %i', async (code) => {
    const { client, ready } = await bot(harness)
    client.leave(code)
    await client.closed
    expect((await (await resume(ready['session_id'], client.seq)).of(OPS.INVALID_SESSION.op)).d).toBe(false)
  })

  it('is refused for a user who signed out meanwhile', async () => {
    const { client, ready, token } = await user(harness, 'grace')
    client.vanish()
    await untilWaiting()
    await harness.send('POST', '~sandbox/revoke', { json: { token } })
    expect((await report()).sessions).toEqual([])
    expect(await (await resume(ready['session_id'], client.seq, `Bearer ${token}`)).closed).toBe(4004)
  })

  it(
    'is bounded for many sessions: the oldest of those that wait are forgotten',
    async () => {
      for (let count = 0; count < 203; count++) {
        const client = await open(harness)
        await client.identify({ token: BOT_TOKEN, intents: 0 })
        client.vanish()
      }
      await untilWaiting()
      expect((await report()).sessions).toHaveLength(200)
    },
    MANY_MS,
  )
})

describe('the replay buffer', () => {
  it('is bounded by number, size and age', () => {
    const many = new ReplayBuffer()
    for (let seq = 1; seq <= 1200; seq++) many.add(seq, 'x', 0)
    expect(many.size).toBe(1000)
    expect(many.after(200, 1200, 0)).toHaveLength(1000)
    expect(many.after(199, 1200, 0)).toBeUndefined()
    const large = new ReplayBuffer()
    for (let seq = 1; seq <= 10; seq++) large.add(seq, 'x'.repeat(100_000), 0)
    expect(large.size).toBe(5)
    const old = new ReplayBuffer()
    old.add(1, 'x', 0)
    old.add(2, 'y', 200_000)
    expect(old.after(1, 2, 300_001)).toEqual(['y'])
    expect(old.after(0, 2, 300_001)).toBeUndefined()
    expect(old.after(2, 2, 900_000)).toEqual([])
  })
})

describe('on demand', () => {
  it('drops: the session waits', async () => {
    const { client, ready } = await bot(harness)
    expect((await order(harness, { action: 'drop', application_id: '1' })).json).toEqual({ hit: 0 })
    expect((await order(harness, { action: 'drop', application_id: APPLICATION })).json).toEqual({ hit: 1 })
    expect(await client.closed).toBe(1006)
    await (await resume(ready['session_id'], client.seq)).event('RESUMED')
  })

  it.each([
    [4000, true],
    [4009, false],
    [4003, false],
    [1000, false],
  ])('closes with %i: resuming works %s', async (code, works) => {
    const { client, ready } = await bot(harness)
    expect((await order(harness, { action: 'close', code })).json).toEqual({ hit: 1 })
    expect(await client.closed).toBe(code)
    const again = await resume(ready['session_id'], client.seq)
    expect((await again.take(({ op, t }) => op === OPS.INVALID_SESSION.op || t === 'RESUMED')).t).toBe(works ? 'RESUMED' : null)
  })

  it('requests one user of an application to reconnect', async () => {
    const ada = await user(harness, 'ada')
    const mary = await user(harness, 'mary')
    expect((await order(harness, { action: 'reconnect', user: 'mary' })).json).toEqual({ hit: 1 })
    await mary.client.of(OPS.RECONNECT.op)
    expect(await ada.client.heardUntilNow(harness)).toEqual([])
    expect((await order(harness, { action: 'reconnect', user: 'unknown' })).status).toBe(404)
  })

  it('requests a heartbeat', async () => {
    const { client } = await bot(harness)
    await order(harness, { action: 'heartbeat' })
    expect((await client.of(OPS.HEARTBEAT.op)).d).toBeNull()
  })

  it.each([true, false])('invalidates the session, resumable: %s', async (resumable) => {
    const { client, ready } = await bot(harness)
    expect((await order(harness, { action: 'invalid_session', resumable })).json).toEqual({ hit: 1 })
    expect((await client.of(OPS.INVALID_SESSION.op)).d).toBe(resumable)
    client.send(OPS.RESUME.op, { token: BOT_TOKEN, session_id: ready['session_id'], seq: client.seq })
    expect((await client.take(({ op, t }) => op === OPS.INVALID_SESSION.op || t === 'RESUMED')).t).toBe(resumable ? 'RESUMED' : null)
  })

  it('refuses to resume so many times', async () => {
    const { client, ready } = await bot(harness)
    client.vanish()
    await untilWaiting()
    await order(harness, { action: 'refuse_resume', times: 2 })
    for (let count = 0; count < 2; count++)
      expect((await (await resume(ready['session_id'], client.seq)).of(OPS.INVALID_SESSION.op)).d).toBe(false)
    await (await resume(ready['session_id'], client.seq)).event('RESUMED')
  })

  it('answers heartbeats late, or never', async () => {
    const { client } = await bot(harness)
    await order(harness, { action: 'slow_ack', ms: 5000 })
    client.send(OPS.HEARTBEAT.op, client.seq)
    expect(await client.heardUntilNow(harness)).toEqual([])
    harness.clock.advance(5000)
    await client.of(OPS.HEARTBEAT_ACK.op)
    await order(harness, { action: 'slow_ack', ms: 'never' })
    client.send(OPS.HEARTBEAT.op, client.seq)
    await order(harness, { action: 'slow_ack', ms: 0 })
    client.send(OPS.HEARTBEAT.op, client.seq)
    await client.of(OPS.HEARTBEAT_ACK.op)
  })

  it('changes the heartbeat interval of new connections', async () => {
    await order(harness, { action: 'hello', heartbeat_interval: 200 })
    const client = await open(harness)
    expect((await client.of(OPS.HELLO.op)).d).toEqual({ heartbeat_interval: 200 })
    harness.clock.advance(300)
    expect(await client.closed).toBe(4009)
  })

  it('refuses unknown users and actions', async () => {
    expect((await order(harness, { action: 'explode' })).status).toBe(400)
    expect((await order(harness, { action: 'close', code: 12 })).status).toBe(400)
  })
})

describe('the state report', () => {
  it('shows sessions without their ids', async () => {
    const { ready } = await bot(harness)
    const { ready: ofUser, token } = await user(harness, 'grace', {
      presence: { status: 'dnd', afk: false, since: null, activities: [{ type: 0, name: 'Chess', secrets: { join: 'the join secret' } }] },
    })
    const { connections, sessions } = await report()
    expect(connections).toBe(2)
    expect(sessions).toMatchObject([
      { kind: 'bot', application_id: APPLICATION, connected: true, shard: [0, 1] },
      { kind: 'user', user_id: await harness.idOf('grace'), presence: { status: 'dnd', activities: [{ type: 0, name: 'Chess' }] } },
    ])
    const text = JSON.stringify(await report())
    for (const secret of [ready['session_id'], ofUser['session_id'], token, BOT_TOKEN, 'the join secret'])
      expect(text).not.toContain(secret)
    expect(harness.log.join('\n')).not.toContain(token)
    expect(harness.log.join('\n')).not.toContain('sandbox-gateway-failed')
    expect((await harness.send('GET', '~')).text).toContain('Chess')
  })
})
