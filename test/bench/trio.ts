/** Runs all contestants at once, each with a connected game whose answers were checked. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import { BenchClient } from './client.ts'
import { type Contestant, CONTESTANTS, type ContestantName, type StartOptions } from './contestants/contestants.ts'
import { APPLICATION, contractHandshake, nonceAt, plainHandshake, setActivity } from './frames.ts'
import type { Bench, Held, Line } from './row.ts'
import { median, pairedRatio } from './statistics.ts'

/** `bindings` is the daemon once more, spoken to as our bindings do. */
export const SIDES = ['floor with JSON', 'floor in one write', 'sallyport', 'arrpc', 'bindings'] as const
export type Side = (typeof SIDES)[number]

export type Trio = Readonly<Record<ContestantName, Contestant>>
/** The servers that read calls. */
const FIELD = ['floor with JSON', 'floor in one write', 'sallyport', 'arrpc'] as const
export type Field = Readonly<Record<(typeof FIELD)[number], Contestant>>

export async function startTrio({ ground }: Bench, options: StartOptions = {}): Promise<Trio> {
  const [floor, sallyport, arrpc] = await Promise.all(CONTESTANTS.map((name) => ground.start(name, options)))
  return { floor: floor!, sallyport: sallyport!, arrpc: arrpc! }
}

export const stopTrio = async (trio: Trio): Promise<void> => {
  await Promise.all(CONTESTANTS.map((name) => trio[name].stop()))
}

export async function startField({ ground }: Bench): Promise<Field> {
  const started = await Promise.all(FIELD.map(async (name) => [name, await ground.start(name)] as const))
  return Object.fromEntries(started) as Record<(typeof FIELD)[number], Contestant>
}

export const stopField = async (field: Field): Promise<void> => {
  await Promise.all(Object.values(field).map((contestant) => contestant.stop()))
}

export const serverOf = (field: Field, side: Side): Contestant => field[side === 'bindings' ? 'sallyport' : side]

export const openAs = (field: Field, side: Side): Promise<BenchClient> =>
  BenchClient.open(serverOf(field, side).path, side === 'bindings' ? contractHandshake() : plainHandshake())

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
  if (side === 'floor with JSON' || side === 'floor in one write') {
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

/**
 * CPU per call of a row that is measured in turns, in µs: against the floor with one write for each read, then as our bindings ask, and against
 * the floor with one write for each answer.
 */
export function linesOf(what: string, { sallyport, arrpc, bindings, ...floors }: Measured, held: Held): readonly Line[] {
  const floor = floors['floor in one write']
  const manyWrites = floors['floor with JSON']
  const unit = 'µs'
  return [
    {
      what,
      unit,
      floor: median(floor),
      sallyport: median(sallyport),
      ratio: pairedRatio(sallyport, floor),
      arrpc: median(arrpc),
      arrpcRatio: pairedRatio(arrpc, floor),
      ...held,
    },
    {
      what: `${what}, as our bindings ask`,
      unit,
      floor: median(floor),
      sallyport: median(bindings),
      ratio: pairedRatio(bindings, floor),
      whyNoTarget: 'the line before shows the same work',
    },
    {
      what: `${what}, against a write for each answer`,
      unit,
      floor: median(manyWrites),
      sallyport: median(sallyport),
      ratio: pairedRatio(sallyport, manyWrites),
      whyNoTarget: 'its floor makes more system calls than a server needs',
    },
  ]
}
