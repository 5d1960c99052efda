/** Work at the end of a turn runs once per item. */
import { expect, test } from 'vitest'
import { EndOfTurnQueue } from '@sallyport/core/end-of-turn-queue'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('runs once per item, in order, after the turn', async () => {
  const done: string[] = []
  const end = new EndOfTurnQueue<string>(setImmediate, (item) => done.push(item))
  for (const item of ['b', 'a', 'b']) end.add(item)
  await Promise.resolve()
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['b', 'a'])
})

test('items added while it runs are processed in a later turn', async () => {
  const done: string[] = []
  const end: EndOfTurnQueue<string> = new EndOfTurnQueue(setImmediate, (item) => {
    done.push(item)
    if (item === 'a') end.add('c')
  })
  end.add('a')
  end.add('b')
  await turn()
  expect(done).toEqual(['a', 'b'])
  await turn()
  expect(done).toEqual(['a', 'b', 'c'])
})
