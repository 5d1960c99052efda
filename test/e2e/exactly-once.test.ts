/** Calls with a key, on a real daemon and a platform in a process of its own, while the game and the daemon are killed: each takes effect once. */
import { expect, test } from 'vitest'
import { killRounds } from '../exactly-once/rounds.ts'

const ROUNDS = 12
/** Where an outcome is unknown, it is one of twelve. */
const MAX_UNKNOWN = 2

test('take effect once, when the game or the daemon is killed at any instant', { timeout: 180_000 }, async () => {
  const { calls, verdict } = await killRounds(ROUNDS, 3)
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
  expect(unknown.length).toBeLessThanOrEqual(MAX_UNKNOWN)
})
