/** Calls with a key, on a real daemon and a platform in a process of its own, while the game and the daemon are killed: each takes effect once. */
import { expect, test } from 'vitest'
import { killRounds } from '../exactly-once/rounds.ts'

const ROUNDS = 12

test('take effect once, when the game or the daemon is killed at any instant', { timeout: 180_000 }, async () => {
  const { calls, kills, verdict } = await killRounds(ROUNDS, 3)
  expect(calls).toBeGreaterThan(2 * ROUNDS)
  const { doubled, lost, ghosts, refused, open, unexplained, unknown } = verdict
  expect({ doubled, lost, ghosts, refused, open, unexplained }).toEqual({
    doubled: [],
    lost: [],
    ghosts: [],
    refused: [],
    open: [],
    unexplained: [],
  })
  // One call is open at a time, so that a kill of the daemon leaves one unknown at most.
  expect(unknown.length).toBeLessThanOrEqual(kills.filter(({ victim }) => victim === 'daemon').length)
})
