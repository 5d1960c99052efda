import { BoundedMap } from '@sallyport/core/bounded-map'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { runs } from '#test/fuzz/runs.ts'

test('the entry that was set first is evicted beyond the limit', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ])
})

test('an entry that is set again counts as the newest, and evicts nothing', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ])
  map.set('c', 4)
  expect([...map.keys()]).toEqual(['a', 'c'])
})

test('an undefined key is a key', () => {
  const map = new BoundedMap<string | undefined, number>(1)
  map.set(undefined, 1).set('a', 2)
  expect([...map.keys()]).toEqual(['a'])
})

describe('the oldest entries', () => {
  const numbers = (...given: readonly number[]) => {
    const map = new BoundedMap<string, number>(given.length + 2)
    for (const one of given) map.set(String(one), one)
    return map
  }

  test('are deleted until one is not past', () => {
    const map = numbers(1, 2, 3, 1.5)
    map.deleteOldest((value) => value < 3)
    expect([...map.values()]).toEqual([3, 1.5])
    map.deleteOldest(() => true)
    expect(map.size).toBe(0)
    map.set('again', 7).deleteOldest(() => false)
    expect([...map.keys()]).toEqual(['again'])
  })

  test('are found after the known one was set again, deleted or cleared', () => {
    const map = numbers(1, 2, 3)
    map.deleteOldest(() => false)
    map.set('1', 1).deleteOldest((value) => value === 2)
    expect([...map.values()]).toEqual([3, 1])
    map.deleteOldest(() => false)
    map.delete('3')
    map.deleteOldest((value) => value === 1)
    expect(map.size).toBe(0)
    map.set('a', 1).clear()
    map.set('b', 2).deleteOldest((value) => value === 2)
    expect(map.size).toBe(0)
  })

  test('are those of a plain list, in any order of sets and deletions', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('set', 'delete', 'oldest', 'clear'), fc.nat(12)), { maxLength: 200 }), (steps) => {
        const map = new BoundedMap<number, number>(5)
        let list: number[] = []
        for (const [step, key] of steps) {
          if (step === 'clear' && key > 2) continue
          if (step === 'set') list = [...list.filter((one) => one !== key), key].slice(-5)
          if (step === 'delete') list = list.filter((one) => one !== key)
          if (step === 'clear') list = []
          if (step === 'oldest') while ((list[0] ?? Infinity) < key) list.shift()
          if (step === 'set') map.set(key, key)
          if (step === 'delete') map.delete(key)
          if (step === 'clear') map.clear()
          if (step === 'oldest') map.deleteOldest((value) => value < key)
          expect([...map.keys()]).toEqual(list)
        }
      }),
      runs(100),
    )
  })
})

test('few iterators are made, because each new one visits the places of all evicted entries', () => {
  const starts = [
    vi.spyOn(Map.prototype, 'keys'),
    vi.spyOn(Map.prototype, 'values'),
    vi.spyOn(Map.prototype, 'entries'),
    vi.spyOn(Map.prototype, Symbol.iterator),
    vi.spyOn(Map.prototype, 'forEach'),
  ]
  const made = (): number => starts.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  const SETS = 20_000
  const MAX = 1_000
  const evicting = new BoundedMap<number, number>(MAX)
  for (let at = 0; at < SETS; at++) evicting.set(at, at)
  expect(evicting.size).toBe(MAX)
  // One for each time that the places of a full map are evicted, and one before.
  expect(made()).toBeLessThanOrEqual(SETS / MAX + 1)

  const expiring = new BoundedMap<number, number>(MAX)
  const before = made()
  for (let at = 0; at < SETS; at++) {
    expiring.set(at, at)
    expiring.deleteOldest((value) => value < at - 900)
  }
  expect(expiring.size).toBe(901)
  expect(made() - before).toBeLessThanOrEqual(SETS / MAX + 1)
  for (const one of starts) one.mockRestore()
})
