/**
 * The floor: what Node itself costs for this traffic. It cuts frames out of the stream in any chunking, answers a handshake with a
 * fixed READY, and sends every other frame back as it came, each in a write of its own. No check, no state, and no JSON, unless
 * --json asks it to read and write every payload, as anything that understands the protocol must. With --one-write, all answers to one
 * read leave in one write.
 * Plain JavaScript, so that its memory is not that of a TypeScript loader.
 *
 * node floor-server.mjs SOCKET [--json] [--one-write]
 */
import { createServer } from 'node:net'

const HEADER_BYTES = 8
const BACKLOG = 4096
const HANDSHAKE = 0
const FRAME = 1
const [, , path, ...flags] = process.argv

const READY_BODY = {
  cmd: 'DISPATCH',
  data: {
    v: 1,
    config: { cdn_host: 'cdn.invalid', api_endpoint: '//api.invalid/api', environment: 'production' },
    user: { id: '0', username: 'player', discriminator: '0', global_name: null, avatar: null },
  },
  evt: 'READY',
  nonce: null,
}

function frameOf(opcode, message) {
  const body = JSON.stringify(message)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(body))
  frame.writeUInt32LE(opcode, 0)
  frame.writeUInt32LE(frame.length - HEADER_BYTES, 4)
  frame.write(body, HEADER_BYTES)
  return frame
}

const READY = frameOf(FRAME, READY_BODY)

const echo = (bytes, from, end) => bytes.subarray(from, end)
const throughJson = (bytes, from, end) => frameOf(FRAME, JSON.parse(bytes.utf8Slice(from + HEADER_BYTES, end)))
const answer = flags.includes('--json') ? throughJson : echo
const isOneWrite = flags.includes('--one-write')

const server = createServer((socket) => {
  let rest
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    const answers = []
    let at = 0
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4)
      if (end > bytes.length) break
      const said = bytes.readUInt32LE(at) === HANDSHAKE ? READY : answer(bytes, at, end)
      if (isOneWrite) answers.push(said)
      else socket.write(said)
      at = end
    }
    if (answers.length > 0) socket.write(answers.length === 1 ? answers[0] : Buffer.concat(answers))
    rest = at === bytes.length ? undefined : bytes.subarray(at)
  })
})
server.listen({ path, backlog: BACKLOG }, () => process.stdout.write('ready\n'))
