/**
 * The least that can stand between a game and an HTTP API: it cuts frames out of the stream, reads the call, makes the HTTP request with
 * undici, reads the answer and writes it back. No check, no limit, no deadline, nothing cancelled, nothing learned from a header.
 *
 * node relay-server.mjs SOCKET API-BASE TOKEN
 */
import { createServer } from 'node:net'
import { Pool } from 'undici'

const HEADER_BYTES = 8
const FRAME = 1
const [, , path, base, token] = process.argv
const pool = new Pool(base)
const request = {
  path: '/api/v10/users/@me/guilds',
  method: 'GET',
  headers: { authorization: `Bearer ${token}`, 'user-agent': 'sallyport-bench', accept: 'application/json' },
}

function frameOf(message) {
  const body = JSON.stringify(message)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(body))
  frame.writeUInt32LE(FRAME, 0)
  frame.writeUInt32LE(frame.length - HEADER_BYTES, 4)
  frame.write(body, HEADER_BYTES)
  return frame
}

function forward({ cmd, nonce }, socket) {
  const chunks = []
  pool.dispatch(request, {
    onRequestStart() {},
    onResponseStart() {},
    onResponseData: (_, chunk) => chunks.push(chunk),
    onResponseEnd: () => socket.write(frameOf({ cmd, data: JSON.parse(Buffer.concat(chunks).toString()), evt: null, nonce })),
    onResponseError: (_, failure) => socket.destroy(failure),
  })
}

const server = createServer((socket) => {
  let rest
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4)
      if (end > bytes.length) break
      const message = JSON.parse(bytes.utf8Slice(at + HEADER_BYTES, end))
      if (message.cmd === undefined) socket.write(frameOf({ cmd: 'DISPATCH', data: {}, evt: 'READY', nonce: null }))
      else forward(message, socket)
      at = end
    }
    rest = at === bytes.length ? undefined : bytes.subarray(at)
  })
})
server.listen(path, () => process.stdout.write('ready\n'))
