/** Calls per second that 20 games get through at once, each with up to 16 calls under way. */
import type { BenchClient } from '../client.ts'
import { activityRing } from '../frames.ts'
import { ratioAtLeast, type Row } from '../row.ts'
import { inTurns } from '../statistics.ts'
import { checkAnswer, linesOf, openAs, type Side, SIDES, startField, stopField } from '../trio.ts'

const GAMES = 20
const WINDOW = 16
const RING = activityRing(64)
const MS_PER_S = 1000

/** One game: as many new calls as answers came, until all are answered. */
const play = (client: BenchClient, calls: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let sent = WINDOW
    let answered = 0
    client.listen((count) => {
      answered += count
      const next = Math.min(count, calls - sent)
      if (next > 0) client.write(RING.slice(sent, next))
      sent += next
      if (answered === calls) resolve()
    }, reject)
    client.write(RING.slice(0, WINDOW))
  })

export const crowd: Row = {
  name: 'crowd',
  async run(bench) {
    const field = await startField(bench)
    const games = {} as Record<Side, readonly BenchClient[]>
    for (const side of SIDES) games[side] = await Promise.all(Array.from({ length: GAMES }, () => openAs(field, side)))

    const perSecond = async (side: Side, calls: number): Promise<number> => {
      const each = Math.ceil(calls / GAMES)
      const from = performance.now()
      await Promise.all(games[side].map((client) => play(client, each)))
      return (each * GAMES * MS_PER_S) / (performance.now() - from)
    }

    for (const side of SIDES) {
      await checkAnswer(games[side][0]!, side)
      await perSecond(side, bench.effort.warmCalls)
    }
    const measured = await inTurns(SIDES, bench.effort.rounds, (side) => perSecond(side, bench.effort.crowdCalls))
    for (const side of SIDES) for (const client of games[side]) client.close()
    await stopField(field)
    return linesOf(`calls/s, ${GAMES} clients, window ${WINDOW}`, 'calls/s', measured, ratioAtLeast(1.1))
  },
}
