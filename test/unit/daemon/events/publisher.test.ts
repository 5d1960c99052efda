/** The same event from several providers reaches each session once. */
import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#daemon/src/sessions/session.ts'
import { createPublisher } from '#daemon/src/events/publisher.ts'
import type { Publish, OutgoingEvent } from '#daemon/src/events/outgoing-event.ts'
import { SubscriptionRegistry } from '#daemon/src/events/subscription-registry.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { heldBytes } from '#test/support/memory.ts'

const EVENT = { name: 'LOBBY_MESSAGE_CREATE', args: { lobby_id: '30' } } as const

const CHANGED = { name: 'LOBBY_MESSAGE_UPDATE', args: { lobby_id: '30' } } as const

let clock: FakeClock
let hub: SubscriptionRegistry<Session>
let publish: Publish
let received: string[]

const session = (who: string, userId = '1'): Session => {
  const caller = {
    applicationId: '10',
    signedIn: { userId },
    scopes: new Set(['lobbies.write']),
    connection: {
      encoding: { name: 'json' },
      encodeEvent: (_: string, data: unknown) => Buffer.from(String(data)),
      deliver: (frame: Buffer) => received.push(`${who} ${frame.toString()}`),
    },
  } as unknown as Session
  hub.subscribe(caller, EVENT)
  return caller
}
const create = (data: string, key: string | undefined, isFor: OutgoingEvent['isRecipient'] = () => true, by = data): number =>
  publish({ ...EVENT, data, isRecipient: isFor, dedupeKey: key, origin: by })
const change = (data: string, by: string): number => publish({ ...CHANGED, data, isRecipient: () => true, dedupeKey: 'a', origin: by })

beforeEach(() => {
  clock = new FakeClock()
  hub = new SubscriptionRegistry()
  publish = createPublisher({ hub, clock })
  received = []
})

test('from two providers is published by the first', () => {
  session('ann')
  session('bob')
  expect([create('webhook', 'a'), create('gateway', 'a'), create('other', 'b')]).toEqual([2, 0, 2])
  expect(received).toEqual(['ann webhook', 'bob webhook', 'ann other', 'bob other'])
})

test('that is no update is published once, even if one provider publishes it twice', () => {
  session('ann')
  expect([create('one', 'a', undefined, 'gateway'), create('two', 'a', undefined, 'gateway'), create('three', 'a')]).toEqual([1, 0, 0])
})

test('that is an update is published as often as the most frequent provider publishes it', () => {
  hub.subscribe(session('ann'), CHANGED)
  expect([change('pinned', 'gateway'), change('pinned', 'client')]).toEqual([1, 0])
  expect([change('pinned again', 'client'), change('pinned again', 'gateway')]).toEqual([1, 0])
  // A provider that missed an update does not compensate for it.
  expect([change('and again', 'gateway'), change('and again', 'webhooks')]).toEqual([1, 0])
  expect(received).toEqual(['ann pinned', 'ann pinned again', 'ann and again'])
})

test('without a dedupe key is published each time', () => {
  session('ann')
  expect([create('one', undefined), create('two', undefined)]).toEqual([1, 1])
})

test('reaches via the second provider a session that the first could not reach', () => {
  expect(create('early', 'a')).toBe(0)
  const ann = session('ann')
  expect(create('first', 'a', (caller) => caller === ann)).toBe(1)
  session('bob')
  expect(create('second', 'a')).toBe(1)
  expect(received).toEqual(['ann first', 'bob second'])
})

test('reaches a new session of the same game again', () => {
  hub.removeSubscriber(session('before'))
  session('ann')
  create('one', 'a')
  hub.removeSubscriber(hub.subscribersOf(EVENT)[0]!)
  session('ann again')
  expect(create('two', 'a')).toBe(1)
  expect(received).toEqual(['ann one', 'ann again two'])
})

test('is published again when it is repeated much later', () => {
  session('ann')
  create('one', 'a')
  clock.advance(20 * 60_000)
  expect(create('two', 'a')).toBe(1)
})

test('costs some tens of bytes for each session that it reached, as long as it is remembered', () => {
  const crowd = 100
  const events = 500
  for (let one = 0; one < crowd; one++) session(`player ${one}`)
  const publishAll = (from: number) => {
    for (let one = from; one < from + events; one++) create('', String(one), undefined, 'user')
    received.splice(0)
  }
  publishAll(0)
  const before = heldBytes()
  publishAll(events)
  expect((heldBytes() - before) / events / crowd).toBeLessThan(100)
})
