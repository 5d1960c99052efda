/** Tests the last check of a full run: ledger tests that did not run. */
import { expect, test } from 'vitest'
import { implemented, type Section } from '../coverage/statement.ts'
import { untested } from '../ledger.ts'

const section = (...tests: string[]): Section => ({
  number: '7',
  title: 'Errors',
  statements: tests.map((named, index) => implemented(`statement ${index}`, 'protocol/src/errors.ts', named)),
})

test('a part of the full name of a test that ran is enough; another file, another name or no run at all is not', () => {
  const ran = { 'unit/a.test.ts': ['a call > is refused with 4000'], 'unit/b.test.ts': ['other'] }
  const found = untested(
    [section('unit/a.test.ts > is refused', 'unit/b.test.ts > is refused | unit/c.test.ts > other', 'unit/a.test.ts > accepted')],
    ran,
  )
  expect(found).toEqual(['7-2 unit/b.test.ts > is refused', '7-2 unit/c.test.ts > other', '7-3 unit/a.test.ts > accepted'])
})

test('blanks that a table fills stand for any words, and cases that are data are left to the ledger’s own test', () => {
  const ran = { 'unit/a.test.ts': ['LIMIT is 25 fields'] }
  const found = untested(
    [section('unit/a.test.ts > %s is %i %s', 'conformance/vectors/a.json > GET', 'unit/a.test.ts > $name was %i')],
    ran,
  )
  expect(found).toEqual(['7-3 unit/a.test.ts > $name was %i'])
})
