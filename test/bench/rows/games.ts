/** From one game to 5,000: what the next connection costs, what a call costs, and the private memory of all. */
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import type { Contestant } from '../contestants/contestants.ts'
import { Part } from '../contestants/part.ts'
import { APPLICATION, command, plainHandshake, setActivity } from '../frames.ts'
import { cpuMicroseconds, privateMemory, quietDown } from '../process-figures.ts'
import type { Bench, Line, Row } from '../row.ts'
import { median } from '../statistics.ts'

const COUNTS = [1, 100, 1_000, 5_000] as const
const TOKEN = 'bench-access-token'
/** That come and leave again, to be measured. */
const MORE = 100
/** In groups that every backlog takes. */
const GROUP = 100
const CALLS = 1_000
const MIB = 1024 * 1024
const FIRST_APPLICATION = 2_000_000

interface Level {
  /** For each game, in µs. */
  readonly connect: number
  readonly firstCall: number
  readonly call: number
  readonly privateMib: number
}

class Crowd {
  readonly #server: Contestant
  readonly #games: BenchClient[] = []
  /** Each has an application of its own. */
  #applications = FIRST_APPLICATION

  constructor(server: Contestant) {
    this.#server = server
  }

  /** One game has a grant, so that its program may have thousands of connections. */
  async signIn(): Promise<void> {
    const game = await BenchClient.open(this.#server.path, plainHandshake())
    const { evt } = (await game.ask(command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in'))) as { readonly evt: unknown }
    if (evt !== null) throw new Error('the daemon did not accept the token')
    await game.exchange(setActivity(0), 1)
    this.#games.push(game)
  }

  async growTo(count: number): Promise<void> {
    while (this.#games.length < count) {
      const games = await this.#connect(Math.min(GROUP, count - this.#games.length))
      await this.#call(games)
      this.#games.push(...games)
    }
  }

  async measure(rounds: number): Promise<Omit<Level, 'privateMib'>> {
    const all: Omit<Level, 'privateMib'>[] = []
    for (let round = 0; round < rounds; round++) {
      let more: readonly BenchClient[] = []
      const connect = await this.#spent(MORE, async () => (more = await this.#connect(MORE)))
      const firstCall = await this.#spent(MORE, () => this.#call(more))
      for (const game of more) game.close()
      await quietDown(this.#server.pid)
      const call = await this.#spent(CALLS, async () => {
        for (let at = 0; at < CALLS; at++) await this.#games[(at * 7) % this.#games.length]!.exchange(setActivity(at), 1)
      })
      all.push({ connect, firstCall, call })
    }
    const middle = (figure: keyof Omit<Level, 'privateMib'>): number => median(all.map((one) => one[figure]))
    return { connect: middle('connect'), firstCall: middle('firstCall'), call: middle('call') }
  }

  leave(): void {
    for (const game of this.#games) game.close()
  }

  #connect(count: number): Promise<readonly BenchClient[]> {
    const { path } = this.#server
    return Promise.all(Array.from({ length: count }, () => BenchClient.open(path, plainHandshake(String(this.#applications++)))))
  }

  async #call(games: readonly BenchClient[]): Promise<void> {
    await Promise.all(games.map((game, index) => game.exchange(setActivity(index), 1)))
  }

  /** CPU of the daemon for each of `count`, in µs. */
  async #spent(count: number, work: () => Promise<unknown>): Promise<number> {
    const before = cpuMicroseconds(this.#server.pid)
    await work()
    return (cpuMicroseconds(this.#server.pid) - before) / count
  }
}

async function levelsOf({ ground, effort }: Bench, apiBase: string): Promise<readonly Level[]> {
  const server = await ground.start('packaged', { apiBase })
  const crowd = new Crowd(server)
  await crowd.signIn()
  // So that the first level does not measure compilation.
  await crowd.measure(effort.growthRounds)
  const levels: Level[] = []
  for (const count of COUNTS) {
    await crowd.growTo(count)
    await pause(effort.growthRestMs)
    const privateMib = privateMemory(server.pid) / MIB
    levels.push({ privateMib, ...(await crowd.measure(effort.growthRounds)) })
  }
  crowd.leave()
  await server.stop()
  return levels
}

const CURVES = [
  { figure: 'connect', what: 'CPU of the next connection', unit: 'µs' },
  { figure: 'firstCall', what: 'CPU of the first SET_ACTIVITY of the next game', unit: 'µs' },
  { figure: 'call', what: 'CPU of a SET_ACTIVITY among connected games', unit: 'µs' },
  { figure: 'privateMib', what: 'Private memory', unit: 'MiB' },
] as const satisfies readonly { readonly figure: keyof Level; readonly what: string; readonly unit: string }[]

export const games: Row = {
  name: 'games',
  async run(bench) {
    const upstream = new Part('upstream-server.ts', [APPLICATION])
    try {
      const levels = await levelsOf(bench, await upstream.line())
      return CURVES.flatMap(({ figure, what, unit }) =>
        COUNTS.map(
          (at, index): Line => ({
            what: `packaged, connected games: ${at.toLocaleString('en')}; ${what}`,
            unit,
            sallyport: levels[index]![figure],
            point: { curve: what, at, of: 'connected games' },
            whyNoTarget: 'it shows how the cost grows',
          }),
        ),
      )
    } finally {
      await upstream.stop()
    }
  },
}
