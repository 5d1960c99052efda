import { expect, test } from 'vitest'
import { atTerminal } from '#daemon/src/cli/at-terminal.ts'

const stat = (group: number, terminal: number, foreground: number): string =>
  `42 (sallyport) R 40 ${group} 40 ${terminal} ${foreground} 4194304 108 0 0 0 0 0 0 0 20 0 11 0 912345 3420160 416`
const PIPE = {}
const TERMINAL = { isTTY: true }

test.each([
  ['in the foreground of a terminal, its streams piped', stat(40, 34_817, 40), [PIPE, PIPE, PIPE], true],
  ['in the background of a terminal', stat(41, 34_817, 40), [TERMINAL, TERMINAL, TERMINAL], false],
  ['without a terminal of its own, though a stream is one', stat(40, 0, -1), [TERMINAL], false],
  ['of which the system says something else', 'nothing', [TERMINAL], false],
])('a process %s', (_, text, streams, isThere) => {
  expect(atTerminal(streams, () => text)).toBe(isThere)
})

test('without /proc, a terminal stream suffices', () => {
  const silent = () => {
    throw new Error('ENOENT')
  }
  expect(atTerminal([PIPE, TERMINAL, PIPE], silent)).toBe(true)
  expect(atTerminal([PIPE, PIPE, PIPE], silent)).toBe(false)
})
