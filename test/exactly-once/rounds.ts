/** Kills the game or the daemon at random instants, and judges what was recorded. */
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../e2e/support/seeded-random.ts'
import { type Kill, judge, problemsOf, type Verdict } from './check.ts'
import { openIn, operationsOf, readIntents } from './intents.ts'
import { World } from './world.ts'

export interface Result {
  readonly calls: number
  readonly kills: readonly Kill[]
  readonly verdict: Verdict
  readonly problems: readonly string[]
}

/** From one kill to the next the game makes several calls. */
const ROUND_MS = 250
/** The platform lists the last hundred messages of a channel. */
const ROUNDS_PER_LOOK = 5
/** A program keeps at most 1,000 keys in ten minutes; a round has about five. */
const ROUNDS_PER_PROGRAM = 100

export async function killRounds(rounds: number, seed: number, onRound: (round: number) => void = () => {}): Promise<Result> {
  const random = seededRandom(seed)
  const world = await World.open()
  try {
    const kills: Kill[] = []
    for (let round = 1; round <= rounds; round++) {
      const victim = random() < 1 / 2 ? 'game' : 'daemon'
      await pause(random() * ROUND_MS)
      await world.kill(victim)
      kills.push({ victim, open: openIn(readIntents(world.file)).map(({ id }) => id) })
      // The call that was open, and one more.
      const goesOn = victim === 'daemon' ? world.calls(2) : undefined
      if (victim === 'daemon') await world.startDaemon()
      else await world.startGame()
      await (goesOn ?? world.calls(2))
      if (round % ROUNDS_PER_LOOK === 0) await world.effects()
      if (round % ROUNDS_PER_PROGRAM === 0) {
        await world.stopGame()
        await world.startNewGame()
      }
      onRound(round)
    }
    await world.stopGame()
    const operations = operationsOf(readIntents(world.file))
    const verdict = judge({ operations, effects: await world.effects(), kills })
    const refused = verdict.refused.length === 0 ? [] : [`were refused: ${verdict.refused.length}`]
    return { calls: operations.length, kills, verdict, problems: [...problemsOf(verdict, kills.length), ...refused] }
  } finally {
    await world.close()
  }
}
