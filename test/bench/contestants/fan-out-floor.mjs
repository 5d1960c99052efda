/**
 * The floor of fanning out: what comes ready made by one stream goes to every client as it comes, a chunk in one write; of a second stream
 * each frame goes to the next client. What a client sends comes back, so that it can sign in as with a real server. No check, no state, no JSON.
 * Plain JavaScript, as the other floor.
 *
 * node fan-out-floor.mjs SOCKET PORT-FOR-ALL PORT-FOR-EACH
 */
import { connect, createServer } from 'node:net'

const HEADER_BYTES = 8
const BACKLOG = 4096
const LOOPBACK = '127.0.0.1'
const [, , path, forAll, forEach] = process.argv
const clients = []

connect(Number(forAll), LOOPBACK).on('data', (chunk) => {
  for (const client of clients) client.write(chunk)
})

let rest = Buffer.alloc(0)
let next = 0
connect(Number(forEach), LOOPBACK).on('data', (chunk) => {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
  let at = 0
  while (bytes.length - at >= HEADER_BYTES) {
    const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4)
    if (end > bytes.length) break
    clients[next++ % clients.length].write(bytes.subarray(at, end))
    at = end
  }
  rest = bytes.subarray(at)
})

const server = createServer((client) => {
  clients.push(client)
  client.on('error', () => {})
  client.on('data', (bytes) => client.write(bytes))
})
server.listen({ path, backlog: BACKLOG }, () => process.stdout.write('ready\n'))
