import { beforeEach, describe, expect, test } from 'vitest'
import { PresenceArbiter } from '#daemon/src/presence/arbiter.ts'
import { Signal } from '@sallyport/core/signal'
import type { ChannelChange, PresenceChannel } from '#daemon/src/presence/channel.ts'
import { OutboundPresence } from '#daemon/src/presence/outbound-presence.ts'
import type { PresenceOwner, Presence } from '#daemon/src/presence/sink.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const WINDOW_MS = 20_000

class FakeChannel implements PresenceChannel {
  readonly name
  readonly able = new Set<string>()
  readonly said: string[] = []
  readonly expected: boolean[] = []
  readonly changed = new Signal<ChannelChange>()

  constructor(name: PresenceChannel['name']) {
    this.name = name
  }
  /** By the user, or by the application without a user. */
  canShow({ applicationId, userId = applicationId }: PresenceOwner): boolean {
    return this.able.has(userId)
  }
  show(_player: PresenceOwner, presence: Presence | undefined): void {
    this.said.push(presence?.stored.activity.details ?? 'nothing')
  }
  prepare(_player: PresenceOwner, presence: Presence | undefined): void {
    this.expected.push(presence !== undefined)
  }
  turn(isAble: boolean, whose?: string): void {
    if (isAble) this.able.add(whose ?? 'app')
    else this.able.delete(whose ?? 'app')
    this.changed.emit({ applicationId: 'app', userId: whose })
  }
  take(): string[] {
    return this.said.splice(0)
  }
}

let clock: FakeClock
let arbiter: PresenceArbiter
let client: FakeChannel
let gateway: FakeChannel
let headless: FakeChannel
let users: Map<number, string>

beforeEach(() => {
  clock = new FakeClock()
  client = new FakeChannel('desktop-client')
  gateway = new FakeChannel('gateway')
  headless = new FakeChannel('headless-session')
  users = new Map()
  const outbound = new OutboundPresence([client, gateway, headless])
  arbiter = new PresenceArbiter({ clock, sinks: [outbound], userOf: (sessionId) => users.get(sessionId) })
})

const set = (details: string, sessionId = 1): void =>
  void arbiter.set({
    applicationId: 'app',
    sessionId,
    claimedPid: undefined,
    stored: { activity: { name: '', type: 0, details }, secrets: undefined },
    since: clock.now(),
  })

describe('of the channels that can show an owner', () => {
  test('the first shows it, and the others receive nothing', () => {
    gateway.turn(true)
    headless.turn(true)
    set('a')
    expect([client.take(), gateway.take(), headless.take()]).toEqual([[], ['a'], []])
    arbiter.clear('app', 1)
    expect([client.take(), gateway.take(), headless.take()]).toEqual([[], ['nothing'], []])
  })
  test('a preferred one that becomes able takes over, and the previous one is cleared', () => {
    headless.turn(true)
    set('a')
    gateway.turn(true)
    expect([headless.take(), gateway.take()]).toEqual([['a', 'nothing'], ['a']])
    client.turn(true)
    expect([gateway.take(), client.take()]).toEqual([['nothing'], ['a']])
  })
  test('a less preferred one changes nothing', () => {
    client.turn(true)
    set('a')
    client.take()
    headless.turn(true)
    expect([client.take(), headless.take()]).toEqual([[], []])
  })
  test('the next takes over when it fails, and without one nothing is sent until a channel is able', () => {
    client.turn(true)
    headless.turn(true)
    set('a')
    client.turn(false)
    expect([client.take(), headless.take()]).toEqual([['a', 'nothing'], ['a']])
    headless.turn(false)
    expect(headless.take()).toEqual(['nothing'])
    set('b')
    expect([client.take(), gateway.take(), headless.take()]).toEqual([[], [], []])
    gateway.turn(true)
    expect(gateway.take()).toEqual(['b'])
  })
  test('one that reconnected receives it again', () => {
    gateway.turn(true)
    set('a')
    gateway.turn(true)
    expect(gateway.take()).toEqual(['a', 'a'])
  })
  test('without a presence nothing is sent', () => {
    gateway.turn(true)
    set('a')
    arbiter.clear('app', 1)
    gateway.take()
    client.turn(true)
    gateway.turn(false)
    expect([client.take(), gateway.take()]).toEqual([[], []])
  })
  test('all are prepared when something is shown, and when it is cleared', () => {
    gateway.turn(true)
    set('a')
    for (const channel of [client, gateway, headless]) expect(channel.expected).toEqual([true])
    arbiter.clear('app', 1)
    for (const channel of [client, gateway, headless]) expect(channel.expected).toEqual([true, false])
  })
})

describe('of several users of one application', () => {
  beforeEach(() => {
    users = new Map([
      [1, 'ada'],
      [2, 'grace'],
    ])
  })
  test('each uses the first channel that can show them', () => {
    client.able.add('ada')
    for (const one of ['ada', 'grace']) headless.able.add(one)
    set('of ada', 1)
    set('of grace', 2)
    expect([client.take(), headless.take()]).toEqual([['of ada'], ['of grace']])
    arbiter.clear('app', 1)
    expect([client.take(), headless.take()]).toEqual([['nothing'], []])
  })
  test('a change of one user, or of a channel for all, sends no update of the others', () => {
    for (const one of ['ada', 'grace']) headless.able.add(one)
    set('of ada', 1)
    set('of grace', 2)
    headless.take()
    headless.turn(true, 'ada')
    expect(headless.take()).toEqual(['of ada'])
    client.able.add('grace')
    client.turn(false)
    expect([client.take(), headless.take()]).toEqual([['of grace'], ['nothing']])
  })
})

test('a channel that flaps stays within the limit of updates, and ends with the current presence', () => {
  headless.turn(true)
  set('a')
  const sends = (): number => [...gateway.said, ...headless.said].filter((said) => said === 'a').length
  for (let flap = 0; flap < 100; flap++) gateway.turn(flap % 2 === 0)
  expect(sends()).toBe(5)
  clock.advance(WINDOW_MS)
  expect(sends()).toBe(6)
  expect(headless.said.at(-1)).toBe('a')
  expect(gateway.said.at(-1)).toBe('nothing')
  expect(clock.pending).toBe(0)
})

test('a resend counts as an update, so that the next may wait, and is not lost', () => {
  gateway.turn(true)
  for (const details of ['1', '2', '3', '4']) set(details)
  gateway.turn(true)
  set('5')
  expect(gateway.take()).toEqual(['1', '2', '3', '4', '4'])
  clock.advance(WINDOW_MS)
  expect(gateway.take()).toEqual(['5'])
})
