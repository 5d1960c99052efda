/**
 * Sends the events of the fan-out row at a fixed rate, however slow the clients are. The daemon gets them from a platform with a gateway. The
 * floor gets ready frames by two plain streams: one for all its clients, and one whose frames go to the clients in turn.
 *
 * A line `gateway|frames all|each RATE COUNT` sends so many events and is answered with the moment of the first, in ns of the monotonic clock.
 *
 * node event-feed.ts APPLICATION GUILDS
 */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type WebSocket, WebSocketServer } from 'ws'
import { gatewayGuild, guildStatusFrame, type Spread } from '../fan-out-events.ts'

const [, , application = '', guildCount = '0'] = process.argv
const GUILDS = Number(guildCount)
const LOOPBACK = '127.0.0.1'
const TICK_MS = 1
/** So that who asked knows when it began before the first comes. */
const LEAD_NS = 50_000_000n
const NS_PER_S = 1e9
const HEARTBEAT_MS = 45_000
const OP = { dispatch: 0, heartbeat: 1, identify: 2, hello: 10, ack: 11 } as const
const USER = { id: '200000000000000001', username: 'player', discriminator: '0', global_name: null, avatar: null }

const SCOPES = ['identify', 'guilds', 'rpc', 'gateway.connect']

/** Events so far; the names of guilds come of it. */
let event = 0
let seq = 0
let gateway: WebSocket | undefined
const streams: Partial<Record<Spread, Socket>> = {}

const portOf = (server: { address(): AddressInfo | string | null }): number => (server.address() as AddressInfo).port

const send = (payload: object): void => gateway?.send(JSON.stringify(payload))
const dispatch = (t: string, d: object): void => send({ op: OP.dispatch, t, s: ++seq, d })

function identified(): void {
  const guilds = Array.from({ length: GUILDS }, (_, index) => index)
  dispatch('READY', {
    v: 10,
    user: USER,
    session_id: 'bench',
    resume_gateway_url: `ws://${LOOPBACK}:${portOf(http)}`,
    guilds: guilds.map((index) => ({ id: (gatewayGuild(index, 0) as { id: string }).id, unavailable: true })),
    application: { id: application, flags: 0 },
  })
  for (const index of guilds)
    dispatch('GUILD_CREATE', { ...gatewayGuild(index, 0), joined_at: '2025-01-01T00:00:00Z', member_count: 1, channels: [], members: [] })
}

const authorization = {
  application: {
    id: application,
    name: 'bench',
    icon: null,
    description: '',
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: '00',
  },
  scopes: SCOPES,
  expires: '2099-01-01T00:00:00.000000+00:00',
  user: { ...USER, public_flags: 0 },
}

const http = createHttpServer((request, response) => {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/v10/oauth2/@me': authorization,
    '/api/v10/users/@me/guilds': [],
    '/api/v10/gateway': { url: `ws://${LOOPBACK}:${portOf(http)}` },
  }
  const answer = answers[(request.url ?? '').split('?')[0] ?? '']
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer ?? { code: 0, message: '404: Not Found' }))
})
new WebSocketServer({ server: http }).on('connection', (socket) => {
  gateway = socket
  send({ op: OP.hello, d: { heartbeat_interval: HEARTBEAT_MS } })
  socket.on('message', (data: Buffer) => {
    const { op } = JSON.parse(data.toString()) as { op: number }
    if (op === OP.heartbeat) send({ op: OP.ack })
    if (op === OP.identify) identified()
  })
})

async function streamFor(spread: Spread): Promise<Server> {
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    streams[spread] = socket
  })
  await once(server.listen(0, LOOPBACK), 'listening')
  return server
}

const BY: Readonly<Record<string, (index: number, spread: Spread) => void>> = {
  gateway: (index) => dispatch('GUILD_UPDATE', gatewayGuild(index, event)),
  frames: (index, spread) => streams[spread]?.write(guildStatusFrame(index, event)),
}

/** Sends all late events at once with those that are due, so that the rate holds even when no client can follow. */
function run(by: string, spread: Spread, rate: number, count: number): bigint {
  const from = process.hrtime.bigint() + LEAD_NS
  let sent = 0
  const ticking = setInterval(() => {
    const due = Math.min(count, Math.floor((Number(process.hrtime.bigint() - from) / NS_PER_S) * rate) + 1)
    for (; sent < due; sent++) {
      event++
      BY[by]?.(spread === 'all' ? 0 : sent % GUILDS, spread)
    }
    if (sent === count) clearInterval(ticking)
  }, TICK_MS)
  return from
}

await once(http.listen(0, LOOPBACK), 'listening')
const ports = [http, await streamFor('all'), await streamFor('each')].map(portOf)
process.stdout.write(`${ports.join(' ')}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const [by = '', spread = 'all', rate, count] = line.split(' ')
  process.stdout.write(`${run(by, spread as Spread, Number(rate), Number(count))}\n`)
}
