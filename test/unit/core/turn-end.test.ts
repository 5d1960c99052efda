/** Work that is put off to the end of a turn is done once, for each thing that asked. */
import { expect, test } from 'vitest'
import { TurnEnd } from '@sallyport/core/turn-end'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('is done once for each, in the order of asking, and not before the turn is over', async () => {
  const done: string[] = []
  const end = new TurnEnd<string>(setImmediate, (item) => done.push(item))
  for (const item of ['b', 'a', 'b']) end.add(item)
  await Promise.resolve()
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['b', 'a'])
})

test('that is asked for while it is done is done in a later turn', async () => {
  const done: string[] = []
  const end: TurnEnd<string> = new TurnEnd(setImmediate, (item) => {
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
