import { expect, test } from 'vitest'
import { BUDGETS } from '@sallyport/core/budgets'
import { MemoryGrowth } from '@sallyport/core/memory-growth'

const GROWTH = BUDGETS.memoryGrowthBytes.value
const MIB = 1_048_576

/** A process of this size, which becomes `relieved` when it is relieved. */
function watched(size: number, relieved = size) {
  const state = { size, relieved, looks: 0, reliefs: 0 }
  const growth = new MemoryGrowth({
    sizeOf() {
      state.looks += 1
      return state.size
    },
    relieve() {
      state.reliefs += 1
      state.size = state.relieved
    },
  })
  return { state, growth }
}

test('a process that has grown by the budget is relieved, and again after the next growth', () => {
  const { state, growth } = watched(60 * MIB)
  growth.held(4 * MIB)
  state.size += GROWTH - 1
  growth.held(4 * MIB)
  expect(state.reliefs).toBe(0)
  state.size += 1
  growth.held(4 * MIB)
  expect(state).toMatchObject({ reliefs: 1, size: 60 * MIB })
  growth.held(4 * MIB)
  expect(state.reliefs).toBe(1)
  state.size += GROWTH
  growth.held(4 * MIB)
  expect(state.reliefs).toBe(2)
})

test('growth counts from the smallest size, and from what a relief left', () => {
  const { state, growth } = watched(100 * MIB, 90 * MIB)
  growth.held(4 * MIB)
  state.size = 70 * MIB
  growth.held(4 * MIB)
  state.size = 70 * MIB + GROWTH
  growth.held(4 * MIB)
  expect(state.reliefs).toBe(1)
  state.size = 90 * MIB + GROWTH - 1
  growth.held(4 * MIB)
  expect(state.reliefs).toBe(1)
})

test('a large process is relieved after an eighth of its size', () => {
  const { state, growth } = watched(400 * MIB)
  growth.held(4 * MIB)
  state.size = 449 * MIB
  growth.held(4 * MIB)
  expect(state.reliefs).toBe(0)
  state.size = 450 * MIB
  growth.held(4 * MIB)
  expect(state.reliefs).toBe(1)
})

test('small chunks cause one look at the size for some megabytes', () => {
  const { state, growth } = watched(60 * MIB)
  for (let chunk = 0; chunk < 10_000; chunk += 1) growth.held(1024)
  expect(state.looks).toBeGreaterThan(0)
  expect(state.looks).toBeLessThan(10)
})
