/** Tests the last check of a full run: lines of the ledger that no passed test proves. */
import { expect, test } from 'vitest'
import { implemented, planned, unsupported } from '../coverage/statement.ts'
import { unproven } from '../ledger.ts'

const LINES = [
  implemented('7-1', 'one', 'protocol/src/errors.ts'),
  implemented('7-2', 'two', 'protocol/src/errors.ts'),
  planned('7-3', 'three', 'A binding.'),
  unsupported('7-4', 'four', 'Audio is in the game.', 'Nothing.'),
]

test('an implemented line needs a passed test with its tag; a planned or excused one needs none', () => {
  expect(unproven(LINES, ['7-2', '7-2'], [])).toEqual({ failed: ['7-1'], skipped: [] })
  expect(unproven(LINES, ['7-1', '7-2'], [])).toEqual({ failed: [], skipped: [] })
})

test('a line whose tests this machine cannot run is named, and does not fail; one test that passed is enough', () => {
  expect(unproven(LINES, ['7-2'], ['7-1', '7-2'])).toEqual({ failed: [], skipped: ['7-1'] })
})
