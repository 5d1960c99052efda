/** A game that is a program of its own: a copy of Node's executable at a path of its own, which carries bytes between the test and the daemon. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, copyFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ended } from '../../support/ended.ts'
import { frame, handshake, type Message, OP, type Received } from '../../support/frames.ts'
import { Inbox } from '../../support/inbox.ts'
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
  readonly #inbox = new Inbox()
  #lastNonce = 0

  private constructor(program: string, socket: string) {
    this.#child = spawn(program, ['-e', RELAY, socket], { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#inbox.put(chunk))
    this.#child.once('close', () => this.#inbox.end())
  }

  /** Runs the program, connected and greeted. */
  static async start(program: string, socket: string, hello: object): Promise<ProgramClient> {
    const client = new ProgramClient(program, socket)
    client.#send(handshake(hello))
    await client.message()
    return client
  }

  /** The next frame; rejects when the program ends first. */
  next(): Promise<Received> {
    return this.#inbox.next()
  }

  message(): Promise<Message> {
    return this.#inbox.message()
  }

  /** One call and its answer; events that come meanwhile stay for `message`. */
  call(cmd: string, args?: object, evt?: string): Promise<Message> {
    const nonce = `own-${++this.#lastNonce}`
    this.#send(frame(OP.FRAME, { cmd, args, evt, nonce }))
    return this.#inbox.answer(nonce)
  }

  /** Ends the program without a word. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await ended(this.#child)
  }

  #send(bytes: Buffer): void {
    this.#child.stdin?.write(bytes)
  }
}
