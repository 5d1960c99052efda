/** Memory of the packaged daemon in three states, and what 1,000 games that are connected and silent add. */
import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { type Contestant, CONTESTANTS, type ContestantName } from '../contestants/contestants.ts'
import { Part } from '../contestants/part.ts'
import { guildId } from '../fan-out-events.ts'
import { APPLICATION, command, contractHandshake, frame, OPCODE, plainHandshake, setActivity } from '../frames.ts'
import { memory, privateMemory, quietDown } from '../process-figures.ts'
import type { Bench, Held, Line, Row } from '../row.ts'
import { atMost, floorPlus } from '../targets.ts'
import { startTrio, stopTrio, type Trio } from '../trio.ts'
import { untilWebPortsAreFree } from '../web-ports.ts'

const GAMES = 1000
const GROUP = 100
/** That run at the same time. */
const DAEMONS = 3
const MIB = 1024 * 1024
const KIB = 1024
const TOKEN = 'bench-access-token'
const COLLECT = ['--expose-gc', '--import', `${import.meta.dirname}/../contestants/collect-on-signal.mjs`]
/** The signal is asynchronous, and freed pages go back some time after the collection. */
const COLLECTION_MS = 150
const COLLECTIONS = 2

async function playOne({ path }: Contestant): Promise<BenchClient> {
  const game = await BenchClient.open(path, plainHandshake())
  await game.exchange(setActivity(0), 1)
  return game
}

const subscribe = (event: string, args: object): Buffer =>
  frame(OPCODE.FRAME, JSON.stringify({ cmd: 'SUBSCRIBE', evt: event, args, nonce: 'subscribe' }))

/** Uses what the daemon loads late: the HTTP client, the gateway, and the checks of several commands, also their errors. The game then leaves. */
async function loadEverything(server: Contestant): Promise<void> {
  const plain = await playOne(server)
  const game = await BenchClient.open(server.path, contractHandshake())
  const calls = [
    command('GET_BRIDGE_STATUS', {}, 'status'),
    command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in'),
    command('GET_CURRENT_USER_GUILDS', {}, 'guilds'),
    subscribe('ACTIVITY_JOIN', {}),
    command('CREATE_MESSAGE', { channel_id: '1', content: 'text' }, 'message'),
    command('SET_ACTIVITY', { pid: 1, activity: { buttons: 'x' } }, 'refused'),
  ]
  for (const call of calls) await game.ask(call)
  // The event comes with the answer or after it.
  await new Promise<void>((resolve, reject) => {
    game.listen(() => resolve(), reject)
    game.write(subscribe('GUILD_STATUS', { guild_id: guildId(0) }))
  })
  await quietDown(server.pid)
  for (const client of [plain, game]) client.close()
}

interface State {
  readonly private: number
  readonly rss: number
}

/** In MiB: of the floor, and of the daemon with no game yet, with one game, and at rest after everything was loaded. */
async function measureStates({ ground, effort }: Bench, apiBase: string): Promise<readonly State[]> {
  // A page of a file that the disk does not have yet counts for the process.
  spawnSync('sync')
  await (await ground.start('packaged')).stop()
  await untilWebPortsAreFree(DAEMONS)
  const daemon = (): Promise<Contestant> => ground.start('packaged', { apiBase })
  const [floor, untouched, one, loaded] = await Promise.all([ground.start('floor'), daemon(), daemon(), daemon()])
  const game = await playOne(one)
  await loadEverything(loaded)
  await pause(effort.settleMs)
  const servers = [floor, untouched, one, loaded]
  const found = servers.map(({ pid }) => ({ private: privateMemory(pid) / MIB, rss: memory(pid).rss / MIB }))
  game.close()
  await Promise.all(servers.map((server) => server.stop()))
  return found
}

async function states(bench: Bench): Promise<readonly Line[]> {
  const feed = new Part('event-feed.ts', [APPLICATION, '1'])
  try {
    const [platform = ''] = (await feed.line()).split(' ')
    const [floor, untouched, one, loaded] = await measureStates(bench, `http://127.0.0.1:${platform}`)
    const line = (what: string, state: State | undefined, figure: keyof State, held: Held): Line => ({
      what: `packaged, ${what}`,
      unit: 'MiB',
      ...(floor === undefined ? {} : { floor: floor[figure] }),
      ...(state === undefined ? {} : { sallyport: state[figure] }),
      ...held,
    })
    const cached = { whyNoTarget: 'it holds pages of the executable that the system may take back' }
    return [
      line('private memory, no game yet', untouched, 'private', { target: floorPlus(3, 'MiB') }),
      line('private memory, one game', one, 'private', { target: atMost(22, 'MiB') }),
      line('private memory at rest, everything loaded', loaded, 'private', { aim: 'memory of everything' }),
      line('RSS, no game yet', untouched, 'rss', cached),
      line('RSS at rest, everything loaded', loaded, 'rss', cached),
    ]
  } finally {
    await feed.stop()
  }
}

/** What each server holds, in bytes, after it has returned what it can. */
async function heldBy(trio: Trio, restMs: number): Promise<Record<ContestantName, number>> {
  await pause(restMs)
  const held = {} as Record<ContestantName, number>
  for (const name of CONTESTANTS) {
    const { pid } = trio[name]
    for (let collection = 0; collection < COLLECTIONS; collection++) {
      process.kill(pid, 'SIGUSR2')
      await pause(COLLECTION_MS)
      await quietDown(pid)
    }
    held[name] = privateMemory(pid)
  }
  return held
}

/** `GAMES` more. In groups that every backlog takes. */
async function join({ path }: Contestant): Promise<readonly BenchClient[]> {
  const clients: BenchClient[] = []
  for (let joined = 0; joined < GAMES; joined += GROUP) {
    clients.push(...(await Promise.all(Array.from({ length: GROUP }, () => BenchClient.open(path, plainHandshake())))))
  }
  return clients
}

async function crowdOf(bench: Bench): Promise<readonly Line[]> {
  const trio = await startTrio(bench, { nodeFlags: COLLECT })
  const clients: BenchClient[] = []
  for (const name of CONTESTANTS) clients.push(await BenchClient.open(trio[name].path, plainHandshake()))
  const { crowdRestMs } = bench.effort
  const levels = [await heldBy(trio, crowdRestMs)]
  for (let thousand = 1; thousand <= 2; thousand++) {
    for (const name of CONTESTANTS) clients.push(...(await join(trio[name])))
    levels.push(await heldBy(trio, crowdRestMs))
  }
  for (const client of clients) client.close()
  /** What each game of a thousand has added, in KiB. */
  const added = (thousand: 1 | 2): Record<ContestantName, number> => {
    const each = (name: ContestantName): number => (levels[thousand]![name] - levels[thousand - 1]![name]) / GAMES / KIB
    return { floor: each('floor'), sallyport: each('sallyport'), arrpc: each('arrpc') }
  }
  await stopTrio(trio)
  return [
    {
      what: `private memory for each of ${GAMES} idle games`,
      unit: 'KiB',
      ...added(1),
      aim: 'idle game',
      note: 'after a first game; at rest and after a collection, before and after',
    },
    {
      what: `private memory for each of ${GAMES} more`,
      unit: 'KiB',
      ...added(2),
      whyNoTarget: 'it shows which part of the line before is made once',
    },
  ]
}

export const idleMemory: Row = {
  name: 'memory',
  run: async (bench) => [...(await states(bench)), ...(await crowdOf(bench))],
}
