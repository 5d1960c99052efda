/**
 * What a player has: ten games that call now and then, so that nothing of the server is in a processor's cache, and little of it is compiled.
 * All servers run at the same time, and are called in turns.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { type Contestant, type ServerName } from '../contestants/contestants.ts'
import { activityRing, plainHandshake } from '../frames.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import { type Figures, ratioAtMost, type Row, type Target } from '../row.ts'
import { highest, inTurns, median, pairedRatio } from '../statistics.ts'

const SERVERS = ['floor with JSON', 'packaged', 'arrpc'] as const satisfies readonly ServerName[]
type Server = (typeof SERVERS)[number]

const GAMES = 10
/** Between two calls of one server. */
const EACH_MS = 600
/** After the games came, as after a login. */
const REST_MS = 8_000
const RING = activityRing(64)
const MOST_RATIO = 1.6
const MOST_US = 800
const US_PER_MS = 1000

const LATENCY: Target = {
  text: `≤ ${MOST_RATIO} × and ${MOST_US} µs`,
  isHeld: ({ ratio = Number.NaN, sallyport = Number.NaN }) => ratio <= MOST_RATIO && sallyport <= MOST_US,
}

/** In µs. */
interface Call {
  readonly latency: number
  /** Of the server. */
  readonly cpu: number
}

const gamesOf = (server: Contestant): Promise<readonly BenchClient[]> =>
  Promise.all(Array.from({ length: GAMES }, () => BenchClient.open(server.path, plainHandshake())))

/** Of paired calls, which the highest ones are not. */
const withoutRatios = ({ ratio: _, arrpcRatio: __, ...figures }: Figures): Figures => figures

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
      const latency = (performance.now() - from) * US_PER_MS
      await pause(EACH_MS / SERVERS.length)
      return { latency, cpu: cpuMicroseconds(pid) - before }
    }
    const first = await inTurns(SERVERS, 1, call)
    const measured = await inTurns(SERVERS, effort.coldCalls, call)
    for (const name of SERVERS) for (const game of games[name]) game.close()
    await Promise.all(started.map((server) => server.stop()))

    const line = (what: string, key: keyof Call, summary: (values: readonly number[]) => number) => {
      const [floor = [], sallyport = [], arrpc = []] = SERVERS.map((name) => measured[name].map((one) => one[key]))
      return {
        what: `packaged, cold call: ${what}`,
        unit: 'µs',
        floor: summary(floor),
        sallyport: summary(sallyport),
        ratio: pairedRatio(sallyport, floor),
        arrpc: summary(arrpc),
        arrpcRatio: pairedRatio(arrpc, floor),
      } satisfies Figures
    }
    return [
      {
        ...line('latency', 'latency', median),
        target: LATENCY,
        note: `${GAMES} games, a call each ${EACH_MS} ms, ${effort.coldCalls} calls`,
      },
      { ...withoutRatios(line('highest latency', 'latency', highest)), whyNoTarget: 'other programs of the machine decide it' },
      { ...line('CPU', 'cpu', median), target: ratioAtMost(MOST_RATIO) },
      {
        what: 'packaged, first call after a start',
        unit: 'µs',
        floor: first['floor with JSON'][0]!.latency,
        sallyport: first.packaged[0]!.latency,
        arrpc: first.arrpc[0]!.latency,
        whyNoTarget: 'it is one call',
      },
    ]
  },
}
