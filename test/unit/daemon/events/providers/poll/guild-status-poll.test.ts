import { BUDGETS } from '@sallyport/core/budgets'
import type { UserGuild } from '@sallyport/protocol'
import { LIMITS } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Game, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import type { Message } from '#test/support/frames.ts'
import { meaningOf, tokenOf } from '#test/support/tokens.ts'

const SCOPES = ['identify', 'guilds', 'rpc']
const APPLICATION = '1234567890'
const ANN = '80351110224678912'
const PERIOD_MS = BUDGETS.guildStatusPollMs.value

let clock: FakeClock
let bridge: TestBridge
/** Guilds by user. */
let remote: Record<string, UserGuild[]>

const guild = (id: string, name: string, online = 2): UserGuild => ({
  id,
  name,
  icon: null,
  banner: null,
  owner: false,
  permissions: '0',
  features: [],
  approximate_presence_count: online,
})
const asked = () => bridge.platform.calls.filter(({ name }) => name === 'GET_CURRENT_USER_GUILDS')
const health = () => bridge.providers.health().filter(({ name }) => name === 'guild-status-poll')
const status = (id: string, name: string, online = 2) => ({ guild: { id, name, icon_url: null }, online })
/** The events right after the response to SUBSCRIBE. */
const behind = new WeakMap<Game, Message[]>()
function receivedBy(game: Game): unknown[] {
  const received = [...(behind.get(game) ?? []), ...game.received()]
  behind.delete(game)
  return received.map(({ evt, data }) => (evt === 'GUILD_STATUS' ? data : evt))
}

async function signedIn(userId = ANN, scopes = SCOPES): Promise<Game> {
  const game = Game.connected(bridge, { contract: '1.0', streams: true })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(scopes, { userId }) })
  return game
}
/** Subscribes and consumes the response, which must come first; later events stay queued. */
async function subscribe(game: Game, guild_id: string): Promise<Message | undefined> {
  const nonce = game.begin('SUBSCRIBE', { guild_id }, 'GUILD_STATUS')
  await turns()
  const [answer, ...rest] = game.received()
  expect(answer?.nonce).toBe(nonce)
  behind.set(game, [...(behind.get(game) ?? []), ...rest])
  return answer
}

