/** Tests the last check of a full run: lines of the ledger that no passed test proves. */
import { expect, test } from 'vitest'
import { implemented, planned, unsupported } from '../coverage/statement.ts'
import { unproven } from '../ledger.ts'

test('an implemented line needs a passed test with its tag; a planned or excused one needs none', () => {
  const lines = [
    implemented('7-1', 'one', 'protocol/src/errors.ts'),
    implemented('7-2', 'two', 'protocol/src/errors.ts'),
    planned('7-3', 'three', 'A binding.'),
    unsupported('7-4', 'four', 'Audio is in the game.', 'Nothing.'),
  ]
  expect(unproven(lines, ['7-2', '7-2'])).toEqual(['7-1'])
  expect(unproven(lines, ['7-1', '7-2'])).toEqual([])
})
