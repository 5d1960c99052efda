/** Runs all contestants at once, each with a connected game whose answers were checked. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import { BenchClient } from './client.ts'
import { type Contestant, CONTESTANTS, type ContestantName, type ServerName, type StartOptions } from './contestants/contestants.ts'
import { APPLICATION, contractHandshake, nonceAt, plainHandshake, setActivity } from './frames.ts'
import type { Bench, Line, Target, Unit } from './row.ts'
import { median, pairedRatio } from './statistics.ts'

/** `bindings` is the daemon once more, spoken to as our bindings do. */
export const SIDES = ['floor', 'sallyport', 'arrpc', 'bindings', 'floor with JSON'] as const
export type Side = (typeof SIDES)[number]

export type Trio = Readonly<Record<ContestantName, Contestant>>
export type Field = Readonly<Record<ServerName, Contestant>>

export async function startTrio({ ground }: Bench, options: StartOptions = {}): Promise<Trio> {
  const [floor, sallyport, arrpc] = await Promise.all(CONTESTANTS.map((name) => ground.start(name, options)))
  return { floor: floor!, sallyport: sallyport!, arrpc: arrpc! }
}

export const stopTrio = async (trio: Trio): Promise<void> => {
  await Promise.all(CONTESTANTS.map((name) => trio[name].stop()))
}

/** The trio, and the floor once more with JSON. */
export async function startField(bench: Bench): Promise<Field> {
  const [trio, floorWithJson] = await Promise.all([startTrio(bench), bench.ground.start('floor with JSON')])
  return { ...trio, 'floor with JSON': floorWithJson }
}

export const stopField = async (field: Field): Promise<void> => {
  await stopTrio(field)
  await field['floor with JSON'].stop()
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
  if (side === 'floor' || side === 'floor with JSON') {
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

/** The line of a row that is measured in turns; below it one for our bindings, and what JSON alone would cost. */
export function linesOf(what: string, unit: Unit, measured: Measured, target: Target): readonly Line[] {
  const { floor, sallyport, arrpc, bindings, 'floor with JSON': floorWithJson } = measured
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
    {
      what: `${what}, floor that reads and writes JSON`,
      unit,
      floor: median(floorWithJson),
      sallyport: median(sallyport),
      ratio: pairedRatio(sallyport, floorWithJson),
      arrpc: median(arrpc),
      arrpcRatio: pairedRatio(arrpc, floorWithJson),
    },
  ]
}
