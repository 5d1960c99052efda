import type { BridgeState } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { StatePublisher } from '#daemon/src/operator/state-publisher.ts'
import { EMPTY_STATE, GAME } from '#test/support/bridge-state.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const PACE_MS = 100
const REVIEW_MS = 10_000

function start() {
  const clock = new FakeClock()
  let state: BridgeState = EMPTY_STATE
  let built = 0
  const publisher = new StatePublisher(clock, () => {
    built++
    return state
  })
  const received: BridgeState[] = []
  return {
    clock,
    publisher,
    received,
    built: () => built,
    set: (more: Partial<BridgeState>) => {
      state = { ...state, ...more }
    },
    watch: (reviewMs = REVIEW_MS) => publisher.watch((one) => void received.push(one), reviewMs),
  }
}

test('nothing is built and no timer runs while no operator watches', () => {
  const { clock, publisher, built, watch } = start()
  publisher.changed()
  expect([built(), clock.pending]).toEqual([0, 0])
  const end = watch()
  publisher.changed()
  end()
  const before = built()
  publisher.changed()
  clock.advance(2 * REVIEW_MS)
  expect([built(), clock.pending]).toEqual([before, 0])
})

test('changes of one turn are one state, published at its end', () => {
  const { clock, publisher, received, built, set, watch } = start()
  watch()
  const before = built()
  set({ games: [GAME] })
  for (let n = 0; n < 5; n++) publisher.changed()
  expect(received).toEqual([])
  clock.advance(0)
  expect(received).toMatchObject([{ games: [GAME] }])
  expect(built() - before).toBe(1)
})

test('a state follows another after a pause only', () => {
  const { clock, publisher, received, set, watch } = start()
  watch()
  for (let calls = 1; calls <= 10; calls++) {
    set({ counters: { connections: 1, calls } })
    publisher.changed()
    clock.advance(PACE_MS / 10)
  }
  expect(received.length).toBeLessThanOrEqual(2)
  clock.advance(PACE_MS)
  expect(received.at(-1)?.counters.calls).toBe(10)
})

test('what did not change is not published, and time is no change', () => {
  const { clock, publisher, received, set, watch } = start()
  watch()
  set({ uptime_s: 999 })
  publisher.changed()
  clock.advance(PACE_MS)
  expect(received).toEqual([])
})

test('what announces no change is found after the shortest time that a watcher wants', () => {
  const { clock, received, set, watch } = start()
  watch(4 * REVIEW_MS)
  const end = watch(REVIEW_MS)
  set({ providers: [{ name: 'gateway', state: 'failing' }] })
  clock.advance(REVIEW_MS)
  expect(received).toMatchObject([{ providers: [{ state: 'failing' }] }, { providers: [{ state: 'failing' }] }])
  end()
  set({ providers: [] })
  clock.advance(REVIEW_MS)
  expect(received).toHaveLength(2)
  clock.advance(3 * REVIEW_MS)
  expect(received).toHaveLength(3)
})

test('who reads the state brings it to all who watch', () => {
  const { publisher, received, set, watch } = start()
  watch()
  set({ games: [GAME] })
  expect(publisher.current()).toMatchObject({ games: [GAME] })
  expect(received).toHaveLength(1)
})
