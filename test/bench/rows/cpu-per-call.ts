/** CPU that a server spends on one SET_ACTIVITY: pipelined, and with one call at a time. */
import { placeNote, shareProcessor } from '../one-processor.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import { activityRing } from '../frames.ts'
import type { Bench, Held, Row } from '../row.ts'
import { inTurns } from '../statistics.ts'
import { checkAnswer, linesOf, openAs, serverOf, SIDES, startField, stopField } from '../trio.ts'

/** Frames in one write. All of them fit into one read of 64 KiB: the peer does not survive a frame that spans two. */
const BATCH = 64
const RING = activityRing(BATCH)

interface Shape {
  readonly name: string
  readonly what: string
  readonly batch: number
  readonly calls: (bench: Bench) => number
  readonly held: Held
}

const row = ({ name, what, batch, calls, held }: Shape): Row => ({
  name,
  async run(bench) {
    const field = await startField(bench)
    const clients = Object.fromEntries(await Promise.all(SIDES.map(async (side) => [side, await openAs(field, side)] as const)))
    const answerBytes = new Map<string, number>()

    const spend = async (side: (typeof SIDES)[number], count: number): Promise<number> => {
      const { pid } = serverOf(field, side)
      const client = clients[side]!
      const before = cpuMicroseconds(pid)
      for (let sent = 0; sent < count; sent += batch) {
        const bytes = await client.exchange(RING.slice(sent, batch), batch)
        // The frames have one length, so the answers have too; an error in between would not.
        const usual = answerBytes.get(side) ?? bytes
        answerBytes.set(side, usual)
        if (bytes !== usual) throw new Error(`${side} answered ${bytes} bytes instead of ${usual}`)
      }
      return (cpuMicroseconds(pid) - before) / count
    }

    const place = shareProcessor(SIDES.map((side) => serverOf(field, side).pid))
    for (const side of SIDES) {
      await checkAnswer(clients[side]!, side)
      await spend(side, Math.ceil(bench.effort.warmCalls / batch / (batch === 1 ? 4 : 1)) * batch)
    }
    const measured = await inTurns(SIDES, bench.effort.rounds, (side) => spend(side, calls(bench)))
    place.release()
    for (const side of SIDES) clients[side]!.close()
    await stopField(field)
    const [first, ...more] = linesOf(what, measured, held)
    return [{ ...first!, note: placeNote(place.isShared) }, ...more]
  },
})

export const pipelined = row({
  name: 'pipelined',
  what: 'CPU per SET_ACTIVITY, pipelined',
  batch: BATCH,
  calls: ({ effort }) => effort.pipelinedCalls,
  held: { aim: 'pipelined call' },
})

export const lockStep = row({
  name: 'lock-step',
  what: 'CPU per call, lock-step',
  batch: 1,
  calls: ({ effort }) => effort.lockStepCalls,
  held: { whyNoTarget: 'no game calls so often; the cold call is what games have' },
})
