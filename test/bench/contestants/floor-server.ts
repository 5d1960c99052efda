/**
 * The floor: what Node itself costs for this traffic. It cuts frames out of the stream in any chunking, answers a handshake with a
 * fixed READY, and sends every other frame back as it came, each in a write of its own. No JSON, no check, no state.
 *
 * node floor-server.ts SOCKET
 */
import { createServer } from 'node:net'

const HEADER_BYTES = 8
const BACKLOG = 4096
const HANDSHAKE = 0

const READY_BODY = JSON.stringify({
  cmd: 'DISPATCH',
  data: {
    v: 1,
    config: { cdn_host: 'cdn.invalid', api_endpoint: '//api.invalid/api', environment: 'production' },
    user: { id: '0', username: 'player', discriminator: '0', global_name: null, avatar: null },
  },
  evt: 'READY',
  nonce: null,
})

function frameOf(opcode: number, body: string): Buffer {
  const frame = Buffer.alloc(HEADER_BYTES + Buffer.byteLength(body))
  frame.writeUInt32LE(opcode, 0)
  frame.writeUInt32LE(frame.length - HEADER_BYTES, 4)
  frame.write(body, HEADER_BYTES)
  return frame
}

const READY = frameOf(1, READY_BODY)

const server = createServer((socket) => {
  let rest: Buffer | undefined
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4)
      if (end > bytes.length) break
      socket.write(bytes.readUInt32LE(at) === HANDSHAKE ? READY : bytes.subarray(at, end))
      at = end
    }
    rest = at === bytes.length ? undefined : bytes.subarray(at)
  })
})
server.listen({ path: process.argv[2], backlog: BACKLOG }, () => process.stdout.write('ready\n'))
