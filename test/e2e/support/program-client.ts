/** A game in its own process: a small program at its own path, which forwards bytes between the test and the daemon. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ended } from '#test/support/ended.ts'
import { frame, handshake, type Message, OP, type Received } from '#test/support/frames.ts'
import { Inbox } from '#test/support/inbox.ts'
import { cleanEnvironment } from './daemon.ts'

/** A program that lies at this path and at no other. `flags`: more for the compiler. */
export function makeProgram(path: string, flags: readonly string[] = []): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  execFileSync('gcc', ['-O1', '-Wall', '-Werror', '-pthread', ...flags, '-o', path, join(import.meta.dirname, 'relay.c')])
  return path
}

/** How the program is run, besides the socket that it connects to. */
export interface Run {
  /** Its own flags, as relay.c has them. */
  readonly flags?: readonly string[]
  /** False: a PING stays with the other frames. */
  readonly answersPing?: boolean
  /** What starts it: a program and its arguments. */
  readonly by?: readonly string[]
}

export class ProgramClient {
  readonly #child: ChildProcess
  readonly #inbox: Inbox
  readonly #connector: Promise<number>
  #lastNonce = 0

  private constructor(program: string, socket: string, { flags = [], by = [], answersPing = true }: Run) {
    this.#inbox = answersPing ? new Inbox((payload) => this.send(frame(OP.PONG, payload))) : new Inbox()
    const [starter, ...words] = by
    const own = [...flags, socket]
    this.#child = spawn(starter ?? program, starter === undefined ? own : [...words, program, ...own], {
      env: cleanEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#inbox.put(chunk))
    this.#child.once('close', () => this.#inbox.end())
    this.#connector = new Promise((resolve) => this.#child.stderr?.once('data', (text: Buffer) => resolve(Number(String(text)))))
  }

  /** Runs the program; it is connected once `connector` is known. */
  static open(program: string, socket: string, run: Run = {}): ProgramClient {
    return new ProgramClient(program, socket, run)
  }

  /** Runs the program, connected, after READY. */
  static async start(program: string, socket: string, hello: object, run: Run = {}): Promise<ProgramClient> {
    const client = new ProgramClient(program, socket, run)
    await client.greet(hello)
    return client
  }

  /** Number of the process that connected. */
  get connector(): Promise<number> {
    return this.#connector
  }

  async greet(hello: object): Promise<void> {
    this.send(handshake(hello))
    await this.message()
  }

  /** The next frame; rejects when the program ends first. */
  next(): Promise<Received> {
    return this.#inbox.next()
  }

  message(): Promise<Message> {
    return this.#inbox.message()
  }

  /** Frames that were received and not taken. */
  get unread(): number {
    return this.#inbox.size
  }

  /** One call and its answer; events that come meanwhile stay for `message`. */
  call(cmd: string, args?: object, evt?: string): Promise<Message> {
    const nonce = `own-${++this.#lastNonce}`
    this.send(frame(OP.FRAME, { cmd, args, evt, nonce }))
    return this.#inbox.answer(nonce)
  }

  /** Ends the program without a word; a child of it that has the connection ends with its streams. */
  async end(): Promise<void> {
    this.#child.stdin?.destroy()
    this.#child.kill('SIGKILL')
    await ended(this.#child)
  }

  send(bytes: Buffer): void {
    this.#child.stdin?.write(bytes)
  }
}
