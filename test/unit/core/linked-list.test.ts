import { type Linked, LinkedList } from '@sallyport/core/linked-list'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#test/fuzz/runs.ts'

class Item implements Linked<Item> {
  before: Item | undefined
  after: Item | undefined
}

const listed = (list: LinkedList<Item>): readonly Item[] => {
  const found: Item[] = []
  for (let item = list.first; item !== undefined; item = item.after) found.push(item)
  return found
}

test('it is a plain list without duplicates, in any order of additions and deletions', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(6)), { maxLength: 100 }), (steps) => {
      const items = Array.from({ length: 7 }, () => new Item())
      const list = new LinkedList<Item>()
      const expected: Item[] = []
      for (const [isAdded, at] of steps) {
        const item = items[at] as Item
        const place = expected.indexOf(item)
        if (isAdded && place < 0) expected.push(item)
        if (!isAdded && place >= 0) expected.splice(place, 1)
        if (isAdded) list.add(item)
        else list.delete(item)
        expect(listed(list)).toEqual(expected)
        expect(items.filter((one) => list.has(one)).length).toBe(expected.length)
      }
    }),
    runs(100),
  )
})