/** A poll takes a few turns: the call, its response, and the publication. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await settled()
}
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await turns()
}

beforeEach(() => {
  clock = new FakeClock()
  bridge = testBridge({ clock })
  remote = { [ANN]: [guild('7', 'Harbour'), guild('8', 'Lighthouse')], '5': [guild('8', 'Lighthouse')] }
  bridge.platform.replies.set(
    'GET_CURRENT_USER_GUILDS',
    ({ credential }) => remote[meaningOf(credential?.token.reveal() ?? '')?.userId ?? ''],
  )
})

describe('a subscription', () => {
  test('gets its response, and then the status', async () => {
    const game = await signedIn()
    expect(await subscribe(game, '7')).toMatchObject({ cmd: 'SUBSCRIBE', evt: null, data: { evt: 'GUILD_STATUS' } })
    await turns()
    expect(receivedBy(game)).toEqual([status('7', 'Harbour')])
    expect(asked()).toMatchObject([{ args: { with_counts: true }, credential: { kind: 'user', applicationId: APPLICATION, userId: ANN } }])
  })

  test('to a guild without the user is refused', async () => {
    const game = await signedIn()
    expect(await subscribe(game, '9')).toMatchObject({ evt: 'ERROR', data: { code: 4003, path: 'guild_id' } })
    expect(bridge.hub.selectors()).toEqual([])
    expect([clock.pending, health()]).toEqual([0, [{ name: 'guild-status-poll', state: 'idle' }]])
  })

  test('to a guild that was missing a moment ago is refused without a new read', async () => {
    const game = await signedIn()
    for (const id of ['7', '9', '9']) await subscribe(game, id)
    expect(asked()).toHaveLength(1)
    await pass(10_000)
    expect(await subscribe(game, '9')).toMatchObject({ data: { code: 4003 } })
    expect(asked()).toHaveLength(2)
    expect(bridge.hub.selectors()).toHaveLength(1)
  })

  test('to a guild that was just joined gets its status', async () => {
    const game = await signedIn()
    await subscribe(game, '7')
    await pass(10_000)
    receivedBy(game)
    remote[ANN]?.push(guild('9', 'Dry Dock'))
    expect(await subscribe(game, '9')).toMatchObject({ evt: null })
    await turns()
    expect(receivedBy(game)).toEqual([status('9', 'Dry Dock')])
  })

  test('after the clock was set back does not use a list from the future', async () => {
    const game = await signedIn()
    await subscribe(game, '7')
    clock.setBack(3_600_000)
    remote[ANN]?.push(guild('9', 'Dry Dock'))
    expect(await subscribe(game, '9')).toMatchObject({ evt: null })
  })

  test('that is repeated gets the status again, also for other guilds and sessions, without a new read', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    await Promise.all([subscribe(one, '7'), subscribe(other, '7')])
    await turns()
    expect([receivedBy(one), receivedBy(other)]).toEqual([[status('7', 'Harbour')], [status('7', 'Harbour')]])
    for (const id of ['7', '8']) await subscribe(one, id)
    await turns()
    expect(receivedBy(one)).toEqual([status('7', 'Harbour'), status('8', 'Lighthouse')])
    expect(receivedBy(other)).toEqual([])
    expect(asked()).toHaveLength(1)
  })

  test('with a short deadline does not delay others, because the session with the longest deadline reads', async () => {
    const [hasty, patient] = [await signedIn(), await signedIn()]
    hasty.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 5 })
    for (const game of [hasty, patient]) await subscribe(game, '7')
    await pass(PERIOD_MS)
    expect(asked().map(({ deadlineAt }) => deadlineAt - clock.elapsed())).toEqual([5 - PERIOD_MS, LIMITS.deadlineMs.value])
  })

  test('without the scope for guilds stays for another provider', async () => {
    const game = await signedIn(ANN, ['identify', 'rpc'])
    expect(await subscribe(game, '7')).toMatchObject({ evt: null })
    await turns()
    expect([receivedBy(game), asked(), clock.pending]).toEqual([[], [], 0])
  })
})

test('a session that another provider serves gets nothing here until that ends', async () => {
  const game = await signedIn()
  const [caller] = bridge.registry.all()
  if (caller === undefined) throw new Error('no session')
  bridge.onGateway.add(caller)
  expect(await subscribe(game, '9')).toMatchObject({ evt: null })
  await subscribe(game, '7')
  await pass(PERIOD_MS * 2)
  expect([receivedBy(game), asked(), clock.pending]).toEqual([[], [], 0])
  bridge.onGateway.clear()
  bridge.routing.changed.emit()
  await turns()
  expect(receivedBy(game)).toEqual([status('7', 'Harbour')])
})

describe('while a session is subscribed', () => {
  test('a change is published once, to subscribed members, and nothing is published without a change', { tags: ['6-18'] }, async () => {
    const [ann, bob] = [await signedIn(), await signedIn('5')]
    for (const [game, id] of [
      [ann, '7'],
      [ann, '8'],
      [bob, '8'],
    ] as const)
      await subscribe(game, id)
    await turns()
    for (const game of [ann, bob]) receivedBy(game)
    await pass(PERIOD_MS)
    expect([receivedBy(ann), receivedBy(bob)]).toEqual([[], []])
    // Other users do not get the status of one user.
    remote[ANN] = [guild('7', 'Harbour', 9), guild('8', 'Lighthouse')]
    remote['5'] = [guild('8', 'Old Lighthouse')]
    await pass(PERIOD_MS)
    expect([receivedBy(ann), receivedBy(bob)]).toEqual([[status('7', 'Harbour', 9)], [status('8', 'Old Lighthouse')]])
    await pass(PERIOD_MS)
    expect([receivedBy(ann), receivedBy(bob)]).toEqual([[], []])
    expect(asked()).toHaveLength(2 * 4)
    expect(health()).toEqual([{ name: 'guild-status-poll', state: 'active' }])
  })

  test('a user who left a guild gets no status, and gets it again after rejoining', async () => {
    const game = await signedIn()
    await subscribe(game, '7')
    await turns()
    receivedBy(game)
    remote[ANN] = []
    await pass(PERIOD_MS)
    expect(receivedBy(game)).toEqual([])
    remote[ANN] = [guild('7', 'Harbour')]
    await pass(PERIOD_MS)
    expect(receivedBy(game)).toEqual([status('7', 'Harbour')])
  })
})

describe('the poll ends', () => {
  const ENDS: readonly (readonly [string, (game: Game) => Promise<void> | void])[] = [
    ['the subscription is removed', (game) => void game.call('UNSUBSCRIBE', { guild_id: '7' }, 'GUILD_STATUS')],
    ['the connection ended', (game) => game.receiver.onEnd()],
    ['the bridge stops', () => bridge.providers.stop()],
  ]
  test.each(ENDS)('when %s', async (_, end) => {
    const game = await signedIn()
    await subscribe(game, '7')
    await turns()
    await end(game)
    await turns()
    expect(health()).toEqual([{ name: 'guild-status-poll', state: 'idle' }])
    await pass(PERIOD_MS * 3)
    expect([asked().length, clock.pending]).toEqual([1, 0])
  })

  test('when the user signed out; the next user on the same connection gets their own status', async () => {
    const game = await signedIn()
    for (const id of ['7', '8']) await subscribe(game, id)
    await turns()
    await bridge.accounts.apply({ applicationId: APPLICATION, userId: ANN }, 'revoked_by_user')
    receivedBy(game)
    remote[ANN] = [guild('7', 'Changed'), guild('8', 'Changed')]
    await pass(PERIOD_MS * 2)
    expect([receivedBy(game), asked().length, clock.pending]).toEqual([[], 1, 0])
    await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES, { userId: '5' }) })
    await turns()
    expect(receivedBy(game)).toEqual([status('8', 'Lighthouse')])
  })

  test('when it happens during a read', async () => {
    const game = await signedIn()
    await subscribe(game, '7')
    await turns()
    receivedBy(game)
    let answer: (guilds: UserGuild[]) => void = () => {}
    bridge.platform.replies.set('GET_CURRENT_USER_GUILDS', () => new Promise((resolve) => (answer = resolve)))
    await pass(PERIOD_MS)
    game.call('UNSUBSCRIBE', { guild_id: '7' }, 'GUILD_STATUS')
    await turns()
    answer([guild('7', 'Changed')])
    await turns()
    expect([receivedBy(game), clock.pending]).toEqual([[], 0])
  })
})

describe('a platform that does not respond', () => {
  const fail = (detail: BridgeError['detail'] = {}) =>
    bridge.platform.replies.set('GET_CURRENT_USER_GUILDS', () => {
      throw new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.', detail)
    })

  test('causes no refusal: the subscription stays, reads back off, and the status follows later', async () => {
    const works = bridge.platform.replies.get('GET_CURRENT_USER_GUILDS')
    fail()
    const game = await signedIn()
    expect(await subscribe(game, '7')).toMatchObject({ evt: null })
    expect(await subscribe(game, '9')).toMatchObject({ evt: null })
    expect(asked()).toHaveLength(1)
    expect(health()).toEqual([{ name: 'guild-status-poll', state: 'failing', reason: 'The platform cannot be reached.' }])
    const gaps = []
    for (let failures = 0; failures < 5; failures++) {
      gaps.push((clock.nextAt ?? 0) - clock.now())
      await pass(gaps.at(-1) ?? 0)
    }
    expect(gaps.map((ms) => ms / PERIOD_MS)).toEqual([2, 4, 8, 15, 15])
    if (works !== undefined) bridge.platform.replies.set('GET_CURRENT_USER_GUILDS', works)
    await pass(BUDGETS.guildStatusPollMaxMs.value)
    expect(receivedBy(game)).toEqual([status('7', 'Harbour')])
    expect((clock.nextAt ?? 0) - clock.now()).toBe(PERIOD_MS)
  })

  test('is not read before its retry_after', async () => {
    fail({ retry_after: 3600 })
    await subscribe(await signedIn(), '7')
    expect((clock.nextAt ?? 0) - clock.now()).toBe(3_600_000)
  })

  test('is read on behalf of another session of the account when the first one ends', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    let isFirst = true
    const works = bridge.platform.replies.get('GET_CURRENT_USER_GUILDS')
    bridge.platform.replies.set('GET_CURRENT_USER_GUILDS', (call, signal) => {
      if (!isFirst) return works?.(call, signal)
      isFirst = false
      return new Promise(() => {})
    })
    one.begin('SUBSCRIBE', { guild_id: '7' }, 'GUILD_STATUS')
    const answered = subscribe(other, '7')
    one.receiver.onEnd()
    expect(await answered).toMatchObject({ evt: null })
    await turns()
    expect(receivedBy(other)).toEqual([status('7', 'Harbour')])
  })
})
