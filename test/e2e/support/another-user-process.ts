/**
 * What another user of the machine may try: `node another-user-process.ts VERB ARGUMENTS…`. It prints its findings as one JSON text, and ends when
 * stdin does.
 *
 *   processes              the command line and the environment of every process, as far as it may read them
 *   get URL HEADERS        what this address answers
 *   pages PORT COUNT PATH  so many websockets with a made-up origin, which are held open: the code and sentence with which each was closed, or ""
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'

const CLOSE_FRAME = 0x88

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function get(url: string, headers: string): Promise<object> {
  const reply = await fetch(url, { redirect: 'manual', headers: JSON.parse(headers) as Record<string, string> })
  return { status: reply.status, location: reply.headers.get('location'), cookie: reply.headers.get('set-cookie') }
}

/** Says nothing more and never closes its end. */
async function page(port: number, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Origin: http://127.0.0.1:3000',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      '\r\n',
    ].join('\r\n'),
  )
  let received = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
  })
  const frame = () => received.subarray(received.indexOf('\r\n\r\n') + 4)
  while (!socket.closed && (received.indexOf('\r\n\r\n') < 0 || frame().length < 2))
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return frame()[0] === CLOSE_FRAME ? `${frame().readUInt16BE(2)} ${frame().subarray(4).toString()}` : ''
}

const VERBS: Readonly<Record<string, (...words: string[]) => Promise<unknown>>> = {
  async processes() {
    const files = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`] : []))
    return files.map(read).filter((text) => text !== '')
  },
  get: (url = '', headers = '{}') => get(url, headers),
  pages: (port = '', count = '', path = '') => Promise.all(Array.from({ length: Number(count) }, () => page(Number(port), path))),
}

const [verb = '', ...words] = process.argv.slice(2)
process.stdin.resume().once('end', () => process.exit())
process.stdout.write(`${JSON.stringify(await VERBS[verb]?.(...words))}\n`)
