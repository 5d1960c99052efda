/** Drives the adapter of a client: one JSON object per line in each direction. README.md has the lines. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ended } from '#test/support/ended.ts'

/** Why a call has no response: the server refused it, the connection ended, no time was left, nothing was sent, or the client was closed. */
export type FailureKind = 'refused' | 'lost' | 'timeout' | 'not-sent' | 'closed'

export interface Failure {
  readonly kind: FailureKind
  readonly code?: number
  readonly message?: string
  readonly retry_after_ms?: number
}

export interface AdapterLine {
  readonly event: 'state' | 'result' | 'presence' | 'dispatch' | 'echo' | 'closed'
  readonly name?: string
  readonly id?: number
  readonly data?: any
  readonly error?: Failure
  readonly close_code?: number
  readonly message?: string
}

export interface ConnectRequest {
  /** Absent: search until a server is found; 0: look once. */
  readonly timeout_ms?: number
  readonly encoding?: 'msgpack'
  /** Absent: the discovery rule, by the environment. */
  readonly runtime_dir?: string
  /** Absent: no server where contained programs can listen. */
  readonly allow_packaged_client?: true
}

export type Command = readonly [program: string, ...args: string[]]

const KIB = 1024
/** Adapters in JavaScript start sooner: each step starts one. */
const COMPILED = resolve(import.meta.dirname, '../../../.cache/adapters')

export class Adapter {
  readonly lines: AdapterLine[] = []
  /** What is awaited, for the sentence of a step that takes too long. */
  awaited = 'a frame of the client'
  readonly #child: ChildProcess
  readonly #waiting = new Set<() => void>()
  #text: string[] = []
  #errors = ''
  #ids = 0

  constructor([program, ...args]: Command, runtime: string, home: string) {
    this.#child = spawn(program, args, {
      // The discovery rule leads to the folder; nothing of the user's own settings is seen.
      env: { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: runtime, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: COMPILED },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.setEncoding('utf8').on('data', (more: string) => this.#take(more))
    this.#child.stderr?.setEncoding('utf8').on('data', (more: string) => {
      this.#errors = `${this.#errors}${more}`.slice(-2000)
    })
    this.#child.on('error', (error) => {
      this.#errors += error.message
    })
    this.#child.on('close', () => this.#wake())
  }

  do(request: { readonly do: string; readonly [key: string]: unknown }): void {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`)
  }

  /** Searches for a server; without `timeout_ms` until it finds one. */
  connect(options: ConnectRequest = {}): void {
    this.do({ do: 'connect', application_id: APPLICATION, ...options })
  }

  /** Makes a call, and returns its id. */
  call(command: string, args: object = {}, more: { readonly timeout_ms?: number; readonly key?: string } = {}): number {
    this.#ids += 1
    this.do({ do: 'call', id: this.#ids, command, args, ...more })
    return this.#ids
  }

  activity(activity: object | null): number {
    this.#ids += 1
    this.do({ do: 'activity', id: this.#ids, activity })
    return this.#ids
  }

  signIn(scopes: readonly string[]): number {
    this.#ids += 1
    this.do({ do: 'sign_in', id: this.#ids, scopes })
    return this.#ids
  }

  /** The whole sign-in: silently, and by asking only if it must. */
  signInIfNeeded(scopes: readonly string[]): number {
    this.#ids += 1
    this.do({ do: 'sign_in_if_needed', id: this.#ids, scopes })
    return this.#ids
  }

  signOut(): number {
    this.#ids += 1
    this.do({ do: 'sign_out', id: this.#ids })
    return this.#ids
  }

  /** Waits for a line, from number `from` on. Rejects when the program ends first. */
  async wait(what: string, isIt: (line: AdapterLine) => boolean, from = 0): Promise<AdapterLine> {
    this.awaited = what
    for (let next = from; ; next += 1) {
      for (; next < this.lines.length; next += 1) {
        const line = this.lines[next]
        if (line !== undefined && isIt(line)) return line
      }
      next -= 1
      if (this.hasEnded) throw new Error(`the program of the client ended while the kit waited for ${what}: ${this.#why()}`)
      await new Promise<void>((wake) => this.#waiting.add(wake))
    }
  }

  state(name: string, from = 0): Promise<AdapterLine> {
    return this.wait(`the state ${name}`, (line) => line.event === 'state' && line.name === name, from)
  }

  /** The state after a connection or a search has failed: the client waits for the next attempt, or gave up. */
  down(from = 0): Promise<AdapterLine> {
    return this.wait(
      'the end of the connection',
      ({ event, name }) => event === 'state' && (name === 'waiting' || name === 'offline'),
      from,
    )
  }

  result(id: number): Promise<AdapterLine> {
    return this.wait(`the result of call ${id}`, (line) => line.event === 'result' && line.id === id)
  }

  /** Events with this name, so far. */
  dispatched(name: string): readonly AdapterLine[] {
    return this.lines.filter((line) => line.event === 'dispatch' && line.name === name)
  }

  /** Resolves when the adapter has obeyed everything before. */
  async echo(): Promise<void> {
    this.#ids += 1
    const id = this.#ids
    this.do({ do: 'echo', id })
    await this.wait('an echo', (line) => line.event === 'echo' && line.id === id)
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Memory in bytes: now, and the most at any time. Undefined where the system does not say. */
  memory(): { readonly now: number; readonly peak: number } | undefined {
    if (process.platform !== 'linux') return undefined
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    const line = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * KIB
    return { now: line('VmRSS'), peak: line('VmHWM') }
  }

  /** Ends its input. The program must then end with 0: a sanitizer and a check of its memory end it with another code. */
  async quit(): Promise<void> {
    this.awaited = 'the end of the program of the client'
    this.#child.stdin?.end()
    const code = await ended(this.#child)
    if (code !== 0) throw new Error(`the program of the client ended with ${code ?? this.#child.signalCode}: ${this.#why()}`)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    if (this.#child.pid !== undefined) await ended(this.#child)
  }

  #why(): string {
    return this.#errors.trim() === '' ? 'it printed no error' : this.#errors.trim().split('\n').slice(0, 6).join(' | ')
  }

  #take(more: string): void {
    const parts = more.split('\n')
    this.#text.push(parts[0] ?? '')
    for (const part of parts.slice(1)) {
      const line = this.#text.join('')
      this.#text = [part]
      if (line !== '') this.lines.push(JSON.parse(line) as AdapterLine)
    }
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}

export const APPLICATION = '1180000000000000042'
