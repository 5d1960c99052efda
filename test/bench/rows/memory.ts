/** Memory of a server that has just started, and what 1,000 games that are connected and silent add to it. */
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { type ContestantName, CONTESTANTS, daemonFlags, LAUNCHES, PACKAGED } from '../contestants/contestants.ts'
import { plainHandshake } from '../frames.ts'
import { memory, quietDown } from '../process-figures.ts'
import type { Bench, Row, Target } from '../row.ts'
import { startTrio, stopTrio, type Trio } from '../trio.ts'

const GAMES = 1000
const GROUP = 100
const MIB = 1024 * 1024
const KIB = 1024
const MORE_MIB = 20
const EACH_KIB = 8
const COLLECT = ['--expose-gc', '--import', `${import.meta.dirname}/../contestants/collect-on-signal.mjs`]
/** The signal is asynchronous, and freed pages go back some time after the collection. */
const COLLECTION_MS = 150
const COLLECTIONS = 2

const atStart: Target = {
  text: `≤ floor + ${MORE_MIB} MiB`,
  isHeld: ({ sallyport, floor }) => sallyport !== undefined && floor !== undefined && sallyport <= floor + MORE_MIB,
}
const perClient: Target = { text: `≤ ${EACH_KIB} KiB`, isHeld: ({ sallyport }) => sallyport !== undefined && sallyport <= EACH_KIB }

async function heldBy(pid: number): Promise<number> {
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    process.kill(pid, 'SIGUSR2')
    await pause(COLLECTION_MS)
    await quietDown(pid)
  }
  return memory(pid).rss
}

const each = async <T>(measure: (name: ContestantName) => Promise<T>): Promise<Record<ContestantName, T>> => {
  const found = {} as Record<ContestantName, T>
  for (const name of CONTESTANTS) found[name] = await measure(name)
  return found
}

const divided = (bytes: Record<ContestantName, number>, by: number): Record<ContestantName, number> => ({
  floor: bytes.floor / by,
  sallyport: bytes.sallyport / by,
  arrpc: bytes.arrpc / by,
})

const difference = (after: Record<ContestantName, number>, before: Record<ContestantName, number>): Record<ContestantName, number> => ({
  floor: after.floor - before.floor,
  sallyport: after.sallyport - before.sallyport,
  arrpc: after.arrpc - before.arrpc,
})

async function packagedAtStart({ ground }: Bench): Promise<number> {
  const directory = ground.folder()
  const { env, path, saysReady } = LAUNCHES.sallyport(directory, {})
  const args = daemonFlags(directory, 'http://127.0.0.1:9')
  const server = await ground.launch('the packaged daemon', directory, { program: PACKAGED, args, env, path, saysReady })
  await quietDown(server.pid)
  const { rss } = memory(server.pid)
  await server.stop()
  return rss
}

/** In groups that every backlog takes. */
async function joinAll(trio: Trio, name: ContestantName, clients: BenchClient[]): Promise<number> {
  for (let joined = 0; joined < GAMES; joined += GROUP) {
    clients.push(...(await Promise.all(Array.from({ length: GROUP }, () => BenchClient.open(trio[name].path, plainHandshake())))))
  }
  return heldBy(trio[name].pid)
}

export const idleMemory: Row = {
  name: 'memory',
  async run(bench) {
    const untouched = await startTrio(bench)
    const start = await each(async (name) => {
      await quietDown(untouched[name].pid)
      return memory(untouched[name].pid).rss
    })
    await stopTrio(untouched)
    const packaged = existsSync(PACKAGED) ? await packagedAtStart(bench) : undefined

    const trio = await startTrio(bench, { nodeFlags: COLLECT })
    const clients: BenchClient[] = []
    const none = await each((name) => heldBy(trio[name].pid))
    const first = await each((name) => joinAll(trio, name, clients))
    const second = await each((name) => joinAll(trio, name, clients))
    for (const client of clients) client.close()
    await stopTrio(trio)
    return [
      { what: 'RSS at start', unit: 'MiB', ...divided(start, MIB), target: atStart },
      ...(packaged === undefined
        ? []
        : [{ what: 'RSS at start, packaged', unit: 'MiB', floor: start.floor / MIB, sallyport: packaged / MIB, target: atStart } as const]),
      {
        what: `RSS for each of ${GAMES} idle clients`,
        unit: 'KiB',
        ...divided(difference(first, none), GAMES * KIB),
        target: perClient,
        note: 'after a collection before and after; holds what is loaded and compiled at the first connection',
      },
      { what: `RSS for each of ${GAMES} more`, unit: 'KiB', ...divided(difference(second, first), GAMES * KIB) },
    ]
  },
}
