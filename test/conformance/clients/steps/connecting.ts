/** Steps of the search for a server and of the handshake. */
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { frame, OP } from '#test/support/frames.ts'
import { event, NO_BRIDGE, readyFrame } from '#test/support/scripted-server.ts'
import { APPLICATION } from '../adapter.ts'
import { must, type Step } from '../play.ts'

/** More than any client should wait for READY. */
const LONG_MS = 11_000

export const CONNECTING: readonly Step[] = [
  {
    id: 'handshake/fields',
    title: 'sends version and application first, and known fields with valid values',
    async run(play) {
      const { peer } = await play.met()
      const sent = await peer.handshake()
      must(sent.v === 1, `"v" must be 1; it is ${JSON.stringify(sent.v)}`)
      must(sent.client_id === APPLICATION, `"client_id" must be the application as text; it is ${JSON.stringify(sent.client_id)}`)
      const { encoding = 'json', contract = '1.0', max_frame_bytes: most = 65_536, streams = true, sdk_version: version = '' } = sent
      must(encoding === 'json', `"encoding" must be what the game chose; it is ${JSON.stringify(encoding)}`)
      must(typeof contract === 'string' && /^\d+\.\d+$/.test(contract), '"contract" must be MAJOR.MINOR')
      must(Number.isInteger(most) && most >= 65_536, '"max_frame_bytes" must be a whole number of at least 65536')
      must(typeof streams === 'boolean' && typeof version === 'string', '"streams" must be a flag and "sdk_version" a text')
      peer.write(readyFrame())
      await play.adapter.state('ready')
    },
  },
  {
    id: 'handshake/waits',
    title: 'sends nothing between the handshake and READY',
    async run(play) {
      const { peer } = await play.met()
      await peer.handshake()
      await play.settled()
      must(peer.waiting === 0, `the client sent ${peer.waiting} frames before READY`)
      peer.write(readyFrame())
      await play.adapter.state('ready')
      await play.works(peer)
    },
  },
  {
    id: 'handshake/plain-server',
    title: 'accepts a READY with the least fields, of a server that is no bridge',
    async run(play) {
      const { peer } = await play.connected({ ...NO_BRIDGE, user: { id: '1', username: 'ada', discriminator: '0', avatar: null } })
      await play.works(peer)
    },
  },
  {
    id: 'handshake/not-ready',
    title: 'is not ready after another first message',
    async run(play) {
      const { peer } = await play.met({ timeout_ms: 0 })
      await peer.handshake()
      peer.write(event('GUILD_STATUS', {}))
      peer.socket.end()
      await play.adapter.down()
      must(!play.adapter.lines.some(({ name }) => name === 'ready'), 'the client was ready without READY')
    },
  },
  {
    id: 'handshake/large-first-frame',
    title: 'ends the connection at a first frame over 1 MiB',
    async run(play) {
      const { peer } = await play.met({ timeout_ms: 0 })
      await peer.handshake()
      peer.write(event('READY', { text: 'x'.repeat(2 * 1_048_576) }))
      await play.adapter.down()
    },
  },
  {
    id: 'handshake/late',
    title: 'waits some seconds for READY',
    needs: ['clock'],
    async run(play) {
      const { peer } = await play.met()
      await peer.handshake()
      await play.advance(3000)
      peer.write(readyFrame())
      await play.adapter.state('ready')
      await play.works(peer)
    },
  },
  {
    id: 'handshake/never',
    title: 'gives up a server that never sends READY',
    needs: ['clock'],
    async run(play) {
      const { peer } = await play.met({ timeout_ms: 0 })
      await peer.handshake()
      await play.advance(LONG_MS)
      await play.adapter.down()
      await peer.ended()
    },
  },
  {
    id: 'search/later-slot',
    title: 'finds a server that is alone in slot 1',
    async run(play) {
      const server = await play.listen(1)
      play.adapter.connect()
      await (await server.peer()).ready()
      await play.adapter.state('ready')
    },
  },
  {
    id: 'search/dead-socket',
    title: 'passes over a socket that a crashed server left',
    async run(play) {
      const gone = await play.listen(9)
      // A server that ends removes its own name only, so the socket stays as after a crash.
      await rename(join(play.runtime, 'discord-ipc-9'), join(play.runtime, 'discord-ipc-0'))
      await gone.close()
      const server = await play.listen(1)
      play.adapter.connect()
      await (await server.peer()).ready()
      await play.adapter.state('ready')
    },
  },
  {
    id: 'search/silent-server',
    title: 'uses the next slot while a server is silent',
    async run(play) {
      const silent = await play.listen()
      const second = await play.listen(1)
      play.adapter.connect()
      await (await silent.peer()).handshake()
      await (await second.peer()).ready()
      await play.adapter.state('ready')
    },
  },
  {
    id: 'search/refused',
    title: 'uses the next slot after a server refused with CLOSE',
    async run(play) {
      const refusing = await play.listen()
      const second = await play.listen(1)
      play.adapter.connect()
      const peer = await refusing.peer()
      await peer.handshake()
      peer.write(frame(OP.CLOSE, { code: 4000, message: 'Invalid Client ID' }))
      peer.socket.end()
      await (await second.peer()).ready()
      await play.adapter.state('ready')
    },
  },
  {
    id: 'search/none',
    title: 'reports that no server was found',
    async run(play) {
      await mkdir(play.runtime, { recursive: true, mode: 0o700 })
      play.adapter.connect({ timeout_ms: 0 })
      await play.adapter.down()
    },
  },
  {
    id: 'prefers-bridge/prefers',
    title: 'takes a bridge in a later slot, and leaves the other server',
    async run(play) {
      const first = await play.listen()
      const second = await play.listen(1)
      play.adapter.connect()
      const other = await first.peer()
      await other.ready(NO_BRIDGE)
      const bridge = await second.peer()
      await bridge.ready()
      await play.adapter.state('ready')
      await other.ended()
      await play.works(bridge)
    },
  },
  {
    id: 'prefers-bridge/other',
    title: 'takes another server if there is no bridge',
    async run(play) {
      const { peer } = await play.connected(NO_BRIDGE)
      await play.works(peer)
    },
  },
]
