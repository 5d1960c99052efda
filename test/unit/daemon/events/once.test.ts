/** News that several sources bring reaches each connection once. */
import { beforeEach, expect, test } from 'vitest'
import type { Session } from '../../../../daemon/src/sessions/session.ts'
import { tellOnce } from '../../../../daemon/src/events/once.ts'
import type { Tell, Telling } from '../../../../daemon/src/events/telling.ts'
import { SubscriptionHub } from '../../../../daemon/src/events/hub.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const EVENT = { name: 'LOBBY_MESSAGE_CREATE', args: { lobby_id: '30' } } as const

const CHANGED = { name: 'LOBBY_MESSAGE_UPDATE', args: { lobby_id: '30' } } as const

let clock: FakeClock
let hub: SubscriptionHub<Session>
let tell: Tell
let heard: string[]

const session = (who: string, userId = '1'): Session => {
  const caller = {
    applicationId: '10',
    signedIn: { userId },
    scopes: new Set(['lobbies.write']),
    channel: {
      encoding: { name: 'json' },
      encodeEvent: (_: string, data: unknown) => Buffer.from(String(data)),
      deliver: (frame: Buffer) => heard.push(`${who} ${frame.toString()}`),
    },
  } as unknown as Session
  hub.subscribe(caller, EVENT)
  return caller
}
const news = (data: string, key: string | undefined, isFor: Telling['isFor'] = () => true, by = data): number =>
  tell({ ...EVENT, data, isFor, key, by })
const change = (data: string, by: string): number => tell({ ...CHANGED, data, isFor: () => true, key: 'a', by })

beforeEach(() => {
  clock = new FakeClock()
  hub = new SubscriptionHub()
  tell = tellOnce({ hub, clock })
  heard = []
})

test('by two sources is told by the first', () => {
  session('ann')
  session('bob')
  expect([news('webhook', 'a'), news('gateway', 'a'), news('other', 'b')]).toEqual([2, 0, 2])
  expect(heard).toEqual(['ann webhook', 'bob webhook', 'ann other', 'bob other'])
})

test('that begins something is told once, though one source tells it twice', () => {
  session('ann')
  expect([news('one', 'a', undefined, 'gateway'), news('two', 'a', undefined, 'gateway'), news('three', 'a')]).toEqual([1, 0, 0])
})

test('of a change is told as often as the source that told it most often', () => {
  hub.subscribe(session('ann'), CHANGED)
  expect([change('pinned', 'gateway'), change('pinned', 'client')]).toEqual([1, 0])
  expect([change('pinned again', 'client'), change('pinned again', 'gateway')]).toEqual([1, 0])
  // One that missed what the other told does not make up for it.
  expect([change('and again', 'gateway'), change('and again', 'webhooks')]).toEqual([1, 0])
  expect(heard).toEqual(['ann pinned', 'ann pinned again', 'ann and again'])
})

test('without a key is told each time', () => {
  session('ann')
  expect([news('one', undefined), news('two', undefined)]).toEqual([1, 1])
})

test('reaches by the second source whom the first could not tell', () => {
  expect(news('early', 'a')).toBe(0)
  const ann = session('ann')
  expect(news('first', 'a', (caller) => caller === ann)).toBe(1)
  session('bob')
  expect(news('second', 'a')).toBe(1)
  expect(heard).toEqual(['ann first', 'bob second'])
})

test('reaches a new connection of the same game again', () => {
  hub.drop(session('before'))
  session('ann')
  news('one', 'a')
  hub.drop(hub.subscribersOf(EVENT)[0]!)
  session('ann again')
  expect(news('two', 'a')).toBe(1)
  expect(heard).toEqual(['ann one', 'ann again two'])
})

test('counts as new when it comes again much later', () => {
  session('ann')
  news('one', 'a')
  clock.advance(20 * 60_000)
  expect(news('two', 'a')).toBe(1)
})
