/** Drives the probe of the C binding: a client that a test commands line by line. */
import { type ChildProcess, spawn } from 'node:child_process'
import { expect } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment } from './daemon.ts'

/** One line that the probe printed. */
export type ProbeLine = Readonly<Record<string, any>>

/** The client of bindings/c/tests/probe.c. */
export class Probe {
  readonly lines: ProbeLine[] = []
  readonly #child: ChildProcess
  #text = ''
  #errors = ''

  constructor(program: string, runtime: string, { requireBridge = false, reconnect = true } = {}) {
    this.#child = spawn(program, [runtime, requireBridge ? '1' : '0', reconnect ? '1' : '0'], {
      env: cleanEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
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
