/** A game that is a program of its own: a copy of Node's executable at a path of its own, which carries bytes between the test and the daemon. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, copyFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { frame, handshake, jsonOf, type Message, OP, type Received, split } from '../../support/frames.ts'
import { cleanEnvironment } from './daemon.ts'

const RELAY = `const s=require('node:net').connect(process.argv[1]);process.stdin.pipe(s);s.pipe(process.stdout);s.on('close',()=>process.exit())`

/** A program that lies at this path and at no other. */
export function makeProgram(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(process.execPath, path, constants.COPYFILE_FICLONE)
  return path
}

export class ProgramClient {
  readonly #child: ChildProcess
  readonly #received: Received[] = []
  #rest: Buffer = Buffer.alloc(0)
  #isClosed = false
  #wake: () => void = () => {}
  #lastNonce = 0

  private constructor(program: string, socket: string) {
    this.#child = spawn(program, ['-e', RELAY, socket], { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      const { frames, rest } = split(Buffer.concat([this.#rest, chunk]))
      this.#rest = rest
      this.#received.push(...frames)
      this.#wake()
    })
    this.#child.once('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  /** Runs the program, connected and greeted. */
  static async start(program: string, socket: string, hello: object): Promise<ProgramClient> {
    const client = new ProgramClient(program, socket)
    client.#send(handshake(hello))
    await client.message()
    return client
  }

  async next(): Promise<Received> {
    for (;;) {
      const found = this.#received.shift()
      if (found !== undefined) return found
      if (this.#isClosed) throw new Error('the program ended')
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async message(): Promise<Message> {
    const { opcode, payload } = await this.next()
    if (opcode !== OP.FRAME) throw new Error(`opcode ${opcode}: ${payload.toString()}`)
    return jsonOf(payload) as Message
  }

  async call(cmd: string, args?: object, evt?: string): Promise<Message> {
    this.#send(frame(OP.FRAME, { cmd, args, evt, nonce: `n${++this.#lastNonce}` }))
    return this.message()
  }

  /** Ends the program without a word. */
  async end(): Promise<void> {
    if (this.#isClosed) return
    const closed = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.kill('SIGKILL')
    await closed
  }

  #send(bytes: Buffer): void {
    this.#child.stdin?.write(bytes)
  }
}
