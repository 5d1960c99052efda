/** Steps of MessagePack: negotiated in the handshake, refused, or ignored by the server. */
import { pack, unpack } from 'msgpackr/pack'
import { frame, OP } from '#test/support/frames.ts'
import { NO_BRIDGE, readyFrame } from '#test/support/scripted-server.ts'
import { must, type Step } from '../play.ts'

const READY = {
  cmd: 'DISPATCH',
  evt: 'READY',
  nonce: null,
  data: { v: 1, config: {}, user: { id: '1', username: 'ada' }, bridge: { name: 'sallyport', version: '0' }, contract: '1.0' },
}
const packed = (message: object): Buffer => frame(OP.FRAME, Buffer.from(pack(message)))

const broken = (name: string, title: string, payload: readonly number[]): Step => ({
  id: `msgpack/${name}`,
  title,
  async run(play) {
    const { peer } = await play.met({ encoding: 'msgpack' })
    await peer.handshake()
    peer.write(packed(READY))
    await play.adapter.state('ready')
    const id = play.adapter.call('X')
    await peer.expect(OP.FRAME)
    peer.write(frame(OP.FRAME, Buffer.from(payload)))
    must((await play.adapter.result(id)).error !== undefined, 'the call must fail')
  },
})

export const MSGPACK: readonly Step[] = [
  {
    id: 'msgpack/calls',
    title: 'asks for MessagePack in a JSON handshake, then calls in it',
    async run(play) {
      const { peer } = await play.met({ encoding: 'msgpack' })
      must((await peer.handshake()).encoding === 'msgpack', '"encoding" must be msgpack')
      peer.write(packed(READY))
      await play.adapter.state('ready')
      const id = play.adapter.call('GET_LOBBY', { lobby_id: '7' })
      const call = unpack(await peer.expect(OP.FRAME)) as { readonly cmd: string; readonly args: any; readonly nonce: string }
      must(call.cmd === 'GET_LOBBY' && call.args?.lobby_id === '7', `the call must be packed; it is ${JSON.stringify(call)}`)
      peer.write(packed({ cmd: call.cmd, evt: null, nonce: call.nonce, data: { text: 'é😀', list: [1, -2.5, null] } }))
      const { data } = await play.adapter.result(id)
      must(data?.text === 'é😀' && data.list?.length === 3, `the response must arrive unchanged; it is ${JSON.stringify(data)}`)
    },
  },
  {
    id: 'msgpack/ignored',
    title: 'uses JSON if the server answers in JSON',
    async run(play) {
      const { peer } = await play.met({ encoding: 'msgpack' })
      await peer.handshake()
      peer.write(readyFrame(NO_BRIDGE))
      await play.adapter.state('ready')
      await play.works(peer)
    },
  },
  {
    id: 'msgpack/refused',
    title: 'connects again with JSON if the server refuses the encoding',
    async run(play) {
      const { server, peer } = await play.met({ encoding: 'msgpack' })
      await peer.handshake()
      peer.write(frame(OP.CLOSE, { code: 4005, message: 'Invalid encoding' }))
      peer.socket.end()
      const again = await server.peer()
      const { encoding = 'json' } = await again.handshake()
      must(encoding === 'json', `the second handshake must ask for JSON; it asks for ${JSON.stringify(encoding)}`)
      again.write(readyFrame())
      await play.adapter.state('ready')
      await play.works(again)
    },
  },
  broken('broken', 'ends pending calls after MessagePack that ends too early', [0x84, 0xa3, 0x63, 0x6d]),
  broken('never-used', 'ends pending calls after the byte that MessagePack never uses', [0xc1]),
  broken('never-used-inside', 'ends pending calls after that byte inside a message', [0x81, 0xa4, 0x64, 0x61, 0x74, 0x61, 0xc1]),
]
