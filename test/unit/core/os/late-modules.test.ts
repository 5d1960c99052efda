import { loadLateModules } from '@sallyport/core/os/late-modules'
import { expect, test, vi } from 'vitest'
import { FakeClock } from '#test/support/fake-clock.ts'

test('modules are loaded one after the other, in quiet time, until they are cancelled', () => {
  const clock = new FakeClock()
  const load = vi.spyOn(process, 'getBuiltinModule')
  const loaded = () => load.mock.calls.map(([name]) => name)
  const cancel = loadLateModules(clock)
  expect(loaded()).toEqual([])
  clock.advance(20)
  expect(loaded()).toEqual(['node:crypto'])
  clock.advance(20)
  expect(loaded()).toEqual(['node:crypto', 'node:http'])
  cancel()
  clock.advance(500)
  expect(loaded()).toHaveLength(2)
  load.mockRestore()
})
