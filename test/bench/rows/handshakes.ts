/** 1,000 games that start at the same moment: all must get READY. */
import { BenchClient } from '../client.ts'
import { type ContestantName, CONTESTANTS } from '../contestants/contestants.ts'
import { plainHandshake } from '../frames.ts'
import { quietDown } from '../process-figures.ts'
import { none, ratioAtMost, type Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'
import { startTrio, stopTrio } from '../trio.ts'

const GAMES = 1000
const HELLO = plainHandshake()

export const handshakes: Row = {
  name: 'handshakes',
  async run(bench) {
    const trio = await startTrio(bench)
    const lost: Record<ContestantName, number> = { floor: 0, sallyport: 0, arrpc: 0 }

    const rush = async (name: ContestantName): Promise<number> => {
      const from = performance.now()
      const outcomes = await Promise.allSettled(Array.from({ length: GAMES }, () => BenchClient.open(trio[name].path, HELLO)))
      const tookMs = performance.now() - from
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') outcome.value.close()
        else lost[name]++
      }
      // The next turn must find all of these gone.
      await quietDown(trio[name].pid)
      return tookMs
    }

    for (const name of CONTESTANTS) await rush(name)
    for (const name of CONTESTANTS) lost[name] = 0
    const { floor, sallyport, arrpc } = await inTurns(CONTESTANTS, bench.effort.handshakeRounds, rush)
    await stopTrio(trio)
    return [
      {
        what: `${GAMES} handshakes at once: lost`,
        unit: 'lost',
        ...lost,
        target: none,
        note: `in ${bench.effort.handshakeRounds} rushes`,
      },
      {
        what: `${GAMES} handshakes at once: time`,
        unit: 'ms',
        floor: median(floor),
        sallyport: median(sallyport),
        ratio: pairedRatio(sallyport, floor),
        arrpc: median(arrpc),
        arrpcRatio: pairedRatio(arrpc, floor),
        target: ratioAtMost(1.5),
      },
    ]
  },
}
