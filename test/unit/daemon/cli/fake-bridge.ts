/** A bridge for tests of the command line, with a real socket, real frames, and responses from a table. */
import { mkdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { writeSocketAddress } from '@sallyport/core/storage/daemon-addresses'

export interface Asked {
  readonly cmd: string
  readonly args: unknown
  readonly client_id: string
}

/** The response to a command: data or an error. */
export type Answer = { readonly data: unknown } | { readonly error: { readonly code: number; readonly message: string } }

export interface FakeBridge {
  readonly asked: Asked[]
  close(): Promise<void>
}

const HEADER = 8
const FRAME = 1

function send(socket: Socket, payload: object): void {
  const body = Buffer.from(JSON.stringify(payload))
  const head = Buffer.alloc(HEADER)
  head.writeUInt32LE(FRAME, 0)
  head.writeUInt32LE(body.length, 4)
  socket.write(Buffer.concat([head, body]))
}

const USER = { id: '5', username: 'ada', discriminator: '0', avatar: null, global_name: null }
const READY = {
  v: 1,
  config: { cdn_host: 'x', api_endpoint: '//x', environment: 'production' },
  user: USER,
  contract: '1.0',
  bridge: { name: 'sallyport', version: '0' },
}

/** Listens on slot 0 of `directory` and writes its address to the data folder below it. Rejects a command without a response with 4002. */
export async function fakeBridge(directory: string, answers: Readonly<Record<string, Answer>>): Promise<FakeBridge> {
  const asked: Asked[] = []
  const open = new Set<Socket>()

  function onFrame(
    socket: Socket,
    payload: { client_id?: string; cmd?: string; nonce?: string; args?: unknown },
    clientId: string,
  ): string {
    const { client_id, cmd = '', nonce, args } = payload
    if (client_id !== undefined) {
      send(socket, { cmd: 'DISPATCH', evt: 'READY', nonce: null, data: READY })
      return client_id
    }
    asked.push({ cmd, args, client_id: clientId })
    const answer = answers[cmd] ?? { error: { code: 4002, message: `No command ${cmd}.` } }
    if ('error' in answer) send(socket, { cmd, evt: 'ERROR', nonce, data: answer.error })
    else send(socket, { cmd, evt: null, nonce, data: answer.data })
    return clientId
  }

  const server = createServer((socket) => {
    open.add(socket)
    let waiting = Buffer.alloc(0)
    let clientId = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length >= HEADER && waiting.length >= HEADER + waiting.readUInt32LE(4)) {
        const end = HEADER + waiting.readUInt32LE(4)
        clientId = onFrame(socket, JSON.parse(waiting.toString('utf8', HEADER, end)), clientId)
        waiting = waiting.subarray(end)
      }
    })
  })
  const path = join(directory, 'discord-ipc-0')
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const data = join(directory, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  writeSocketAddress(data, path)
  return {
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
