/** A program of the machine that says lines of JSON and follows orders; see inside/json-lines.ts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment } from '../e2e/support/daemon.ts'

/** A line; which fields it has depends on the program and the event. */
export interface Said {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly event: string
  /** Of an order that is done. */
  readonly id?: number
  readonly result?: unknown
  readonly error?: string
  /** Of a game. */
  readonly state?: string
  readonly reason?: string
  readonly account?: string
  readonly slot?: number
  readonly user?: string
  readonly bridge?: string
  /** Without a server, in milliseconds. */
  readonly outageMs?: number
  readonly restored?: { readonly signIn: string; readonly presence: string }
  /** Of a client. */
  readonly path?: string
  readonly ino?: number
  readonly application?: string
  readonly cmd?: string
  readonly evt?: string | null
  readonly args?: { readonly activity?: { readonly details?: string } | null }
  /** Of the platform. */
  readonly authorizeUrl?: string
  readonly tokenUrl?: string
}

export class Actor {
  readonly #child: ChildProcess
  readonly #orders = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (failure: Error) => void }>()
  readonly #waiting = new Set<() => void>()
  readonly #over: Promise<never>
  #lastOrder = 0
  #hasEnded = false
  /** Oldest first. */
  readonly said: Said[] = []

  private constructor(child: ChildProcess, name: string) {
    this.#child = child
    let errors = ''
    child.stdin?.on('error', () => {})
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line) as Said))
    this.#over = ended(child).then((code) => {
      this.#hasEnded = true
      throw new Error(`the ${name} ended with ${code}: ${errors}`)
    })
    this.#over.catch(() => {})
  }

  static start(name: string, [program, ...words]: readonly [string, ...string[]]): Actor {
    return new Actor(spawn(program, words, { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] }), name)
  }

  #take(line: Said): void {
    if (line.event === 'done') {
      const order = this.#orders.get(line.id ?? 0)
      if (line.error === undefined) order?.resolve(line.result)
      else order?.reject(new Error(line.error))
      return
    }
    this.said.push(line)
    for (const look of this.#waiting) look()
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  order(what: string, ...given: readonly unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastOrder
    this.#orders.set(id, { resolve, reject })
    this.#child.stdin?.write(`${JSON.stringify({ id, do: what, with: given })}\n`)
    return Promise.race([promise, this.#over])
  }

  /** The first line from the given index on that fits, past or future; undefined after `withinMs`. */
  async heard(fits: (line: Said) => boolean, from: number, withinMs: number): Promise<Said | undefined> {
    const { promise, resolve } = Promise.withResolvers<Said | undefined>()
    const look = () => {
      const found = this.said.slice(from).find(fits)
      if (found !== undefined) resolve(found)
    }
    const timer = setTimeout(resolve, withinMs, undefined)
    this.#waiting.add(look)
    look()
    try {
      return await Promise.race([promise, this.#over])
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(look)
    }
  }

  /** Ends it without a word. What its words have started in the machine may have the streams still, so it only waits for the process. */
  async kill(): Promise<void> {
    this.#child.stdin?.destroy()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  /** Resolves when it has ended by itself. */
  async end(): Promise<void> {
    await ended(this.#child)
  }
}
