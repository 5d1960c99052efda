import { describe, expect, test } from 'vitest'
import { type GrantRevocationDeps, revokeGrant, sweepGrants } from '#daemon/src/sessions/grant-revocation.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { jsonOf, OP, split } from '#test/support/frames.ts'
import { tokenOf } from '#test/support/tokens.ts'

const DAY = 86_400_000
const EXCHANGE = {
  code: 'code-for-the-game',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:9/',
}
const peer = (name: string) => ({ trust: 'kernel', uid: 1000, pid: 1, executable: `/games/${name}`, file: '1' }) as const

/** /games/one signed in with managed tokens, /games/two was allowed to use them; both are connected. */
async function start() {
  const clock = new FakeClock()
  const bridge = testBridge({ clock, uid: 1000 })
  const parts: GrantRevocationDeps = { ...bridge, clock }
  bridge.consent.decide = async () => {}
  const one = Game.connected(bridge, { contract: '1.0', streams: true }, peer('one'))
  await one.ask('GET_TOKEN', EXCHANGE)
  await one.ask('AUTHENTICATE', {})
  const two = Game.connected(bridge, {}, peer('two'))
  await two.ask('AUTHENTICATE', {})
  const idOf = (name: string) => bridge.grants.live().find(({ program }) => program.executable === `/games/${name}`)?.id ?? ''
  return { ...bridge, clock, parts, one, two, idOf }
}

const farewellOf = (game: Game) => {
  const [closed] = split(game.channel.take()).frames
  return closed?.opcode === OP.CLOSE ? (jsonOf(closed.payload) as { code: number }).code : undefined
}

describe('a grant of the command line that ends', () => {
  const MINUTE = 60_000
  async function inTerminal() {
    const clock = new FakeClock()
    const bridge = testBridge({ clock, uid: 1000 })
    const parts: GrantRevocationDeps = { ...bridge, clock }
    const terminal = Game.connected(bridge, { contract: '1.0', streams: true }, { ...peer('sallyport'), session: 'tty:1:1' })
    await terminal.ask('GET_TOKEN', EXCHANGE)
    clock.advance(10 * MINUTE)
    return { ...bridge, clock, parts }
  }

  test('leaves the tokens of the account to other grants, until thirty days without a use', async () => {
    const { parts, tokenStore, tokenEndpoint, grants, clock } = await inTerminal()
    await sweepGrants(parts)
    expect(grants.live()).toEqual([])
    expect([(await tokenStore.list()).length, tokenEndpoint.revoked]).toEqual([1, []])
    clock.advance(30 * DAY)
    await sweepGrants(parts)
    expect([await tokenStore.list(), tokenEndpoint.revoked]).toEqual([[], ['refresh-for-the-game']])
  })
  test('does not keep tokens whose last other grant the user revokes', async () => {
    const { parts, tokenStore, grants, ...bridge } = await inTerminal()
    bridge.consent.decide = async () => {}
    await Game.connected({ ...bridge, grants, tokenStore }, {}, peer('one')).ask('AUTHENTICATE', {})
    const [own] = grants.live()
    await revokeGrant(own?.id ?? '', parts)
    expect(await tokenStore.list()).toEqual([])
  })
})

describe('a revoked grant', () => {
  test('signs out the sessions of its program only, while other grants stay', async () => {
    const { parts, one, two, idOf, tokenStore, tokenEndpoint } = await start()
    expect(await revokeGrant(idOf('two'), parts)).toBe(true)
    expect(farewellOf(two)).toBe(4003)
    expect(one.received()).toEqual([])
    expect(await tokenStore.list()).toHaveLength(1)
    expect(tokenEndpoint.revoked).toEqual([])
  })
  test('notifies our bindings, which stay connected', async () => {
    const { parts, one, idOf } = await start()
    await revokeGrant(idOf('one'), parts)
    expect(one.received()).toMatchObject([
      { evt: 'TOKEN_REVOKED', data: { cause: 'revoked_by_user', reason: expect.stringContaining('revoked') } },
    ])
    expect(await one.ask('GET_CURRENT_USER')).toMatchObject({ data: { code: 4006 } })
    expect(one.channel.log).toEqual([])
  })
  test('is gone', async () => {
    const { parts, idOf, grants } = await start()
    const id = idOf('two')
    await revokeGrant(id, parts)
    expect(await revokeGrant(id, parts)).toBe(false)
    expect(grants.live()).toHaveLength(1)
  })
  test('that was the last one deletes the tokens, here and at the platform', async () => {
    const { parts, one, idOf, tokenStore, tokenEndpoint } = await start()
    await revokeGrant(idOf('two'), parts)
    await revokeGrant(idOf('one'), parts)
    expect(one.received()).toMatchObject([{ evt: 'TOKEN_REVOKED' }])
    expect(await tokenStore.list()).toEqual([])
    expect(tokenEndpoint.revoked).toEqual(['refresh-for-the-game'])
  })
  test('takes effect at once although the platform is unreachable', async () => {
    const { parts, idOf, tokenStore, tokenEndpoint, log, clock } = await start()
    tokenEndpoint.isDown = true
    for (const name of ['two', 'one']) expect(await revokeGrant(idOf(name), parts)).toBe(true)
    expect(await tokenStore.list()).toEqual([])
    expect(log.lines.map(({ event }) => event)).toContain('revocation-failed')
    expect(log.text).not.toContain('refresh-for-the-game')
    // The closed connection lingers for two seconds; the platform's ten must not.
    clock.advance(2_000)
    expect(clock.pending).toBe(0)
  })
  test('of a program with its own token revokes that token', async () => {
    const bridge = testBridge({ uid: 1000 })
    const game = Game.connected(bridge, {}, peer('old'))
    const token = tokenOf(['identify'])
    await game.ask('AUTHENTICATE', { access_token: token })
    await revokeGrant(bridge.grants.live()[0]?.id ?? '', { ...bridge, clock: new FakeClock() })
    expect(farewellOf(game)).toBe(4003)
    expect(bridge.tokenEndpoint.revoked).toEqual([token])
  })
})

test('unused grants end at the start, the last one with its tokens', async () => {
  const { parts, clock, tokenStore, grants, tokenEndpoint } = await start()
  clock.advance(29 * DAY)
  await sweepGrants(parts)
  expect(grants.live()).toHaveLength(2)
  clock.advance(DAY)
  await sweepGrants(parts)
  expect(grants.live()).toEqual([])
  expect(await tokenStore.list()).toEqual([])
  expect(tokenEndpoint.revoked).toEqual(['refresh-for-the-game'])
})
