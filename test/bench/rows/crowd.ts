/** CPU that a server spends on one call while 20 games call at once, each with up to 16 calls under way. */
import type { BenchClient } from '../client.ts'
import { activityRing } from '../frames.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import type { Row } from '../row.ts'
import { inTurns } from '../statistics.ts'
import { checkAnswer, linesOf, openAs, serverOf, type Side, SIDES, startField, stopField } from '../trio.ts'

const GAMES = 20
const WINDOW = 16
const RING = activityRing(64)

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

    const spend = async (side: Side, calls: number): Promise<number> => {
      const each = Math.ceil(calls / GAMES)
      const { pid } = serverOf(field, side)
      const before = cpuMicroseconds(pid)
      await Promise.all(games[side].map((client) => play(client, each)))
      return (cpuMicroseconds(pid) - before) / (each * GAMES)
    }

    for (const side of SIDES) {
      await checkAnswer(games[side][0]!, side)
      await spend(side, bench.effort.warmCalls)
    }
    const measured = await inTurns(SIDES, bench.effort.rounds, (side) => spend(side, bench.effort.crowdCalls))
    for (const side of SIDES) for (const client of games[side]) client.close()
    await stopField(field)
    return linesOf(`CPU per call, ${GAMES} games with ${WINDOW} calls under way each`, measured, {
      whyNoTarget: 'it depends on how many frames meet in one read, so on the load',
    })
  },
}
