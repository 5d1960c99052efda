import { expect, test } from 'vitest'
import { npmAbove, watchNpm } from '#daemon/src/cli/npm-parent.ts'
import type { ProcessStat } from '#daemon/src/identity/process-stat.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

type Processes = Record<number, Pick<ProcessStat, 'name' | 'parent'> | undefined>

const START: Processes = {
  5: { name: 'MainThread', parent: 4 },
  4: { name: 'node', parent: 3 },
  3: { name: 'sh', parent: 2 },
  2: { name: 'npm start', parent: 1 },
  1: { name: 'init', parent: 0 },
}

function world(processes: Processes = START, pid = 5) {
  const state = { ...processes }
  const read = (of: number): ProcessStat | undefined => {
    const found = state[of]
    return found === undefined ? undefined : { ...found, group: 0, session: 0, terminal: 0, foreground: -1, startedAt: `${of}` }
  }
  const clock = new FakeClock()
  const ends: number[] = []
  const chain = npmAbove(pid, read)
  if (chain !== undefined) watchNpm(chain, clock, () => ends.push(pid), read)
  return { state, clock, ends, chain }
}

test('the end of npm alone stops the program, once', () => {
  const { state, clock, ends } = world()
  clock.advance(10_000)
  expect(ends).toEqual([])
  state[2] = undefined
  state[3] = { name: 'sh', parent: 1 }
  clock.advance(1000)
  clock.advance(1000)
  expect(ends).toEqual([5])
})
test('so it does where npm has no shell', () => {
  const { state, clock, ends } = world({ 5: { name: 'MainThread', parent: 2 }, 2: { name: 'npm exec sallyp', parent: 1 } })
  state[2] = undefined
  state[5] = { name: 'MainThread', parent: 1 }
  clock.advance(1000)
  expect(ends).toEqual([5])
})
test.each([
  ['a script left it in the background', { 2: undefined, 3: undefined, 4: { name: 'node', parent: 1 } }],
  ['its launcher left it', { 2: undefined, 3: undefined, 4: undefined, 5: { name: 'MainThread', parent: 1 } }],
])('a program goes on if %s', (_, change) => {
  const { state, clock, ends } = world()
  Object.assign(state, change)
  clock.advance(1000)
  expect(ends).toEqual([])
})
test.each<[string, Processes]>([
  ['no npm is above', { 5: { name: 'MainThread', parent: 4 }, 4: { name: 'npmx', parent: 1 }, 1: { name: 'init', parent: 0 } }],
  ['the system says nothing', {}],
  ['npm is far above', { ...START, 6: { name: 'MainThread', parent: 5 } }],
])('nothing is watched if %s', (_, processes) => {
  expect(world(processes, 6 in processes ? 6 : 5).chain).toBeUndefined()
})
