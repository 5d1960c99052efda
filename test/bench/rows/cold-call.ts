/**
 * What a player has: ten games that call now and then, so that nothing of the server is in a processor's cache, and little of it is compiled.
 * All servers run at the same time, and are called in turns.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { type Contestant, type ServerName } from '../contestants/contestants.ts'
import { activityRing, plainHandshake } from '../frames.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import type { Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'

const SERVERS = ['floor with JSON', 'packaged', 'arrpc'] as const satisfies readonly ServerName[]
type Server = (typeof SERVERS)[number]

const GAMES = 10
/** Between two calls of one server. */
const EACH_MS = 600
/** After the games came, as after a login. */
const REST_MS = 8_000
const RING = activityRing(64)
const US_PER_MS = 1000

/** In ms. */
interface Call {
  readonly latency: number
  /** Of the server. */
  readonly cpu: number
}

const gamesOf = (server: Contestant): Promise<readonly BenchClient[]> =>
  Promise.all(Array.from({ length: GAMES }, () => BenchClient.open(server.path, plainHandshake())))

export const coldCall: Row = {
  name: 'cold-call',
  async run({ ground, effort }) {
    const started = await Promise.all(SERVERS.map((name) => ground.start(name)))
    const servers = Object.fromEntries(SERVERS.map((name, index) => [name, started[index]!])) as Record<Server, Contestant>
    const games = Object.fromEntries(
      await Promise.all(SERVERS.map(async (name) => [name, await gamesOf(servers[name])] as const)),
    ) as Record<Server, readonly BenchClient[]>
    await pause(REST_MS)

    const made: Record<Server, number> = { 'floor with JSON': 0, packaged: 0, arrpc: 0 }
    const call = async (name: Server): Promise<Call> => {
      const index = made[name]++
      const { pid } = servers[name]
      const before = cpuMicroseconds(pid)
      const from = performance.now()
      await games[name][index % GAMES]!.exchange(RING.slice(index, 1), 1)
      const latency = performance.now() - from
      await pause(EACH_MS / SERVERS.length)
      return { latency, cpu: (cpuMicroseconds(pid) - before) / US_PER_MS }
    }
    // The first one after a start belongs to the start.
    await inTurns(SERVERS, 1, call)
    const measured = await inTurns(SERVERS, effort.coldCalls, call)
    for (const name of SERVERS) for (const game of games[name]) game.close()
    await Promise.all(started.map((server) => server.stop()))

    const figures = (key: keyof Call) => {
      const [floor = [], sallyport = [], arrpc = []] = SERVERS.map((name) => measured[name].map((one) => one[key]))
      return {
        unit: 'ms',
        floor: median(floor),
        sallyport: median(sallyport),
        ratio: pairedRatio(sallyport, floor),
        arrpc: median(arrpc),
        arrpcRatio: pairedRatio(arrpc, floor),
      } as const
    }
    return [
      {
        what: 'packaged, cold call: latency',
        ...figures('latency'),
        aim: 'cold call',
        note: `${GAMES} games, a call each ${EACH_MS} ms, ${effort.coldCalls} calls`,
      },
      { what: 'packaged, cold call: CPU', ...figures('cpu'), aim: 'CPU of a cold call' },
    ]
  },
}
