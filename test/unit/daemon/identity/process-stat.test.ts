import { expect, test } from 'vitest'
import { isAtTerminal, parseStat } from '#daemon/src/identity/process-stat.ts'

/** As Linux 6.18 prints them: a command in the foreground of a terminal, the shell that began its session, and a command without a terminal. */
const IN_TERMINAL =
  '4305 (cat) R 4304 4304 4304 34816 4304 4194304 76 0 0 0 0 0 0 0 20 0 1 0 271467 3133440 380 18446744073709551615 94544593915904 94544593935785 140737013096656 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 94544593951792 94544593953408 94544817143808 140737013103318 140737013103338 140737013103338 140737013104619 0\n'
const SHELL =
  '4304 (sh) S 4302 4304 4304 34816 4304 4194304 216 78 0 0 0 0 0 0 20 0 1 0 271464 2654208 364 18446744073709551615 94630527537152 94630527613881 140724272396352 0 0 0 0 0 65538 1 0 0 17 1 0 0 0 0 0 94630527643184 94630527648320 94630872797184 140724272401086 140724272401131 140724272401131 140724272402412 0\n'
const WITHOUT =
  '4307 (cat) R 4300 4300 9727 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 271470 3133440 388 18446744073709551615 94842629697536 94842629717417 140732320308624 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 94842629733424 94842629735040 94843646836736 140732320316117 140732320316137 140732320316137 140732320317419 0\n'

test('the name of a process may hold spaces and parentheses', () => {
  const odd = WITHOUT.replace('(cat)', '((a) game) R 1 (2))')
  expect(parseStat(odd)).toEqual({
    name: '(a) game) R 1 (2)',
    parent: 4300,
    group: 4300,
    session: 9727,
    terminal: 0,
    foreground: -1,
    startedAt: '271470',
  })
  expect(parseStat(SHELL)).toMatchObject({ name: 'sh', session: 4304, terminal: 34816, startedAt: '271464' })
})
test.each([[''], ['4307'], ['4307 (x) S 1 2'], [WITHOUT.replace('271470', 'soon')], [WITHOUT.replace('R 4300', 'R ?')]])(
  'another form says nothing: %j',
  (text) => {
    expect(parseStat(text)).toBeUndefined()
  },
)
test.each([
  ['in the foreground', IN_TERMINAL, true],
  ['in the background', IN_TERMINAL.replace('34816 4304', '34816 4999'), false],
  ['without a terminal', WITHOUT, false],
])('%s', (_, text, isThere) => {
  const stat = parseStat(text)
  expect(stat !== undefined && isAtTerminal(stat)).toBe(isThere)
})
