/** The link against the sandbox's gateway, which was made by the platform's rules and not for this link: sessions, and every way to break them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import type { GatewayLinkOptions } from '../../../../../daemon/src/platform/gateway/gateway.ts'
import { APPLICATION, type Harness, startHarness } from '../../../sandbox/harness.ts'
import { afterPause, is, openRealLink, type RealLink } from './real-link.ts'

let sandbox: Harness
const links: RealLink[] = []
beforeEach(async () => {
  sandbox = await startHarness()
})
afterEach(async () => {
  for (const { link } of links.splice(0)) await link.stop()
  await sandbox.close()
})

const BOT = new Secret(`Bot sandbox-bot-${APPLICATION}`)

function linked(options: Partial<GatewayLinkOptions> = {}): RealLink {
  const real = openRealLink({ token: async () => BOT, url: async () => sandbox.sandbox.profile.gatewayUrl ?? '', ...options })
  links.push(real)
  return real
}

/** Something goes wrong, or happens; gives how many connections it met. */
const order = async (what: object): Promise<unknown> =>
  (await sandbox.send('POST', '~sandbox/gateway', { json: { application_id: APPLICATION, ...what } })).json['hit']

const begun = async (options?: Partial<GatewayLinkOptions>): Promise<RealLink> => {
  const real = linked(options)
  expect((await real.dispatches.next()).t).toBe('READY')
  await real.states.until(is('live'))
  return real
}

describe.each(['none', 'zlib-stream', 'zstd-stream'] as const)('a session with compression %s', (compress) => {
  test('survives a drop, and hears what happened meanwhile', async () => {
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
    expect(real.link.state.name).toBe('live')
  })
})

/** Which word the next session begins with: none of the one before is lost where it is RESUMED. */
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
  ] as const)('by %j goes on with %s', async (what, word) => {
    const real = await begun()
    expect(await order(what)).toBe(1)
    // Five seconds lie between two sessions.
    real.clock.advance(5000)
    expect(await next(real)).toBe(word)
    expect(real.link.state.name).toBe('live')
  })

  test('begins anew when its Resume is refused', async () => {
    const real = await begun()
    await order({ action: 'refuse_resume', times: 1 })
    await order({ action: 'drop' })
    real.clock.advance(5000)
    expect(await next(real)).toBe('READY')
  })

  test.each([4004, 4013, 4014])('by %d is over', async (code) => {
    const real = await begun()
    await order({ action: 'close', code })
    expect(await real.states.until(is('ended'))).toMatchObject({ closeCode: code })
    expect(real.clock.pending).toBe(0)
  })

  test('by answers that stay away is noticed, and goes on', async () => {
    const real = await begun()
    await order({ action: 'slow_ack', ms: 'never' })
    real.clock.advance(41_250)
    real.clock.advance(41_250)
    expect(real.link.state).toEqual({ name: 'waiting', reason: 'The gateway no longer answered.' })
    await order({ action: 'slow_ack', ms: 0 })
    expect(await next(real)).toBe('RESUMED')
  })
})

test('a wrong token is told, with what to do', async () => {
  const real = linked({ token: async () => new Secret('Bot wrong') })
  const { reason } = await real.states.until(is('ended'))
  expect(reason).toBe(
    'The gateway closed the connection (4004): the token is not valid. Sign in again, or store the bot token anew; then what is wanted of the gateway is tried again.',
  )
  expect(real.log.text).not.toContain('Bot wrong')
})

test('a user comes with a bearer token', async () => {
  const { access_token: token } = await sandbox.signIn('identify gateway.connect')
  const real = linked({ token: async () => new Secret(`Bearer ${token}`) })
  const { d } = await real.dispatches.next()
  expect(d).toMatchObject({ user: { username: 'ada' } })
  await real.link.stop()
  expect(real.clock.pending).toBe(0)
  expect(real.log.text).not.toContain(token)
})

test('a user whose tokens are refreshed stays connected, and a break after that is gone on from with the new ones', async () => {
  let tokens = await sandbox.signIn('identify gateway.connect')
  const shown: string[] = []
  const real = await begun({
    token: async () => {
      shown.push(tokens.access_token)
      return new Secret(`Bearer ${tokens.access_token}`)
    },
  })
  // The second refresh ends what the connection began with.
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
