/** Builds the C binding with the sanitizers, drives its probe, and plays a server that a test scripts. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { ended } from '../../support/ended.ts'
import { frame, jsonOf, type Message, OP, type Received } from '../../support/frames.ts'
import { Inbox } from '../../support/inbox.ts'
import { cleanEnvironment } from './daemon.ts'

const run = promisify(execFile)

export const BINDING = resolve(import.meta.dirname, '../../../bindings/c')
/** Every compiler and every warning that the binding supports. */
export const WARNINGS = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic', '-Wconversion']
export const SANITIZERS = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']
export const INCLUDE = `-I${join(BINDING, 'include')}`

export const sources = (): readonly string[] =>
  readdirSync(join(BINDING, 'src'))
    .filter((name) => name.endsWith('.c'))
    .map((name) => join(BINDING, 'src', name))

/** Whether a program can be started here. */
export const isInstalled = (program: string): Promise<boolean> =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )

/** Compiles every source of the binding, and of the examples and tests if named, into nothing. Throws with the messages of the compiler. */
export async function compileAll(compiler: string, folder: string, more: readonly string[] = []): Promise<void> {
  await mkdir(folder, { recursive: true })
  const files = [...sources(), ...more.map((name) => join(BINDING, name))]
  await run(compiler, [...WARNINGS, INCLUDE, '-c', ...files], { cwd: folder })
}

/** Builds programs of the binding with the sanitizers into the folder; returns nothing but the programs there. */
export async function buildPrograms(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const objects = join(folder, 'objects')
  await compileSanitized(objects)
  const built = readdirSync(objects).map((name) => join(objects, name))
  await Promise.all(
    Object.entries(programs).map(([name, source]) =>
      run('gcc', [...WARNINGS, ...SANITIZERS, INCLUDE, join(BINDING, source), ...built, '-lm', '-o', join(folder, name)]),
    ),
  )
}

/** Compiles the library with the sanitizers into objects in the folder. */
export async function compileSanitized(objects: string): Promise<void> {
  await rm(objects, { recursive: true, force: true })
  await mkdir(objects, { recursive: true })
  await run('gcc', [...WARNINGS, ...SANITIZERS, INCLUDE, '-c', ...sources()], { cwd: objects })
}

/** One line that the probe printed. */
export type ProbeLine = Readonly<Record<string, any>>

/** The client of bindings/c/tests/probe.c. */
export class Probe {
  readonly lines: ProbeLine[] = []
  readonly #child: ChildProcess
  #text = ''
  #errors = ''

  constructor(program: string, runtime: string, { requireBridge = false } = {}) {
    this.#child = spawn(program, [runtime, requireBridge ? '1' : '0'], { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      const parts = `${this.#text}${more}`.split('\n')
      this.#text = parts.pop() ?? ''
      for (const line of parts) this.lines.push(JSON.parse(line) as ProbeLine)
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (more: string) => {
      this.#errors += more
    })
  }

  send(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  with(key: string): readonly ProbeLine[] {
    return this.lines.filter((line) => key in line)
  }

  /** Waits for the line number `count` with this key, and returns it. */
  async line(key: string, count = 1): Promise<ProbeLine> {
    await expect.poll(() => this.with(key).length, { message: `${key} ${count}: ${this.#errors}` }).toBeGreaterThanOrEqual(count)
    return this.with(key)[count - 1] ?? {}
  }

  /** Waits for a state, in the lines from `from` on. */
  async state(name: string, from = 0): Promise<ProbeLine> {
    const find = () => this.lines.slice(from).find((line) => line['state'] === name)
    await expect.poll(find, { message: `state ${name}: ${this.#errors}` }).toBeDefined()
    return find() ?? {}
  }

  /** Sends the command and waits for its answer. */
  async ask(line: string, key: string): Promise<ProbeLine> {
    const count = this.with(key).length
    this.send(line)
    return this.line(key, count + 1)
  }

  /** Ends it. Fails if it left memory behind or a sanitizer reported an error. */
  async quit(): Promise<void> {
    this.send('quit')
    const code = await ended(this.#child)
    expect(this.#errors).toBe('')
    expect(code).toBe(0)
    expect(this.with('left')).toEqual([{ left: 0 }])
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await ended(this.#child)
  }
}

/** One connection of the scripted server. */
export class Peer {
  readonly socket: Socket
  readonly #inbox = new Inbox()

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.#inbox.put(chunk))
    socket.on('error', () => {})
    socket.on('close', () => this.#inbox.end())
  }

  /** The next frame; fails when the client ended the connection. */
  async frame(): Promise<Received> {
    const one = await this.#inbox.frame()
    if (one === undefined) throw new Error('the client ended the connection')
    return one
  }

  /** The next message of the client. */
  async message(): Promise<Message & { readonly args: any }> {
    const { opcode, payload } = await this.frame()
    expect(opcode, payload.toString()).toBe(OP.FRAME)
    return jsonOf(payload)
  }

  async handshake(): Promise<any> {
    const { opcode, payload } = await this.frame()
    expect(opcode).toBe(OP.HANDSHAKE)
    return jsonOf(payload)
  }

  write(...bytes: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(bytes))
  }

  /** Answers the handshake as a bridge does. */
  async ready(data: object = {}): Promise<void> {
    await this.handshake()
    this.write(readyFrame(data))
  }

  /** Takes the next call and answers it. */
  async answer(data: unknown = {}): Promise<Message & { readonly args: any }> {
    const message = await this.message()
    this.write(responseTo(message, data))
    return message
  }

  async ended(): Promise<void> {
    for (;;) {
      if ((await this.#inbox.frame()) === undefined) return
    }
  }
}

const BRIDGE = { v: 1, config: {}, user: { id: '1', username: 'ada' }, bridge: { name: 'sallyport', version: '0' }, contract: '1.0' }

export const readyFrame = (data: object = {}): Buffer => event('READY', { ...BRIDGE, ...data })
export const event = (name: string, data: unknown): Buffer => frame(OP.FRAME, { cmd: 'DISPATCH', evt: name, nonce: null, data })
export const responseTo = ({ cmd, nonce }: Message, data: unknown): Buffer => frame(OP.FRAME, { cmd, evt: null, nonce, data })
export const errorFor = ({ cmd, nonce }: Message, data: object): Buffer => frame(OP.FRAME, { cmd, evt: 'ERROR', nonce, data })

/** Listens at a slot and hands out connections in order. */
export class ScriptedServer {
  readonly #server: Server
  readonly #peers: Peer[] = []
  #taken = 0

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => this.#peers.push(new Peer(socket)))
  }

  static async listen(runtime: string, slot = 0): Promise<ScriptedServer> {
    await mkdir(runtime, { recursive: true, mode: 0o700 })
    const server = createServer()
    const scripted = new ScriptedServer(server)
    await new Promise<void>((done, reject) => {
      server.once('error', reject)
      server.listen(join(runtime, `discord-ipc-${slot}`), done)
    })
    return scripted
  }

  get connections(): number {
    return this.#peers.length
  }

  /** The next connection. */
  async peer(): Promise<Peer> {
    await expect.poll(() => this.#peers.length, { message: 'a connection' }).toBeGreaterThan(this.#taken)
    const peer = this.#peers[this.#taken]
    this.#taken += 1
    if (peer === undefined) throw new Error('no connection')
    return peer
  }

  async close(): Promise<void> {
    for (const { socket } of this.#peers) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }
}
