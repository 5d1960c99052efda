import { expect, test } from 'vitest'
import { type Slice, TurnQueue } from '@sallyport/core/turn-queue'

/** A queue whose turns the test begins, and whose clock passes a ms at each reading, so that work asks once or twice in a turn. */
function startQueue() {
  const turns: (() => void)[] = []
  let now = 0
  const queue = new TurnQueue({ elapsed: () => now++ }, (work) => turns.push(work))
  return { queue, turns, nextTurn: () => turns.shift()?.() }
}

/** Work of so many slices, with its name in `log` for each. */
const work = (name: string, slices: number, log: string[]): Slice => {
  let left = slices
  return () => {
    log.push(name)
    return --left === 0
  }
}

test('work of one slice is over at once', () => {
  const { queue } = startQueue()
  expect(queue.run(() => true)).toBeUndefined()
})

test('work that is over a turn has the rest of the turn; later work waits for its own turn', async () => {
  const { queue, turns, nextTurn } = startQueue()
  const log: string[] = []
  const done = [queue.run(work('a', 3, log)), queue.run(work('b', 1, log)), queue.run(work('c', 2, log))]
  expect(log).toEqual(['a'])
  const perTurn: number[] = []
  while (turns.length > 0) {
    const before = log.length
    nextTurn()
    perTurn.push(log.length - before)
  }
  expect(log).toEqual(['a', 'a', 'b', 'c', 'a', 'c'])
  expect(Math.max(...perTurn)).toBe(1)
  for (const one of done) await one
})

test('a turn has two ms for all its slices', () => {
  const { queue } = startQueue()
  let steps = 0
  const count: Slice = (mayGoOn) => {
    while (mayGoOn()) steps++
    return true
  }
  expect(queue.run(count)).toBeUndefined()
  expect(queue.run(count)).toBeInstanceOf(Promise)
  expect(steps).toBe(1)
})

test('a failure ends its work only', async () => {
  const { queue, turns, nextTurn } = startQueue()
  const log: string[] = []
  expect(() =>
    queue.run((mayGoOn) => {
      while (mayGoOn());
      throw new Error('first')
    }),
  ).toThrow('first')
  const failing = queue.run(() => {
    throw new Error('later')
  })
  const other = queue.run(work('a', 2, log))
  const failed = expect(failing).rejects.toThrow('later')
  while (turns.length > 0) nextTurn()
  await failed
  await other
  expect(log).toEqual(['a', 'a'])
})

test('nothing is scheduled when there is no work', () => {
  const { queue, turns, nextTurn } = startQueue()
  expect(queue.run(() => true)).toBeUndefined()
  nextTurn()
  expect(turns).toEqual([])
})
