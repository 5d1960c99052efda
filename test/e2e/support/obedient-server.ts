/** A server that does what the commands of a client say, for programs that play both sides: answers, errors, events, silence and ends. */
import { createServer, type Server, type Socket } from 'node:net'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frame, head, jsonOf, OP, split } from '#test/support/frames.ts'
import { type Call, errorFor, event, readyFrame, responseTo } from '#test/support/scripted-server.ts'

/** More values than the add-on for Godot takes. */
const TOO_MANY = 262_144

const SIGNED_IN = {
  application: { id: '1180000000000000042', name: 'Dockside' },
  user: { id: '700000000000000001', username: 'ada', discriminator: '0', global_name: null, avatar: null },
  scopes: ['identify'],
  expires: '2030-01-01T00:00:00.000Z',
  access_token: 'of-the-test',
}

const withData = ({ cmd, nonce }: Call, json: string): Buffer =>
  frame(OP.FRAME, `{"cmd":${JSON.stringify(cmd)},"evt":null,"nonce":${JSON.stringify(nonce)},"data":${json}}`)

/** Keys of calls that have ended a connection. */
const dropped = new Set<unknown>()

/** The first call with a key ends the connection. */
function dropOnce(call: Call, socket: Socket): void {
  if (dropped.has(call.key)) socket.write(responseTo(call, { key: call.key, args: call.args }))
  else socket.destroy()
  dropped.add(call.key)
}

/** Signs in the user of the arguments, or refuses with their code. */
function signIn(call: Call, socket: Socket): void {
  const { code, user_id: id = SIGNED_IN.user.id } = call.args
  socket.write(code === undefined ? responseTo(call, { ...SIGNED_IN, user: { ...SIGNED_IN.user, id } }) : errorFor(call, call.args))
}

/** What a server does with a command; any other gets its arguments back. */
export type Commands = Readonly<Record<string, (call: Call, socket: Socket) => void>>

const COMMANDS: Commands = {
  SILENT: () => {},
  NOTHING: (call, socket) => socket.write(responseTo(call, null)),
  RAW: (call, socket) => socket.write(withData(call, call.args.data)),
  MANY: (call, socket) => socket.write(withData(call, `[${'0,'.repeat(TOO_MANY)}0]`)),
  REFUSE: (call, socket) => socket.write(errorFor(call, call.args)),
  SUBSCRIBE: (call, socket) => {
    const isRefused = call.evt === 'REFUSED_EVENT'
    socket.write(
      isRefused ? errorFor(call, { code: 4006, message: 'This event needs another scope.' }) : responseTo(call, { evt: call.evt }),
    )
  },
  AUTHENTICATE: signIn,
  EVENT: (call, socket) => socket.write(Buffer.concat([event(call.args.evt, call.args.data), responseTo(call, {})])),
  CLOSE: (_call, socket) => socket.end(frame(OP.CLOSE, { code: 4000, message: 'The server stops.' })),
  GARBAGE: (_call, socket) => socket.write(frame(OP.FRAME, '{"cmd":')),
  LONG: (_call, socket) => socket.write(head(OP.FRAME, 0xffff_ffff)),
  SEND_LOBBY_MESSAGE: dropOnce,
  DROP: (_call, socket) => socket.destroy(),
}

export class ObedientServer {
  readonly runtime: string
  readonly #base: string
  readonly #commands: Commands
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(base: string, commands: Commands) {
    this.#base = base
    this.#commands = commands
    this.runtime = join(base, 'run')
    this.#server = createServer((socket) => this.#serve(socket))
  }

  static async listen(more: Commands = {}): Promise<ObedientServer> {
    const server = new ObedientServer(await mkdtemp(join(tmpdir(), 'spo-')), { ...COMMANDS, ...more })
    await mkdir(server.runtime, { mode: 0o700 })
    await new Promise<void>((done) => server.#server.listen(join(server.runtime, 'discord-ipc-0'), done))
    return server
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((done) => this.#server.close(done))
    await rm(this.#base, { recursive: true, force: true })
  }

  #serve(socket: Socket): void {
    let rest: Buffer = Buffer.alloc(0)
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      const read = split(Buffer.concat([rest, chunk]))
      rest = read.rest
      for (const { opcode, payload } of read.frames) {
        if (opcode === OP.HANDSHAKE) socket.write(readyFrame({ call_keys: true }))
        if (opcode === OP.PING) socket.write(frame(OP.PONG, payload))
        if (opcode !== OP.FRAME) continue
        const call = jsonOf(payload) as Call
        const act = this.#commands[call.cmd]
        if (act === undefined) socket.write(responseTo(call, call.args))
        else act(call, socket)
      }
    })
  }
}
