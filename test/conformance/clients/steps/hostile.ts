/** Steps with servers that break the rules: what a client must survive, and how much memory it may take. */
import { once } from 'node:events'
import { frame, head, OP } from '#test/support/frames.ts'
import { event, type Peer, responseTo } from '#test/support/scripted-server.ts'
import { must, type Play, type Step } from '../play.ts'

const MEBIBYTE = 1_048_576
/** Bytes of events in the flood, and the most that a client may grow by meanwhile. */
const FLOOD_BYTES = 96 * MEBIBYTE
const FLOOD_GROWTH = 64 * MEBIBYTE
const BROKEN_GROWTH = 48 * MEBIBYTE

/** Fails if the client took more memory than it may since `before`. */
function withinMemory(play: Play, before: { readonly now: number } | undefined, most: number): void {
  const grown = (play.adapter.memory()?.peak ?? 0) - (before?.now ?? 0)
  must(
    before === undefined || grown <= most,
    `the client grew by ${Math.round(grown / MEBIBYTE)} MiB; at most ${most / MEBIBYTE} are allowed`,
  )
}

/** A client may go on or end the connection after broken bytes, but no call may hang, and the next one must work. */
async function survives(play: Play, bytes: Buffer): Promise<void> {
  const { server, peer } = await play.connected()
  const before = play.adapter.memory()
  const id = play.adapter.call('X')
  const call = await peer.message()
  const from = play.adapter.lines.length
  peer.write(bytes, responseTo(call, 'right'))
  const { data, error } = await play.adapter.result(id)
  must(error !== undefined || data === 'right', `the call must fail or get its response; it got ${JSON.stringify(data)}`)
  withinMemory(play, before, BROKEN_GROWTH)
  if (error === undefined) return play.works(peer)
  await peer.ended()
  if (!play.has('reconnect')) return
  const again = await server.peer()
  await again.ready()
  await play.adapter.state('ready', from)
  await play.works(again)
}

const BROKEN: Readonly<Record<string, readonly [title: string, bytes: Buffer]>> = {
  'not-json': ['text that is not JSON', frame(OP.FRAME, '{"cmd":')],
  'not-utf8': ['bytes that are not UTF-8', frame(OP.FRAME, Buffer.from([0x22, 0xff, 0x22]))],
  brackets: ['a hundred thousand brackets', frame(OP.FRAME, '['.repeat(100_000))],
  'length-4-gib': ['a length of 4 GiB', head(OP.FRAME, 0xffff_ffff)],
  'length-over-limit': ['a length over the limit', head(OP.FRAME, MEBIBYTE + 1)],
  opcode: ['an unknown type of frame', frame(99, 'x')],
  handshake: ['a handshake', frame(OP.HANDSHAKE, {})],
}

/** Messages of a shape that no server sends; a newer one may. */
const ODD = [
  ...[null, 1, 'x', [], {}, { cmd: 7 }, { cmd: 'DISPATCH' }, { cmd: 'DISPATCH', evt: 7 }, { cmd: 'DISPATCH', evt: 'x'.repeat(1000) }],
  ...[{ nonce: {} }, { cmd: 'X', evt: 'Y', nonce: null, data: null }, { cmd: null, evt: null, nonce: null }],
]

/** Writes as fast as the client reads. */
async function flood(peer: Peer, bytes: Buffer, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1) if (!peer.socket.write(bytes)) await once(peer.socket, 'drain')
}

export const HOSTILE: readonly Step[] = [
  ...Object.entries(BROKEN).map(
    ([name, [what, bytes]]): Step => ({
      id: `broken-servers/${name}`,
      title: `survives ${what}, and ends no call without a report`,
      run: (play) => survives(play, bytes),
    }),
  ),
  {
    id: 'broken-servers/odd-messages',
    title: 'ignores messages of unknown shape',
    async run(play) {
      const { peer } = await play.connected()
      peer.write(...ODD.map((message) => frame(OP.FRAME, JSON.stringify(message))))
      await play.works(peer)
    },
  },
  {
    id: 'flood/events',
    title: `takes ${FLOOD_BYTES / MEBIBYTE} MiB of events with bounded memory, and still makes calls`,
    async run(play) {
      const { peer } = await play.connected()
      await play.works(peer)
      const before = play.adapter.memory()
      const noise = Buffer.concat(Array.from({ length: 64 }, () => event('NOISE', { text: 'x'.repeat(1000) })))
      await flood(peer, noise, Math.ceil(FLOOD_BYTES / noise.length))
      await play.works(peer)
      withinMemory(play, before, FLOOD_GROWTH)
    },
  },
  {
    id: 'flood/wanted-events',
    title: 'delivers each of 20,000 events once and in order',
    needs: ['events'],
    async run(play) {
      const { peer } = await play.connected()
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      const count = 20_000
      for (let n = 0; n < count; n += 500)
        await flood(peer, Buffer.concat(Array.from({ length: 500 }, (_, index) => event('ACTIVITY_JOIN', { n: n + index }))), 1)
      await play.adapter.wait('the last event', (line) => line.event === 'dispatch' && line.data?.n === count - 1)
      const numbers = play.adapter.dispatched('ACTIVITY_JOIN').map(({ data }) => data?.n as unknown)
      must(
        numbers.length === count && numbers.every((n, index) => n === index),
        `of ${count} events ${numbers.length} came, or out of order`,
      )
    },
  },
  {
    id: 'flood/pings',
    title: 'takes 200,000 PINGs of a server that reads no PONG, with bounded memory',
    async run(play) {
      const { peer } = await play.connected()
      await play.works(peer)
      const before = play.adapter.memory()
      peer.socket.pause()
      await flood(
        peer,
        Buffer.concat(Array.from({ length: 1000 }, () => frame(OP.PING, '{"padding":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}'))),
        200,
      )
      peer.socket.resume()
      await play.settled()
      withinMemory(play, before, FLOOD_GROWTH)
    },
  },
]
