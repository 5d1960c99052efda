/**
 * CPU that a delivery of a gateway event to a subscribed client takes, among a thousand clients, against a program that writes one shared buffer
 * to as many. Not the highest rate that keeps its latency: near a full processor the last percent of load decides that, and all clients
 * and both servers share two processors.
 */
import { deepStrictEqual } from 'node:assert'
import { join } from 'node:path'
import { BenchClient } from '../client.ts'
import type { Contestant, Ground } from '../contestants/contestants.ts'
import { Part } from '../contestants/part.ts'
import { guildId, guildStatus, type Spread } from '../fan-out-events.ts'
import { APPLICATION, command, contractHandshake, frame, OPCODE } from '../frames.ts'
import { cpuMicroseconds, quietDown } from '../process-figures.ts'
import type { Bench, Held, Line, Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'
import { ratioAtMost } from '../targets.ts'

const CLIENTS = 1000
const TOKEN = 'bench-access-token'
const NOTHING = Buffer.alloc(0)
const WARM_ROUNDS = 1
/** Events per second for which a turn has all the events of the effort. */
const FASTEST = 1000

const SIDES = ['floor', 'sallyport'] as const
type Side = (typeof SIDES)[number]
/** In which form the events come to it. */
const FED_BY: Readonly<Record<Side, string>> = { floor: 'frames', sallyport: 'gateway' }

interface Shape {
  readonly spread: Spread
  /** Events in a second. */
  readonly rate: number
  readonly what: string
  readonly held: Held
}

/** Those of one spread are measured on the same servers. */
const SHAPES: Readonly<Record<Spread, readonly Shape[]>> = {
  each: [
    {
      spread: 'each',
      rate: 1000,
      what: '1,000 events/s, each to its own of 1,000 clients',
      held: { whyNoTarget: 'the floor has no event to read: it gets ready frames' },
    },
  ],
  all: [
    {
      spread: 'all',
      rate: 100,
      what: '100 events/s, each to 1,000 clients',
      held: { whyNoTarget: 'how many events meet in one turn of the event loop decides it' },
    },
    { spread: 'all', rate: 1000, what: '1,000 events/s, each to 1,000 clients', held: { target: ratioAtMost(1.2) } },
  ],
}

interface Answer {
  readonly evt: unknown
  readonly data: unknown
}

/** A crowd of clients at one server. */
interface Crowd {
  readonly server: Contestant
  readonly clients: readonly BenchClient[]
}

async function startFloor(ground: Ground, ports: readonly string[]): Promise<Contestant> {
  const directory = ground.folder()
  const path = join(directory, 'floor')
  const program = join(import.meta.dirname, '../contestants/fan-out-floor.mjs')
  return ground.launch('floor', directory, {
    program: process.execPath,
    args: [program, path, ...ports],
    env: {},
    path,
    saysReady: (line) => line === 'ready',
  })
}

const open = ({ path }: Contestant): Promise<BenchClient[]> =>
  Promise.all(Array.from({ length: CLIENTS }, () => BenchClient.open(path, contractHandshake())))

/** Signs in and subscribes; the state of the guild comes with the answer or a moment later. */
async function subscribe(client: BenchClient, guild: number): Promise<void> {
  const signedIn = (await client.ask(command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in'))) as Answer
  if (signedIn.evt !== null) throw new Error(`the daemon answered ${JSON.stringify(signedIn.data)}`)
  const subscription = { cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: { guild_id: guildId(guild) }, nonce: 'subscribe' }
  await new Promise<void>((resolve, reject) => {
    client.listen(() => resolve(), reject)
    client.write(frame(OPCODE.FRAME, JSON.stringify(subscription)))
  })
}

/** What is fast must also be right: the bytes of an event are those that the floor sends. */
async function checkBytes(feed: Part, crowds: Readonly<Record<Side, Crowd>>, spread: Spread): Promise<void> {
  let event = 0
  for (const [side, by] of Object.entries(FED_BY)) {
    const { clients } = crowds[side as Side]
    const received = Promise.all(clients.map((client) => client.ask(NOTHING)))
    await feed.ask(`${by} ${spread} ${CLIENTS} ${spread === 'all' ? 1 : CLIENTS}`)
    for (const [index, one] of (await received).entries())
      deepStrictEqual(one, spread === 'all' ? guildStatus(0, event + 1) : guildStatus(index, event + index + 1))
    event += spread === 'all' ? 1 : CLIENTS
  }
}

/** CPU of the server for each delivery of one turn, in µs. */
async function turnOf(feed: Part, side: Side, { server, clients }: Crowd, { spread, rate }: Shape, events: number): Promise<number> {
  const perClient = spread === 'all' ? events : events / CLIENTS
  const allClients = Promise.all(
    clients.map(
      (client) =>
        new Promise<void>((resolve, reject) => {
          let received = 0
          client.listen((count) => {
            received += count
            if (received === perClient) resolve()
            else if (received > perClient) reject(new Error(`${side} sent more events than there were`))
          }, reject)
        }),
    ),
  )
  const before = cpuMicroseconds(server.pid)
  await feed.ask(`${FED_BY[side]} ${spread} ${rate} ${events}`)
  await allClients
  return (cpuMicroseconds(server.pid) - before) / (perClient * CLIENTS)
}

async function measure(feed: Part, crowds: Readonly<Record<Side, Crowd>>, shape: Shape, { effort }: Bench): Promise<Line> {
  // A slow rate takes as long as a fast one.
  const events = shape.spread === 'all' ? (effort.fanOutEvents * shape.rate) / FASTEST : CLIENTS
  const turns = await inTurns(SIDES, effort.fanOutRounds + WARM_ROUNDS, (side) => turnOf(feed, side, crowds[side], shape, events))
  const [floor, sallyport] = SIDES.map((side) => turns[side].slice(WARM_ROUNDS)) as [number[], number[]]
  const ratio = pairedRatio(sallyport, floor)
  const what = `${shape.what}: CPU per delivery`
  return { what, unit: 'µs', floor: median(floor), sallyport: median(sallyport), ratio, ...shape.held }
}

async function measureAll(spread: Spread, bench: Bench): Promise<readonly Line[]> {
  const feed = new Part('event-feed.ts', [APPLICATION, String(CLIENTS)])
  const [platform = '', ...streams] = (await feed.line()).split(' ')
  const servers: Readonly<Record<Side, Contestant>> = {
    floor: await startFloor(bench.ground, streams),
    sallyport: await bench.ground.start('sallyport', { apiBase: `http://127.0.0.1:${platform}` }),
  }
  const crowds: Readonly<Record<Side, Crowd>> = {
    floor: { server: servers.floor, clients: await open(servers.floor) },
    sallyport: { server: servers.sallyport, clients: await open(servers.sallyport) },
  }
  try {
    await Promise.all(crowds.sallyport.clients.map((client, index) => subscribe(client, spread === 'all' ? 0 : index)))
    await quietDown(servers.sallyport.pid)
    await checkBytes(feed, crowds, spread)
    const lines: Line[] = []
    for (const shape of SHAPES[spread]) lines.push(await measure(feed, crowds, shape, bench))
    return lines
  } finally {
    for (const side of SIDES) {
      for (const client of crowds[side].clients) client.close()
      await servers[side].stop()
    }
    await feed.stop()
  }
}

export const fanOut: Row = {
  name: 'fan-out',
  async run(bench) {
    return [...(await measureAll('each', bench)), ...(await measureAll('all', bench))]
  },
}
