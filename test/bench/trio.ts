/** Runs all contestants at once, each with a connected game whose answers were checked. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import { BenchClient } from './client.ts'
import { type Contestant, CONTESTANTS, type ContestantName, type StartOptions } from './contestants/contestants.ts'
import { APPLICATION, contractHandshake, nonceAt, plainHandshake, setActivity } from './frames.ts'
import type { Bench, Line, Target, Unit } from './row.ts'
import { median, pairedRatio } from './statistics.ts'

/** `bindings` is the daemon once more, spoken to as our bindings do. */
export const SIDES = ['floor with JSON', 'sallyport', 'arrpc', 'bindings'] as const
export type Side = (typeof SIDES)[number]

export type Trio = Readonly<Record<ContestantName, Contestant>>
/** The servers that read calls. */
export type Field = Readonly<Record<'floor with JSON' | 'sallyport' | 'arrpc', Contestant>>

export async function startTrio({ ground }: Bench, options: StartOptions = {}): Promise<Trio> {
  const [floor, sallyport, arrpc] = await Promise.all(CONTESTANTS.map((name) => ground.start(name, options)))
  return { floor: floor!, sallyport: sallyport!, arrpc: arrpc! }
}

export const stopTrio = async (trio: Trio): Promise<void> => {
  await Promise.all(CONTESTANTS.map((name) => trio[name].stop()))
}

export async function startField({ ground }: Bench): Promise<Field> {
  const [floor, sallyport, arrpc] = await Promise.all([ground.start('floor with JSON'), ground.start('sallyport'), ground.start('arrpc')])
  return { 'floor with JSON': floor, sallyport, arrpc }
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
  if (side === 'floor with JSON') {
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

/** The line of a row that is measured in turns, and below it one for our bindings. */
export function linesOf(what: string, unit: Unit, measured: Measured, target: Target): readonly Line[] {
  const { sallyport, arrpc, bindings, 'floor with JSON': floor } = measured
  const base = { unit, floor: median(floor), target }
  return [
    {
      ...base,
      what,
      sallyport: median(sallyport),
      ratio: pairedRatio(sallyport, floor),
      arrpc: median(arrpc),
      arrpcRatio: pairedRatio(arrpc, floor),
    },
    { ...base, what: `${what}, as our bindings ask`, sallyport: median(bindings), ratio: pairedRatio(bindings, floor) },
  ]
}
