import { expect, test } from 'vitest'
import { BUDGETS } from '@sallyport/core/budgets'
import { MemoryGrowth } from '@sallyport/core/memory-growth'
import { FakeClock } from '#test/support/fake-clock.ts'

const GROWTH = BUDGETS.memoryGrowthBytes.value
const MIB = 1_048_576

/** A process of this size, which becomes `relieved` when it is relieved. */
function watched(size: number, relieved = size) {
  const clock = new FakeClock()
  const state = { size, relieved, looks: 0, reliefs: 0, isGranted: false, reliefMs: 0 }
  const growth = new MemoryGrowth({
    clock,
    sizeOf() {
      state.looks += 1
      return state.size
    },
    relieve() {
      state.reliefs += 1
      state.size = state.relieved
      clock.advance(state.reliefMs)
    },
  })
  const held = (bytes: number) => growth.held(bytes, () => state.isGranted)
  return { clock, state, held }
}

test('a process that has grown by the budget is relieved, and again after the next growth', () => {
  const { state, held } = watched(60 * MIB)
  held(4 * MIB)
  state.size += GROWTH - 1
  held(4 * MIB)
  expect(state.reliefs).toBe(0)
  state.size += 1
  held(4 * MIB)
  expect(state).toMatchObject({ reliefs: 1, size: 60 * MIB })
  held(4 * MIB)
  expect(state.reliefs).toBe(1)
  state.size += GROWTH
  held(4 * MIB)
  expect(state.reliefs).toBe(2)
})

test('growth counts from the smallest size, and from what a relief left', () => {
  const { state, held } = watched(100 * MIB, 90 * MIB)
  held(4 * MIB)
  state.size = 70 * MIB
  held(4 * MIB)
  state.size = 70 * MIB + GROWTH
  held(4 * MIB)
  expect(state.reliefs).toBe(1)
  state.size = 90 * MIB + GROWTH - 1
  held(4 * MIB)
  expect(state.reliefs).toBe(1)
})

test('a large process is relieved after an eighth of its size', () => {
  const { state, held } = watched(400 * MIB)
  held(4 * MIB)
  state.size = 449 * MIB
  held(4 * MIB)
  expect(state.reliefs).toBe(0)
  state.size = 450 * MIB
  held(4 * MIB)
  expect(state.reliefs).toBe(1)
})

test('small chunks cause one look at the size for some megabytes', () => {
  const { state, held } = watched(60 * MIB)
  for (let chunk = 0; chunk < 10_000; chunk += 1) held(1024)
  expect(state.looks).toBeGreaterThan(0)
  expect(state.looks).toBeLessThan(25)
})

test('a program that the user allowed causes no relief', () => {
  const { state, held } = watched(60 * MIB)
  held(4 * MIB)
  state.size += 2 * GROWTH
  state.isGranted = true
  held(4 * MIB)
  expect(state.reliefs).toBe(0)
  state.isGranted = false
  held(4 * MIB)
  expect(state.reliefs).toBe(1)
})

test('after a relief, as much time as it took is left for games', () => {
  const { clock, state, held } = watched(60 * MIB)
  state.reliefMs = 80
  held(4 * MIB)
  const grow = () => {
    state.size += GROWTH
    held(4 * MIB)
  }
  grow()
  clock.advance(79)
  grow()
  expect(state.reliefs).toBe(1)
  clock.advance(1)
  held(4 * MIB)
  expect(state.reliefs).toBe(2)
})
