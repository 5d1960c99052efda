/** Deferred events are delivered once, in order, before they expire, and limited in number. */
import { beforeEach, expect, it } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { type DeferredEvent, DeferredEvents } from '#daemon/src/social/deferred-events.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

let clock: FakeClock
let held: DeferredEvents
beforeEach(() => {
  clock = new FakeClock()
  held = new DeferredEvents(clock)
})

const event = (
  number: number,
  { userId = '1', keepMs = 1000, about = String(number), isOver = (): boolean => false } = {},
): DeferredEvent => ({
  name: 'ACTIVITY_JOIN',
  applicationId: '1234567890',
  userId,
  subject: about,
  isObsolete: isOver,
  data: new Secret({ number }),
  expiresAt: clock.now() + keepMs,
})
function handedOver(isTaken: (event: DeferredEvent) => boolean = () => true): unknown[] {
  const taken: unknown[] = []
  held.deliverTo((one) => {
    if (!isTaken(one)) return false
    taken.push(one.data.reveal())
    return true
  })
  return taken
}

it('is delivered once, the oldest first; an undelivered event stays', () => {
  for (const number of [1, 2, 3]) held.defer(event(number))
  expect(handedOver(({ data }) => JSON.stringify(data.reveal()) !== '{"number":2}')).toEqual([{ number: 1 }, { number: 3 }])
  expect(held.isEmpty).toBe(false)
  expect(handedOver()).toEqual([{ number: 2 }])
  expect(handedOver()).toEqual([])
  expect(held.isEmpty).toBe(true)
})

it('is not delivered after it expired', () => {
  held.defer(event(1, { keepMs: 10 }))
  held.defer(event(2, { keepMs: 11 }))
  clock.advance(10)
  expect(handedOver()).toEqual([{ number: 2 }])
  expect(clock.pending).toBe(0)
})

it('is empty after all events expired', () => {
  held.defer(event(1, { keepMs: 10 }))
  clock.advance(10)
  expect(held.isEmpty).toBe(true)
})

it('is replaced by a later one of the same account and subject', () => {
  for (const [number, userId] of [
    [1, '1'],
    [2, '2'],
    [3, '1'],
  ] as const)
    held.defer(event(number, { userId, about: 'the same' }))
  expect(handedOver()).toEqual([{ number: 2 }, { number: 3 }])
})

it('is not delivered when it is obsolete', () => {
  let isOver = false
  held.defer(event(1, { isOver: () => isOver }))
  isOver = true
  expect(handedOver()).toEqual([])
})

it('is deleted with its account, and no other', () => {
  held.defer(event(1))
  held.defer(event(2, { userId: '2' }))
  held.deleteAccount({ applicationId: '1234567890', userId: '1' })
  held.deleteAccount({ applicationId: '9', userId: '2' })
  expect(handedOver()).toEqual([{ number: 2 }])
})

it('is limited for each account, and for all accounts', () => {
  for (let number = 0; number <= 32; number++) held.defer(event(number))
  const ofOne = handedOver()
  expect(ofOne).toHaveLength(32)
  expect(ofOne[0]).toEqual({ number: 1 })
  for (let number = 0; number <= 512; number++) held.defer(event(number, { userId: String(number) }))
  expect(handedOver()).toHaveLength(512)
})

it('does not print its events', () => {
  expect(JSON.stringify(event(7))).not.toContain('7}')
})
