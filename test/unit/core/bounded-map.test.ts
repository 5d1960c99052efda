import { BoundedMap } from '@sallyport/core/bounded-map'
import { expect, test } from 'vitest'

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
