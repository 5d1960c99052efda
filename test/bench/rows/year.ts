/** What a data folder after a year of play adds to a start, to the first READY and to memory, against an empty one. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import type { Contestant, Ground } from '../contestants/contestants.ts'
import { writeYear, YEAR_NOTE } from '../data-folder.ts'
import { plainHandshake, setActivity } from '../frames.ts'
import { familyMicroseconds, privateMemory, quietDown } from '../process-figures.ts'
import type { Unit } from '../figures.ts'
import type { Bench, Line, Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'
import { untilWebPortsAreFree } from '../web-ports.ts'

const SIDES = ['empty', 'year'] as const
type Side = (typeof SIDES)[number]
const US_PER_MS = 1000
const MIB = 1024 * 1024

interface Start {
  readonly startMs: number
  readonly readyMs: number
}

/** A new folder for each start, because a daemon changes what it finds. */
async function startIn(ground: Ground, side: Side, year: string): Promise<Contestant> {
  const directory = ground.folder()
  if (side === 'year') cpSync(year, join(directory, 'data'), { recursive: true })
  await untilWebPortsAreFree(1)
  return ground.startIn('packaged', directory)
}

async function playOne({ path }: Contestant): Promise<BenchClient> {
  const game = await BenchClient.open(path, plainHandshake())
  await game.exchange(setActivity(0), 1)
  return game
}

/** CPU from the start to listening, and to the first answer to a game, in ms. */
async function startOnce(ground: Ground, side: Side, year: string): Promise<Start> {
  const server = await startIn(ground, side, year)
  const startMs = familyMicroseconds(server.pid) / US_PER_MS
  const game = await playOne(server)
  await quietDown(server.pid)
  const readyMs = familyMicroseconds(server.pid) / US_PER_MS
  game.close()
  await server.stop()
  return { startMs, readyMs }
}

/** With one game, at rest, in MiB. */
async function memoryOf({ ground, effort }: Bench, year: string): Promise<Record<Side, number>> {
  const servers = { empty: await startIn(ground, 'empty', year), year: await startIn(ground, 'year', year) }
  const games = await Promise.all(SIDES.map((side) => playOne(servers[side])))
  await pause(effort.settleMs)
  const found = { empty: privateMemory(servers.empty.pid) / MIB, year: privateMemory(servers.year.pid) / MIB }
  for (const game of games) game.close()
  for (const side of SIDES) await servers[side].stop()
  return found
}

const lineOf = (what: string, unit: Unit, empty: readonly number[], year: readonly number[]): Line => ({
  what: `packaged, a year of play: ${what}`,
  unit,
  floor: median(empty),
  sallyport: median(year),
  ratio: pairedRatio(year, empty),
  whyNoTarget: 'the figures with an empty folder have it',
  note: `the floor is an empty folder; ${YEAR_NOTE}`,
})

export const year: Row = {
  name: 'year',
  async run(bench) {
    const folder = join(bench.ground.folder(), 'data')
    await writeYear(folder)
    const starts = await inTurns<Side, Start>(SIDES, bench.effort.starts, (side) => startOnce(bench.ground, side, folder))
    const figures = (side: Side, figure: keyof Start): readonly number[] => starts[side].map((one) => one[figure])
    const held = await memoryOf(bench, folder)
    return [
      lineOf('CPU from the start to listening', 'ms', figures('empty', 'startMs'), figures('year', 'startMs')),
      lineOf('CPU from the start to the first answer to a game', 'ms', figures('empty', 'readyMs'), figures('year', 'readyMs')),
      lineOf('private memory, one game', 'MiB', [held.empty], [held.year]),
    ]
  },
}
