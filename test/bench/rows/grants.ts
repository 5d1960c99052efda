/** What stored grants add to a call of a game, and to its READY: the daemon holds all of them in memory. */
import { join } from 'node:path'
import { BenchClient } from '../client.ts'
import { type Contestant, type Ground } from '../contestants/contestants.ts'
import { writeGrants } from '../data-folder.ts'
import { activityRing, plainHandshake } from '../frames.ts'
import { shareProcessor } from '../one-processor.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import type { Bench, Line, Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'

/** Names of the turns too, so they are text. */
const COUNTS = ['0', '100', '1000', '10000'] as const
type Count = (typeof COUNTS)[number]
const FEWEST = COUNTS[0]
const MOST = COUNTS[3]
const BATCH = 64
const RING = activityRing(BATCH)
const US_PER_MS = 1000

async function startWith(ground: Ground, grants: number): Promise<Contestant> {
  const directory = ground.folder()
  await writeGrants(join(directory, 'data'), grants)
  return ground.startIn('packaged', directory)
}

const text = (count: Count): string => Number(count).toLocaleString('en')

async function callsOf({ ground, effort }: Bench): Promise<readonly Line[]> {
  const sides = {} as Record<Count, { readonly server: Contestant; readonly game: BenchClient }>
  for (const count of COUNTS) {
    const server = await startWith(ground, Number(count))
    sides[count] = { server, game: await BenchClient.open(server.path, plainHandshake()) }
  }
  const spend = async (count: Count, calls: number): Promise<number> => {
    const { server, game } = sides[count]
    const before = cpuMicroseconds(server.pid)
    for (let sent = 0; sent < calls; sent += BATCH) await game.exchange(RING.slice(sent, BATCH), BATCH)
    return (cpuMicroseconds(server.pid) - before) / calls
  }
  const place = shareProcessor(COUNTS.map((count) => sides[count].server.pid))
  for (const count of COUNTS) await spend(count, effort.warmCalls)
  const measured = await inTurns(COUNTS, effort.growthRounds, (count) => spend(count, effort.pipelinedCalls))
  place.release()
  for (const { server, game } of Object.values(sides)) {
    game.close()
    await server.stop()
  }
  return COUNTS.map((count) => ({
    what: `packaged, SET_ACTIVITY with ${text(count)} grants: CPU`,
    unit: 'µs',
    floor: median(measured[FEWEST]),
    sallyport: median(measured[count]),
    ratio: pairedRatio(measured[count], measured[FEWEST]),
    point: { curve: 'CPU of SET_ACTIVITY', at: Number(count), of: 'stored grants' },
    ...(count === MOST
      ? { aim: 'call with many grants', note: 'the floor is the daemon without grants' }
      : { whyNoTarget: 'the line with the most has it' }),
  }))
}

/** CPU from the connection of the first game to its READY, in ms. */
async function readyOnce(ground: Ground, grants: number): Promise<number> {
  const server = await startWith(ground, grants)
  const before = cpuMicroseconds(server.pid)
  const game = await BenchClient.open(server.path, plainHandshake())
  const cpu = (cpuMicroseconds(server.pid) - before) / US_PER_MS
  game.close()
  await server.stop()
  return cpu
}

async function readiesOf({ ground, effort }: Bench): Promise<readonly Line[]> {
  const measured = await inTurns(COUNTS, effort.growthStarts, (count) => readyOnce(ground, Number(count)))
  return COUNTS.map((count) => ({
    what: `packaged, first READY with ${text(count)} grants: CPU`,
    unit: 'ms',
    floor: median(measured[FEWEST]),
    sallyport: median(measured[count]),
    ratio: pairedRatio(measured[count], measured[FEWEST]),
    point: { curve: 'CPU of the first READY after a start', at: Number(count), of: 'stored grants' },
    whyNoTarget: 'it shows how the cost grows',
  }))
}

export const grants: Row = {
  name: 'grants',
  run: async (bench) => [...(await callsOf(bench)), ...(await readiesOf(bench))],
}
