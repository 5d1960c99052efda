/** A server that accepts every handshake and answers every PING, and every call but SILENT, for programs that measure a client. */
import { createServer, type Server } from 'node:net'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frame, jsonOf, type Message, OP, split } from '#test/support/frames.ts'
import { readyFrame, responseTo } from '#test/support/scripted-server.ts'

export class AnsweringServer {
  readonly runtime: string
  readonly #base: string
  readonly #server: Server

  private constructor(base: string, server: Server) {
    this.#base = base
    this.#server = server
    this.runtime = join(base, 'run')
  }

  static async listen(): Promise<AnsweringServer> {
    const base = await mkdtemp(join(tmpdir(), 'spa-'))
    const server = createServer((socket) => {
      let rest: Buffer = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => {
        const read = split(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]))
        rest = read.rest
        for (const { opcode, payload } of read.frames) {
          if (opcode === OP.HANDSHAKE) socket.write(readyFrame({ call_keys: true }))
          if (opcode === OP.PING) socket.write(frame(OP.PONG, payload))
          if (opcode === OP.FRAME) {
            const call = jsonOf(payload) as Message & { readonly args: unknown }
            if (call.cmd !== 'SILENT') socket.write(responseTo(call, call.args))
          }
        }
      })
    })
    const answering = new AnsweringServer(base, server)
    await mkdir(answering.runtime, { mode: 0o700 })
    await new Promise<void>((done) => server.listen(join(answering.runtime, 'discord-ipc-0'), done))
    return answering
  }

  async close(): Promise<void> {
    await new Promise((done) => this.#server.close(done))
    await rm(this.#base, { recursive: true, force: true })
  }
}
