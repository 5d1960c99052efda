/** INSPECT_CALLS: what the bridge keeps of the calls of games, by the id that games, the log and the platform see. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { CallTrace, EventTrace } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { createPublisher } from '#daemon/src/events/publisher.ts'
import { Secret } from '@sallyport/core/secret'
import { FakeClock } from '#test/support/fake-clock.ts'
import { Game, KNOWN_PROGRAM, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

const PROOF = 'ab'.repeat(16)
const CONTRACT = { contract: '1.0', streams: true }

interface Inspected {
  readonly calls: readonly CallTrace[]
  readonly events: readonly EventTrace[]
}

async function inspected(bridge: TestBridge, args: object = {}): Promise<Inspected> {
  const operator = Game.connected(bridge, { client_id: '99' })
  bridge.proofs.add(PROOF)
  return (await operator.ask('INSPECT_CALLS', { operator_proof: PROOF, ...args })).data as Inspected
}

async function watch(bridge: TestBridge): Promise<Game> {
  const operator = Game.connected(bridge, { client_id: '99' })
  bridge.proofs.add(PROOF)
  await operator.ask('INSPECT_FRAMES', { operator_proof: PROOF })
  return operator
}

const withoutReady = ({ events }: Inspected): readonly EventTrace[] => events.filter(({ event }) => event !== 'READY')

const idOf = (response: { data: unknown }): string | undefined => (response.data as { call_id?: string }).call_id

describe('an error names its call', () => {
  test('by the number of the connection and that of the message, for a game with a contract', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge, CONTRACT)
    await game.ask('GET_BRIDGE_STATUS')
    expect(idOf(await game.ask('NO_SUCH_COMMAND'))).toBe('c1-2')
    expect(idOf(await game.ask('GET_GUILD', { guild_id: '1' }))).toBe('c1-3')
  })

  test('not for others, which know only the members of the public protocol', async () => {
    const game = Game.connected(testBridge())
    expect((await game.ask('NO_SUCH_COMMAND')).data).not.toHaveProperty('call_id')
  })
})

describe('while no operator watches, the bridge keeps', () => {
  test('what was known at a failure', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge, CONTRACT, { trust: 'kernel', pid: 77, executable: '/games/one' })
    const { data } = await game.ask('GET_GUILD', { guild_id: '1' })
    const { calls } = await inspected(bridge, { id: idOf({ data }) ?? '' })
    expect(calls).toMatchObject([
      { id: 'c1-1', kept: 'failure', connection: 1, application_id: '1234567890', pid: 77, cmd: 'GET_GUILD', result: 'error', error: data },
    ])
    expect(calls[0]).not.toHaveProperty('request')
  })

  test('nothing of a call that succeeded', async () => {
    const bridge = testBridge()
    await Game.connected(bridge, CONTRACT).ask('GET_BRIDGE_STATUS')
    expect(await inspected(bridge)).toEqual({ calls: [], events: [] })
    expect(await inspected(bridge, { id: 'c1-1' })).toMatchObject({ code: 4000, path: 'id' })
  })

  test('the last failures, newest first, of one application if asked', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge, CONTRACT)
    const most = BUDGETS.failedCalls.value
    for (let count = 0; count <= most; count += 1) await game.ask('NO_SUCH_COMMAND')
    const { calls } = await inspected(bridge, { application_id: '1234567890' })
    expect(calls[0]?.id).toBe(`c1-${most + 1}`)
    expect(await inspected(bridge, { id: 'c1-2' })).toMatchObject({ calls: [{ id: 'c1-2' }] })
    expect(await inspected(bridge, { id: 'c1-1' })).toMatchObject({ code: 4000 })
    expect(await inspected(bridge, { application_id: '77' })).toEqual({ calls: [], events: [] })
  })
})

describe('no trace has a secret', () => {
  const VERIFIER = 'planted-verifier'.padEnd(43, '-')
  const SECRETS = {
    activity: [
      'SET_ACTIVITY',
      { pid: 5, activity: { state: 'At the pier', party: { id: 'p', size: [1, 2] }, secrets: { join: 'planted-join' } } },
    ],
    activityError: ['SET_ACTIVITY', { activity: { secrets: { join: 'planted-join', match: 'planted-match' } }, more: 'planted-unknown' }],
    token: ['AUTHENTICATE', { access_token: 'planted-token' }],
    code: ['GET_TOKEN', { code: 'planted-code', code_verifier: VERIFIER, redirect_uri: 'http://127.0.0.1/?code=planted-code' }],
    shortVerifier: ['GET_TOKEN', { code: 'planted-code', code_verifier: 'planted-short', redirect_uri: 'http://127.0.0.1/' }],
    refresh: ['REFRESH_TOKEN', { refresh_token: 'planted-refresh' }],
    revoke: ['REVOKE_TOKEN', { token: 'planted-revoked' }],
    bot: ['SET_BOT_TOKEN', { token: 'planted-bot' }],
    external: ['GET_PROVISIONAL_TOKEN', { external_auth_type: 'OIDC', external_auth_token: 'planted-external' }],
    clientSecret: ['AUTHORIZE', { client_id: '1234567890', client_secret: 'planted-client-secret', scopes: ['identify'] }],
    unknown: ['NO_SUCH_COMMAND', { anything: 'planted-unknown' }],
    event: ['SUBSCRIBE', { anything: 'planted-unknown' }],
  } as const

  /** All that an operator can read after these calls. Answers have planted tokens too. */
  async function readable(isWatched: boolean): Promise<string> {
    const bridge = testBridge()
    const issued = { accessToken: new Secret(tokenOf(['identify'])), refreshToken: new Secret('planted-issued-refresh') }
    bridge.tokenEndpoint.exchange = async () => ({ ...issued, scopes: ['identify'], expiresIn: 604_800 })
    if (isWatched) await watch(bridge)
    const game = Game.connected(bridge, CONTRACT)
    for (const [cmd, args] of Object.values<readonly [string, object]>(SECRETS)) game.begin(cmd, args)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    const ids = Object.keys(SECRETS).map((_, index) => `c${isWatched ? 2 : 1}-${index + 1}`)
    const all = [await inspected(bridge)]
    for (const id of ids) all.push(await inspected(bridge, { id }))
    return JSON.stringify(all)
  }

  test.each([
    ['of a failure', false, 5],
    ['that is whole', true, Object.keys(SECRETS).length],
  ])('%s', async (_, isWatched, least) => {
    const text = await readable(isWatched)
    expect(new Set(text.match(/"id":"c\d+-\d+"/g)).size).toBeGreaterThanOrEqual(least)
    if (isWatched) expect(text).toMatch(/"cmd":"GET_TOKEN","result":"success"/)
    for (const secret of ['planted', tokenOf(['identify'])]) expect(text).not.toContain(secret)
  })
})

