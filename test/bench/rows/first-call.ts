/**
 * How long the first call of a command keeps the daemon from answering any other game, what it costs, and which processes it starts. Each is made
 * on a daemon that has just started.
 */
import { join } from 'node:path'
import { BenchClient } from '../client.ts'
import type { Contestant, Ground, ServerName } from '../contestants/contestants.ts'
import { Part } from '../contestants/part.ts'
import { startCounted } from '../counted-start.ts'
import { writeTokens } from '../data-folder.ts'
import type { Figures } from '../figures.ts'
import { APPLICATION, command, frame, OPCODE, plainHandshake, setActivity } from '../frames.ts'
import { longestWait } from '../longest-wait.ts'
import { familyMicroseconds, quietDown } from '../process-figures.ts'
import type { Bench, Row } from '../row.ts'
import { median } from '../statistics.ts'
import { exactly } from '../targets.ts'

const TOKEN = 'bench-access-token'
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
  /** Whether the daemon has stored tokens of other days. */
  readonly hasTokens?: boolean
}

const FORWARDED: FirstCall = { name: 'GET_CURRENT_USER_GUILDS', bytes: command('GET_CURRENT_USER_GUILDS', {}, 'first'), isSignedIn: true }
const AUTHENTICATE: FirstCall = { name: 'AUTHENTICATE', bytes: SIGN_IN }
const WITH_TOKENS: FirstCall = { name: 'AUTHENTICATE with stored tokens', bytes: SIGN_IN, hasTokens: true }

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

async function folderFor(ground: Ground, { hasTokens = false }: FirstCall): Promise<string> {
  const directory = ground.folder()
  if (hasTokens) await writeTokens(join(directory, 'data'), 1)
  return directory
}

interface Signed {
  readonly server: Contestant
  readonly game: BenchClient
}

/** A game that has READY, and has signed in if the call needs it. */
async function joined(server: Contestant, { isSignedIn = false }: FirstCall): Promise<Signed> {
  const game = await BenchClient.open(server.path, plainHandshake())
  if (isSignedIn) await game.exchange(SIGN_IN, 1)
  await quietDown(server.pid)
  return { server, game }
}

const left = async ({ server, game }: Signed): Promise<void> => {
  game.close()
  await server.stop()
}

/** The longest wait of another game, in ms. */
async function blockOf({ ground }: Bench, name: ServerName, apiBase: string, call: FirstCall): Promise<number> {
  const signed = await joined(await ground.start(name, { apiBase }), call)
  const other = await BenchClient.open(signed.server.path, plainHandshake())
  const longest = await longestWait(other, () => signed.game.exchange(call.bytes, 1))
  other.close()
  await left(signed)
  return longest
}

/** In ms. */
interface Cost {
  readonly wall: number
  /** Of the daemon and of what it starts. */
  readonly cpu: number
}

async function costOf({ ground }: Bench, apiBase: string, call: FirstCall): Promise<Cost> {
  const signed = await joined(await ground.startIn('packaged', await folderFor(ground, call), { apiBase }), call)
  const before = familyMicroseconds(signed.server.pid)
  const from = performance.now()
  await signed.game.exchange(call.bytes, 1)
  const wall = performance.now() - from
  const cpu = (familyMicroseconds(signed.server.pid) - before) / US_PER_MS
  await left(signed)
  return { wall, cpu }
}

/** How many processes the call starts, also those that end before its answer or start a moment after it. */
async function processesOf({ ground }: Bench, apiBase: string, call: FirstCall): Promise<number> {
  const { server, processes } = await startCounted(ground, 'packaged', await folderFor(ground, call), { apiBase })
  const signed = await joined(server, call)
  const before = processes()
  await signed.game.exchange(call.bytes, 1)
  await quietDown(server.pid)
  const started = processes() - before
  await left(signed)
  return started
}

async function linesOf(bench: Bench, apiBase: string): ReturnType<Row['run']> {
  const times = async <Figure>(measure: () => Promise<Figure>): Promise<readonly Figure[]> => {
    const all: Figure[] = []
    for (let round = 0; round < bench.effort.firstCalls; round++) all.push(await measure())
    return all
  }
  const figuresOf = (what: string, call: FirstCall, key: keyof Cost, costs: readonly Cost[]): Figures => ({
    what: `packaged, ${what}`,
    unit: 'ms',
    sallyport: median(costs.map((cost) => cost[key])),
    note: call.name,
  })
  const blocks: { readonly name: string; readonly ms: number }[] = []
  const started: { readonly name: string; readonly processes: number }[] = []
  for (const call of CALLS) {
    blocks.push({ name: call.name, ms: median(await times(() => blockOf(bench, 'packaged', apiBase, call))) })
    started.push({ name: call.name, processes: await processesOf(bench, apiBase, call) })
  }
  const floor = median(await times(() => blockOf(bench, 'floor with JSON', apiBase, { name: 'any', bytes: setActivity(0) })))
  const signIns = await times(() => costOf(bench, apiBase, AUTHENTICATE))
  const returns = await times(() => costOf(bench, apiBase, WITH_TOKENS))
  const forwards = await times(() => costOf(bench, apiBase, FORWARDED))
  return [
    {
      what: 'packaged, longest block of the event loop by a first call',
      unit: 'ms',
      floor,
      sallyport: Math.max(...blocks.map(({ ms }) => ms)),
      aim: 'block by a first call',
      note: `${blocks.map(({ name, ms }) => `${name} ${ms.toFixed(1)}`).join(', ')}; the floor parses and prints`,
    },
    { ...figuresOf('first sign-in: wall', AUTHENTICATE, 'wall', signIns), aim: 'sign-in' },
    {
      ...figuresOf('first sign-in: CPU, with all processes that it starts', AUTHENTICATE, 'cpu', signIns),
      whyNoTarget: 'the wall time has it',
    },
    {
      what: 'packaged, first sign-in: processes started',
      unit: 'processes',
      sallyport: started.find(({ name }) => name === AUTHENTICATE.name)?.processes ?? Number.NaN,
      aim: 'processes of a sign-in',
      note: 'without stored tokens',
    },
    {
      ...figuresOf('first sign-in with stored tokens: wall', WITH_TOKENS, 'wall', returns),
      whyNoTarget: 'the keychain has most of it',
    },
    {
      ...figuresOf('first sign-in with stored tokens: CPU, with all processes that it starts', WITH_TOKENS, 'cpu', returns),
      whyNoTarget: 'the process that reads the keychain is part of it',
    },
    {
      what: 'packaged, first sign-in with stored tokens: processes started',
      unit: 'processes',
      sallyport: await processesOf(bench, apiBase, WITH_TOKENS),
      whyNoTarget: 'one process reads the keychain, so that it cannot block the daemon',
    },
    {
      what: 'packaged, first calls: most processes started by one',
      unit: 'processes',
      sallyport: Math.max(...started.map(({ processes }) => processes)),
      target: exactly(0),
      note: started.map(({ name, processes }) => `${name} ${processes}`).join(', '),
    },
    { ...figuresOf('first forwarded call: wall', FORWARDED, 'wall', forwards), whyNoTarget: 'the sign-in has most of it' },
    {
      ...figuresOf('first forwarded call: CPU', FORWARDED, 'cpu', forwards),
      whyNoTarget: 'a call that goes to the platform again and again has one',
    },
  ]
}

export const firstCall: Row = {
  name: 'first-call',
  async run(bench) {
    const upstream = new Part('upstream-server.ts', [APPLICATION])
    try {
      return await linesOf(bench, await upstream.line())
    } finally {
      await upstream.stop()
    }
  },
}
