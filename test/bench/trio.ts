/** All contestants running at once, each with a game connected that has been checked to get true answers. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import { BenchClient } from './client.ts'
import { type Contestant, CONTESTANTS, type ContestantName, type StartOptions } from './contestants/contestants.ts'
import { APPLICATION, contractHandshake, nonceAt, plainHandshake, setActivity } from './frames.ts'
import type { Bench, Line, Target, Unit } from './row.ts'
import { median, pairedRatio } from './statistics.ts'

/** `bindings` is the daemon once more, spoken to as our bindings do. */
export const SIDES = [...CONTESTANTS, 'bindings'] as const
export type Side = (typeof SIDES)[number]

const OWNER: Readonly<Record<Side, ContestantName>> = { floor: 'floor', sallyport: 'sallyport', arrpc: 'arrpc', bindings: 'sallyport' }

export type Trio = Readonly<Record<ContestantName, Contestant>>

export async function startTrio({ ground }: Bench, options: StartOptions = {}): Promise<Trio> {
  const [floor, sallyport, arrpc] = await Promise.all(CONTESTANTS.map((name) => ground.start(name, options)))
  return { floor: floor!, sallyport: sallyport!, arrpc: arrpc! }
}

export const stopTrio = async (trio: Trio): Promise<void> => {
  await Promise.all(CONTESTANTS.map((name) => trio[name].stop()))
}

export const serverOf = (trio: Trio, side: Side): Contestant => trio[OWNER[side]]

export const openAs = (trio: Trio, side: Side): Promise<BenchClient> =>
  BenchClient.open(serverOf(trio, side).path, side === 'bindings' ? contractHandshake() : plainHandshake())

interface Answer {
  readonly cmd: string
  readonly nonce: string
  readonly evt?: unknown
  readonly data?: { readonly application_id?: string; readonly details?: string; readonly party?: unknown }
}

/** What is fast must also be right: the floor echoes, the others answer the activity. Throws when they do not. */
export async function checkAnswer(client: BenchClient, side: Side): Promise<void> {
  const sent = setActivity(1)
  const answer = (await client.ask(sent)) as Answer
  if (side === 'floor') {
    deepStrictEqual(answer, JSON.parse(sent.subarray(8).toString()))
    return
  }
  strictEqual(answer.evt, null, `${side} answered ${JSON.stringify(answer)}`)
  strictEqual(answer.cmd, 'SET_ACTIVITY')
  strictEqual(answer.nonce, nonceAt(1))
  strictEqual(answer.data?.application_id, APPLICATION)
  strictEqual(answer.data.details, 'Wave 0001')
}

export type Measured = Readonly<Record<Side, readonly number[]>>

/** The line of a row that is measured in turns, and one for our bindings below it. */
export function linesOf(what: string, unit: Unit, measured: Measured, target: Target): readonly Line[] {
  const { floor, sallyport, arrpc, bindings } = measured
  const base = { unit, floor: median(floor) }
  return [
    {
      ...base,
      what,
      sallyport: median(sallyport),
      ratio: pairedRatio(sallyport, floor),
      arrpc: median(arrpc),
      arrpcRatio: pairedRatio(arrpc, floor),
      target,
    },
    { ...base, what: `${what}, as our bindings ask`, sallyport: median(bindings), ratio: pairedRatio(bindings, floor), target },
  ]
}