describe('while an operator inspects, a trace is whole', () => {
  test('with message, scopes, response and time', async () => {
    const bridge = testBridge()
    await watch(bridge)
    const game = Game.connected(bridge, CONTRACT)
    await game.ask('SET_ACTIVITY', { pid: 5, activity: { state: 'At the pier' } })
    const { calls } = await inspected(bridge, { id: 'c2-1' })
    expect(calls).toMatchObject([
      {
        kept: 'whole',
        cmd: 'SET_ACTIVITY',
        result: 'success',
        request: { cmd: 'SET_ACTIVITY', args: { activity: { state: 'At the pier' } } },
        scopes: { missing: [] },
        response: { state: 'At the pier' },
        ms: 0,
      },
    ])
  })

  test('with the scopes that were missing', async () => {
    const bridge = testBridge()
    await watch(bridge)
    const id = idOf(await Game.connected(bridge, CONTRACT).ask('GET_GUILD', { guild_id: '1' }))
    const { calls } = await inspected(bridge, { id: id ?? '' })
    expect(calls).toMatchObject([{ kept: 'whole', result: 'error', scopes: { missing: ['rpc'] } }])
  })

  test('and calls that succeeded are listed when asked for, each call once, newest first', async () => {
    const clock = new FakeClock()
    const bridge = testBridge({ clock })
    await watch(bridge)
    const game = Game.connected(bridge, CONTRACT)
    await game.ask('GET_BRIDGE_STATUS')
    clock.advance(1)
    await game.ask('NO_SUCH_COMMAND')
    const idsOf = async (args: object) => (await inspected(bridge, args)).calls.map(({ id }) => id)
    expect(await idsOf({})).toEqual(['c2-2'])
    expect(await idsOf({ all: true })).toEqual(['c2-2', 'c2-1'])
    expect(await idsOf({ all: true, application_id: '77' })).toEqual([])
  })

  test('until it leaves; its own calls have none', async () => {
    const bridge = testBridge()
    const operator = await watch(bridge)
    await operator.ask('NO_SUCH_COMMAND')
    operator.receiver.onClose()
    await Game.connected(bridge, CONTRACT).ask('NO_SUCH_COMMAND')
    expect((await inspected(bridge)).calls).toMatchObject([{ id: 'c2-1', kept: 'failure' }])
  })
})

test('with --trace on, a bounded number of traces is whole without an operator', async () => {
  const bridge = testBridge()
  await bridge.calls.traceAlways()
  const game = Game.connected(bridge, CONTRACT)
  const most = BUDGETS.tracedCallsUnwatched.value
  for (let count = 0; count <= most; count++) await game.ask('SET_ACTIVITY', { pid: 5, activity: { state: 'At the pier' } })
  expect(await inspected(bridge, { id: 'c1-1' })).toMatchObject({ code: 4000 })
  expect(await inspected(bridge, { id: 'c1-2' })).toMatchObject({ calls: [{ kept: 'whole', result: 'success' }] })
  const operator = await watch(bridge)
  operator.receiver.onClose()
  await game.ask('NO_SUCH_COMMAND')
  expect((await inspected(bridge)).calls[0]).toMatchObject({ kept: 'whole', cmd: 'NO_SUCH_COMMAND' })
})

