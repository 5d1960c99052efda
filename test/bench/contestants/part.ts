/** A program beside the contestants that answers one line of its standard input with one line of its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { endsWithUs } from './children.ts'

export class Part {
  readonly #child: ChildProcess
  readonly #lines: Interface

  constructor(file: string, args: readonly string[]) {
    this.#child = endsWithUs(spawn(process.execPath, [join(import.meta.dirname, file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] }))
    this.#lines = createInterface({ input: this.#child.stdout! })
  }

  get pid(): number {
    return this.#child.pid!
  }

  async line(): Promise<string> {
    const [line] = (await once(this.#lines, 'line')) as [string]
    return line
  }

  async ask(line: string): Promise<string> {
    const answer = this.line()
    this.#child.stdin!.write(`${line}\n`)
    return answer
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }
}
