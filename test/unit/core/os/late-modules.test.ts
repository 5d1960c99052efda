import { loadLateModules } from '@sallyport/core/os/late-modules'
import { afterEach, expect, test, vi } from 'vitest'
import { FakeClock } from '#test/support/fake-clock.ts'

const load = vi.spyOn(process, 'getBuiltinModule')
const loaded = () => load.mock.calls.map(([name]) => name)
afterEach(() => void load.mockClear())

test('modules are loaded one after the other, in quiet time', () => {
  const clock = new FakeClock()
  loadLateModules(clock)
  expect(loaded()).toEqual([])
  clock.advance(20)
  expect(loaded()).toEqual(['node:crypto'])
  clock.advance(20)
  expect(loaded()).toEqual(['node:crypto', 'node:http'])
})

test('what only some sign-ins need is not among them', () => {
  const clock = new FakeClock()
  loadLateModules(clock)
  clock.advance(1_000)
  expect(loaded()).toEqual(['node:crypto', 'node:http'])
})

test('the rest is not loaded after a cancellation', () => {
  const clock = new FakeClock()
  const cancel = loadLateModules(clock)
  clock.advance(20)
  cancel()
  clock.advance(1_000)
  expect(loaded()).toEqual(['node:crypto'])
})