describe('an event is traced', () => {
  const JOIN = { name: 'ACTIVITY_JOIN', args: {} } as const

  async function subscribed(bridge: TestBridge, event: string = JOIN.name): Promise<Game> {
    const game = Game.connected(bridge, CONTRACT)
    await game.ask('SUBSCRIBE', {}, event)
    return game
  }

  test('to each subscriber, with the connections that miss it and why, and without secrets', async () => {
    const bridge = testBridge()
    const operator = await watch(bridge)
    await subscribed(bridge)
    await subscribed(bridge)
    const sessions = bridge.hub.subscribersOf(JOIN)
    bridge.hub.publish({ ...JOIN, origin: 'webhook' }, { secret: 'planted-join' }, (session) => session === sessions[0] || 'copy')
    const events = withoutReady(await inspected(bridge))
    expect(events).toMatchObject([
      {
        id: 'e3',
        event: 'ACTIVITY_JOIN',
        origin: 'webhook',
        delivered: 1,
        to: [{ connection: 2, application_id: '1234567890' }],
        withheld: [{ connection: 3, application_id: '1234567890', reason: 'copy' }],
      },
    ])
    expect(await inspected(bridge, { id: 'e3' })).toEqual({ calls: [], events })
    expect((await inspected(bridge, { application_id: '77' })).events).toEqual([])
    expect(JSON.stringify(events)).not.toContain('planted')
    operator.receiver.onClose()
    bridge.hub.publish(JOIN, { secret: 'after the operator' })
    expect(withoutReady(await inspected(bridge))).toHaveLength(1)
  })

  test('also when a second provider brings it', async () => {
    const bridge = testBridge()
    await watch(bridge)
    await subscribed(bridge)
    const publish = createPublisher({ hub: bridge.hub, clock: bridge.clock })
    const event = { ...JOIN, data: { secret: 's' }, isRecipient: () => true, dedupeKey: 'one' }
    expect([publish({ ...event, origin: 'webhook' }), publish({ ...event, origin: 'desktop-client' })]).toEqual([1, 0])
    expect(withoutReady(await inspected(bridge))).toMatchObject([
      { origin: 'desktop-client', delivered: 0, to: [], withheld: [{ reason: 'copy' }] },
      { origin: 'webhook', delivered: 1, withheld: [] },
    ])
  })

  test('also without a subscription: READY, except of operators', async () => {
    const bridge = testBridge()
    await watch(bridge)
    Game.connected(bridge, CONTRACT)
    Game.connected(bridge, {}, { ...KNOWN_PROGRAM, trust: 'origin' })
    const { events } = await inspected(bridge)
    const ready = { event: 'READY', origin: 'bridge', args: {}, delivered: 1, withheld: [] }
    expect(events).toMatchObject([
      { ...ready, to: [{ connection: 3 }] },
      { ...ready, to: [{ connection: 2 }], data: { user: { username: 'player' }, contract: expect.any(String) } },
    ])
    expect(events[0]?.data).not.toHaveProperty('user')
  })

  test('and TOKEN_REVOKED', async () => {
    const bridge = testBridge()
    await watch(bridge)
    const game = Game.connected(bridge, CONTRACT)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    const [session] = bridge.registry.all().filter(({ signedIn }) => signedIn !== undefined)
    await bridge.accounts.apply({ applicationId: '1234567890', userId: session?.signedIn?.userId ?? '' }, 'revoked_by_user')
    const { events } = await inspected(bridge)
    expect(events.filter(({ event }) => event === 'TOKEN_REVOKED')).toMatchObject([
      { origin: 'bridge', delivered: 1, to: [{ connection: 2 }], data: { cause: 'revoked_by_user' } },
    ])
  })

  test('that a subscriber gets with the response of SUBSCRIBE', async () => {
    const bridge = testBridge()
    await watch(bridge)
    const game = Game.connected(bridge, CONTRACT)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'guilds', 'rpc']) })
    const [session] = bridge.registry.all().filter(({ signedIn }) => signedIn !== undefined)
    if (session === undefined) throw new Error('no session is signed in')
    const selector = { name: 'GUILD_STATUS', args: { guild_id: '5' } }
    bridge.hub.subscribe(session, selector)
    const release = bridge.hub.hold(session, selector)
    bridge.hub.publish(selector, { guild: { id: '5' }, online: 1 })
    release?.()
    const { events } = await inspected(bridge)
    expect(events[0]).toMatchObject({
      event: 'GUILD_STATUS',
      origin: 'bridge',
      data: { online: 1 },
      delivered: 1,
      to: [{ connection: 2 }],
      withheld: [],
    })
  })

  test('and names a bounded number of subscribers', async () => {
    const bridge = testBridge()
    await watch(bridge)
    const most = BUDGETS.tracedReceivers.value
    for (let count = 0; count <= most; count++) await subscribed(bridge)
    bridge.hub.publish(JOIN, { secret: 's' })
    const [event] = (await inspected(bridge)).events
    expect(event).toMatchObject({ delivered: most + 1 })
    expect(event?.to).toHaveLength(most)
  })
})
