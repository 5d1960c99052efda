/** The gateway connection against the sandbox gateway, an independent implementation of the platform's rules: sessions and all faults. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import type { GatewayConnectionOptions } from '#daemon/src/platform/gateway/gateway.ts'
import { APPLICATION, type Harness, startHarness } from '#test/unit/sandbox/harness.ts'
import { afterPause, is, openRealLink, type RealLink } from './real-connection.ts'

let sandbox: Harness
const links: RealLink[] = []
beforeEach(async () => {
  sandbox = await startHarness()
})
afterEach(async () => {
  for (const { connection } of links.splice(0)) await connection.stop()
  await sandbox.close()
})

const BOT = new Secret(`Bot sandbox-bot-${APPLICATION}`)

function linked(options: Partial<GatewayConnectionOptions> = {}): RealLink {
  const real = openRealLink({ token: async () => BOT, url: async () => sandbox.sandbox.profile.gatewayUrl ?? '', ...options })
  links.push(real)
  return real
}

/** Triggers a fault or an event; returns the number of affected connections. */
const order = async (what: object): Promise<unknown> =>
  (await sandbox.send('POST', '~sandbox/gateway', { json: { application_id: APPLICATION, ...what } })).json['hit']

const begun = async (options?: Partial<GatewayConnectionOptions>): Promise<RealLink> => {
  const real = linked(options)
  expect((await real.dispatches.next()).t).toBe('READY')
  await real.states.until(is('live'))
  return real
}

describe.each(['none', 'zlib-stream', 'zstd-stream'] as const)('a session with compression %s', (compress) => {
  test('survives a drop, and receives the missed events', { tags: ['1-13'] }, async () => {
    const real = await begun({ compress })
    await order({ action: 'drop' })
    await real.states.until(is('waiting'))
    await order({ action: 'dispatch', t: 'PLANTED', d: { number: 1 } })
    const { d } = await afterPause(
      real,
      real.dispatches.until(({ t }) => t === 'PLANTED'),
    )
    expect(d).toEqual({ number: 1 })
    await real.dispatches.until(({ t }) => t === 'RESUMED')
    expect(real.connection.state.name).toBe('live')
  })
})

/** The first event of the next session; with RESUMED no event is lost. */
const next = (real: RealLink): Promise<string> =>
  afterPause(
    real,
    real.dispatches.until(({ t }) => t === 'READY' || t === 'RESUMED').then(({ t }) => t),
  )

describe('a broken session', () => {
  test.each([
    [{ action: 'reconnect' }, 'RESUMED'],
    [{ action: 'invalid_session', resumable: true }, 'RESUMED'],
    [{ action: 'invalid_session', resumable: false }, 'READY'],
    ...[4000, 4001, 4002, 4005, 4008].map((code) => [{ action: 'close', code }, 'RESUMED'] as const),
    ...[4007, 4009].map((code) => [{ action: 'close', code }, 'READY'] as const),
  ] as const)('by %j continues with %s', async (what, word) => {
    const real = await begun()
    expect(await order(what)).toBe(1)
    // Two session starts are five seconds apart.
    real.clock.advance(5000)
    expect(await next(real)).toBe(word)
    expect(real.connection.state.name).toBe('live')
  })

  test('starts a new session when its Resume is rejected', async () => {
    const real = await begun()
    await order({ action: 'refuse_resume', times: 1 })
    await order({ action: 'drop' })
    real.clock.advance(5000)
    expect(await next(real)).toBe('READY')
  })

  test.each([4004, 4013, 4014])('by %d ends', async (code) => {
    const real = await begun()
    await order({ action: 'close', code })
    expect(await real.states.until(is('ended'))).toMatchObject({ closeCode: code })
    expect(real.clock.pending).toBe(0)
  })

  test('by missing acknowledgements is noticed, and resumed', async () => {
    const real = await begun()
    await order({ action: 'slow_ack', ms: 'never' })
    real.clock.advance(41_250)
    real.clock.advance(41_250)
    expect(real.connection.state).toEqual({ name: 'waiting', reason: 'The gateway did not acknowledge the heartbeat.' })
    await order({ action: 'slow_ack', ms: 0 })
    expect(await next(real)).toBe('RESUMED')
  })
})

test('a wrong token is reported with advice', async () => {
  const real = linked({ token: async () => new Secret('Bot wrong') })
  const { reason } = await real.states.until(is('ended'))
  expect(reason).toBe(
    'The gateway closed the connection (4004): the token is not valid. Sign in again, or store the bot token again. The bridge then reconnects to the gateway.',
  )
  expect(real.log.text).not.toContain('Bot wrong')
})

test('a user connection uses a bearer token', async () => {
  const { access_token: token } = await sandbox.signIn('identify gateway.connect')
  const real = linked({ token: async () => new Secret(`Bearer ${token}`) })
  const { d } = await real.dispatches.next()
  expect(d).toMatchObject({ user: { username: 'ada' } })
  await real.connection.stop()
  expect(real.clock.pending).toBe(0)
  expect(real.log.text).not.toContain(token)
})

test('a user whose tokens are refreshed stays connected, and a later reconnect uses the new tokens', async () => {
  let tokens = await sandbox.signIn('identify gateway.connect')
  const shown: string[] = []
  const real = await begun({
    token: async () => {
      shown.push(tokens.access_token)
      return new Secret(`Bearer ${tokens.access_token}`)
    },
  })
  // The second refresh invalidates the token that the connection started with.
  for (let times = 0; times < 2; times++) {
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: APPLICATION }
    tokens = (await sandbox.form('/api/v10/oauth2/token', form)).json as unknown as typeof tokens
  }
  await order({ action: 'dispatch', t: 'PLANTED' })
  expect((await real.dispatches.until(({ t }) => t === 'PLANTED')).t).toBe('PLANTED')
  await order({ action: 'drop' })
  expect(await next(real)).toBe('RESUMED')
  expect([shown.length, new Set(shown).size]).toEqual([2, 2])
})
