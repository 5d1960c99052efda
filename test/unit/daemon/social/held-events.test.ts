/** What waits for a game: handed over once, in order, for so long, and not more of it than can be kept. */
import { beforeEach, expect, it } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { type HeldEvent, HeldEvents, MOST_HELD, MOST_OF_ACCOUNT } from '../../../../daemon/src/social/held-events.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

let clock: FakeClock
let held: HeldEvents
beforeEach(() => {
  clock = new FakeClock()
  held = new HeldEvents(clock)
})

const event = (number: number, { userId = '1', keepMs = 1000, about = String(number), isOver = (): boolean => false } = {}): HeldEvent => ({
  name: 'ACTIVITY_JOIN',
  applicationId: '1234567890',
  userId,
  about,
  isOver,
  data: new Secret({ number }),
  until: clock.now() + keepMs,
})
function handedOver(isTaken: (event: HeldEvent) => boolean = () => true): unknown[] {
  const taken: unknown[] = []
  held.handOver((one) => {
    if (!isTaken(one)) return false
    taken.push(one.data.reveal())
    return true
  })
  return taken
}

it('is handed over once, the oldest first; what nobody takes stays', () => {
  for (const number of [1, 2, 3]) held.hold(event(number))
  expect(handedOver(({ data }) => JSON.stringify(data.reveal()) !== '{"number":2}')).toEqual([{ number: 1 }, { number: 3 }])
  expect(held.isEmpty).toBe(false)
  expect(handedOver()).toEqual([{ number: 2 }])
  expect(handedOver()).toEqual([])
  expect(held.isEmpty).toBe(true)
})

it('is not handed over when it is too late', () => {
  held.hold(event(1, { keepMs: 10 }))
  held.hold(event(2, { keepMs: 11 }))
  clock.advance(10)
  expect(handedOver()).toEqual([{ number: 2 }])
  expect(clock.pending).toBe(0)
})

it('of which nothing is left in time is empty, without anybody looking', () => {
  held.hold(event(1, { keepMs: 10 }))
  clock.advance(10)
  expect(held.isEmpty).toBe(true)
})

it('gives way to a later one about the same, of the same account', () => {
  for (const [number, userId] of [
    [1, '1'],
    [2, '2'],
    [3, '1'],
  ] as const)
    held.hold(event(number, { userId, about: 'the same' }))
  expect(handedOver()).toEqual([{ number: 2 }, { number: 3 }])
})

it('is not handed over when it is no news any more', () => {
  let isOver = false
  held.hold(event(1, { isOver: () => isOver }))
  isOver = true
  expect(handedOver()).toEqual([])
})

it('is forgotten with its account, and no other', () => {
  held.hold(event(1))
  held.hold(event(2, { userId: '2' }))
  held.forget({ applicationId: '1234567890', userId: '1' })
  held.forget({ applicationId: '9', userId: '2' })
  expect(handedOver()).toEqual([{ number: 2 }])
})

it('is bounded for each account, and for all together', () => {
  for (let number = 0; number <= MOST_OF_ACCOUNT; number++) held.hold(event(number))
  const ofOne = handedOver()
  expect(ofOne).toHaveLength(MOST_OF_ACCOUNT)
  expect(ofOne[0]).toEqual({ number: 1 })
  for (let number = 0; number <= MOST_HELD; number++) held.hold(event(number, { userId: String(number) }))
  expect(handedOver()).toHaveLength(MOST_HELD)
})

it('does not print what it keeps', () => {
  expect(JSON.stringify(event(7))).not.toContain('7}')
})
