/**
 * A game as a program of its own, started by the daemon: signs in with a token from a file, subscribes to ACTIVITY_JOIN, notes in a file that it
 * was started and what it hears, and ends when its connection does.
 *
 *   node launched-game.ts SOCKET APPLICATION TOKEN_FILE REPORT_FILE
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { frame, handshake, jsonOf, OP, split } from '#test/support/frames.ts'

const [socketPath = '', application = '', tokenFile = '', reportFile = ''] = process.argv.slice(2)
const note = (line: object): void => appendFileSync(reportFile, `${JSON.stringify(line)}\n`)

note({ started: process.pid })
const socket = connect(socketPath)
const call = (cmd: string, more: object): void => void socket.write(frame(OP.FRAME, { cmd, nonce: cmd, ...more }))
/** What is done after each message, by `cmd evt`. */
const NEXT: Readonly<Record<string, () => void>> = {
  'DISPATCH READY': () => call('AUTHENTICATE', { args: { access_token: readFileSync(tokenFile, 'utf8') } }),
  'AUTHENTICATE null': () => call('SUBSCRIBE', { evt: 'ACTIVITY_JOIN' }),
}
socket.write(handshake({ client_id: application, contract: '1.0', streams: true }))
let rest: Buffer = Buffer.alloc(0)
socket.on('data', (chunk: Buffer) => {
  const read = split(Buffer.concat([rest, chunk]))
  rest = read.rest
  for (const { payload } of read.frames) {
    const { cmd, evt, data } = jsonOf(payload)
    NEXT[`${cmd} ${evt}`]?.()
    if (evt === 'ACTIVITY_JOIN' || evt === 'ERROR') note({ evt, data })
    if (cmd === 'SUBSCRIBE') note({ subscribed: true })
  }
})
socket.on('error', () => {})
