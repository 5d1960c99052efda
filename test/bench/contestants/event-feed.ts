/**
 * Sends the events of the fan-out row at a fixed rate, however slow the clients are. The daemon gets them from a platform with a gateway. The
 * floor gets ready frames by two plain streams: one for all its clients, and one whose frames go to the clients in turn.
 *
 * A line `gateway|frames all|each RATE COUNT` sends so many events, and is answered when they begin.
 *
 * node event-feed.ts APPLICATION GUILDS
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { gatewayGuild, guildId, guildStatusFrame, type Spread } from '../fan-out-events.ts'
import { openPlatform } from './platform.ts'

const [, , application = '', guildCount = '0'] = process.argv
const GUILDS = Number(guildCount)
const LOOPBACK = '127.0.0.1'
const TICK_MS = 1
const MS_PER_S = 1000
const SCOPES = ['identify', 'guilds', 'rpc', 'gateway.connect']

/** Events so far; the names of guilds come of it. */
let event = 0
const streams: Partial<Record<Spread, Socket>> = {}

const platform = await openPlatform({
  application,
  scopes: SCOPES,
  onIdentify({ dispatch, readyFields }) {
    const guilds = Array.from({ length: GUILDS }, (_, index) => index)
    dispatch('READY', { ...readyFields, guilds: guilds.map((index) => ({ id: guildId(index), unavailable: true })) })
    for (const index of guilds)
      dispatch('GUILD_CREATE', { ...gatewayGuild(index, 0), joined_at: '2025-01-01T00:00:00Z', member_count: 1, channels: [], members: [] })
  },
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
  gateway: (index) => platform.dispatch('GUILD_UPDATE', gatewayGuild(index, event)),
  frames: (index, spread) => streams[spread]?.write(guildStatusFrame(index, event)),
}

/** Sends all late events at once with those that are due, so that the rate holds even when no client can follow. */
function run(by: string, spread: Spread, rate: number, count: number): void {
  const from = performance.now()
  let sent = 0
  const ticking = setInterval(() => {
    const due = Math.min(count, Math.floor(((performance.now() - from) / MS_PER_S) * rate) + 1)
    for (; sent < due; sent++) {
      event++
      BY[by]?.(spread === 'all' ? 0 : sent % GUILDS, spread)
    }
    if (sent === count) clearInterval(ticking)
  }, TICK_MS)
}

const ports = [await streamFor('all'), await streamFor('each')].map((server) => (server.address() as AddressInfo).port)
process.stdout.write(`${[platform.port, ...ports].join(' ')}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const [by = '', spread = 'all', rate, count] = line.split(' ')
  run(by, spread as Spread, Number(rate), Number(count))
  process.stdout.write('begun\n')
}
