/**
 * How long the first call of a command keeps the daemon from answering any other game, and what it costs. Each is made on a daemon that has just
 * started, while a second game sends a PING after each PONG: the longest wait for a PONG is the longest block of the event loop.
 */
import { BenchClient } from '../client.ts'
import type { Contestant, ServerName } from '../contestants/contestants.ts'
import { Part } from '../contestants/part.ts'
import { APPLICATION, command, frame, OPCODE, plainHandshake, setActivity } from '../frames.ts'
import { cpuMicroseconds, quietDown } from '../process-figures.ts'
import { atMost, type Bench, type Row } from '../row.ts'
import { median } from '../statistics.ts'

const TOKEN = 'bench-access-token'
const PING = frame(OPCODE.PING, '1')
/** Before the call, so that the path of a PING is warm. */
const WARM_PINGS = 300
/** After its answer, so that work which follows it counts. */
const LAST_PINGS = 30
const US_PER_MS = 1000

const SIGN_IN = command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in')
const SUBSCRIBE = frame(
  OPCODE.FRAME,
  JSON.stringify({ cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: { guild_id: '300000000000000000' }, nonce: 'subscribe' }),
)

interface FirstCall {
  readonly name: string
  readonly bytes: Buffer
  /** Whether the game has signed in. */
  readonly isSignedIn?: boolean
}

const FORWARDED: FirstCall = { name: 'GET_CURRENT_USER_GUILDS', bytes: command('GET_CURRENT_USER_GUILDS', {}, 'first'), isSignedIn: true }
const AUTHENTICATE: FirstCall = { name: 'AUTHENTICATE', bytes: SIGN_IN }

/** With small schemas and large ones; answered by the daemon, by the platform, and with an error. */
const CALLS: readonly FirstCall[] = [
  { name: 'SET_ACTIVITY', bytes: setActivity(0) },
  { name: 'GET_BRIDGE_STATUS', bytes: command('GET_BRIDGE_STATUS', {}, 'first') },
  AUTHENTICATE,
  FORWARDED,
  { name: 'SUBSCRIBE', bytes: SUBSCRIBE, isSignedIn: true },
  { name: 'CREATE_MESSAGE', bytes: command('CREATE_MESSAGE', { channel_id: '1', content: 'first' }, 'first'), isSignedIn: true },
  { name: 'SET_ACTIVITY refused', bytes: command('SET_ACTIVITY', { pid: 1, activity: { buttons: 'x' } }, 'first') },
]

/** The longest wait for an answer to a PING until `end` has passed, in ms. */
async function longestWait(client: BenchClient, isOver: () => boolean): Promise<number> {
  let longest = 0
  for (let left = LAST_PINGS; left > 0; ) {
    const from = performance.now()
    await client.exchange(PING, 1)
    longest = Math.max(longest, performance.now() - from)
    if (isOver()) left--
  }
  return longest
}

interface Signed {
  readonly server: Contestant
  readonly game: BenchClient
}

async function ready({ ground }: Bench, name: ServerName, apiBase: string, isSignedIn: boolean): Promise<Signed> {
  const server = await ground.start(name, { apiBase })
  const game = await BenchClient.open(server.path, plainHandshake())
  if (isSignedIn) await game.exchange(SIGN_IN, 1)
  await quietDown(server.pid)
  return { server, game }
}

async function blockOf(bench: Bench, name: ServerName, apiBase: string, { bytes, isSignedIn = false }: FirstCall): Promise<number> {
  const { server, game } = await ready(bench, name, apiBase, isSignedIn)
  const other = await BenchClient.open(server.path, plainHandshake())
  for (let ping = 0; ping < WARM_PINGS; ping++) await other.exchange(PING, 1)
  let isAnswered = false
  const answered = game.exchange(bytes, 1).then(() => (isAnswered = true))
  const longest = await longestWait(other, () => isAnswered)
  await answered
  for (const client of [game, other]) client.close()
  await server.stop()
  return longest
}

async function cpuOf(bench: Bench, apiBase: string, { bytes, isSignedIn = false }: FirstCall): Promise<number> {
  const { server, game } = await ready(bench, 'packaged', apiBase, isSignedIn)
  const before = cpuMicroseconds(server.pid)
  await game.exchange(bytes, 1)
  const cpu = (cpuMicroseconds(server.pid) - before) / US_PER_MS
  game.close()
  await server.stop()
  return cpu
}

export const firstCall: Row = {
  name: 'first-call',
  async run(bench) {
    const upstream = new Part('upstream-server.ts', [APPLICATION])
    const apiBase = await upstream.line()
    const times = async (measure: () => Promise<number>): Promise<number> => {
      const all: number[] = []
      for (let round = 0; round < bench.effort.firstCalls; round++) all.push(await measure())
      return median(all)
    }
    try {
      const blocks: { readonly name: string; readonly ms: number }[] = []
      for (const call of CALLS) blocks.push({ name: call.name, ms: await times(() => blockOf(bench, 'packaged', apiBase, call)) })
      const floor = await times(() => blockOf(bench, 'floor with JSON', apiBase, { name: 'any', bytes: setActivity(0) }))
      const longest = Math.max(...blocks.map(({ ms }) => ms))
      return [
        {
          what: 'packaged, longest block of the event loop by a first call',
          unit: 'ms',
          floor,
          sallyport: longest,
          target: atMost(10, 'ms'),
          note: `${blocks.map(({ name, ms }) => `${name} ${ms.toFixed(1)}`).join(', ')}; the floor parses and prints`,
        },
        {
          what: 'packaged, first call that loads the HTTP client: CPU',
          unit: 'ms',
          sallyport: await times(() => cpuOf(bench, apiBase, AUTHENTICATE)),
          target: atMost(25, 'ms'),
          note: 'AUTHENTICATE, which loads it',
        },
        {
          what: 'packaged, first forwarded call: CPU',
          unit: 'ms',
          sallyport: await times(() => cpuOf(bench, apiBase, FORWARDED)),
          target: atMost(25, 'ms'),
          note: 'after AUTHENTICATE',
        },
      ]
    } finally {
      await upstream.stop()
    }
  },
}
