/** A program beside the contestants that answers one line of its standard input with one line of its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { ended } from '#test/support/ended.ts'
import { endsWithUs } from './children.ts'

export class Part {
  readonly #child: ChildProcess
  readonly #lines: Interface

  constructor(file: string, args: readonly string[]) {
    this.#child = endsWithUs(spawn(process.execPath, [resolve(import.meta.dirname, file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] }))
    this.#lines = createInterface({ input: this.#child.stdout! })
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Rejects when it has ended instead. */
  line(): Promise<string> {
    return new Promise((settle, reject) => {
      const onExit = (): void => reject(new Error('a program of the bench ended early; its errors are above'))
      if (this.#child.exitCode !== null) return onExit()
      this.#child.once('exit', onExit)
      this.#lines.once('line', (line) => {
        this.#child.off('exit', onExit)
        settle(line)
      })
    })
  }

  async ask(line: string): Promise<string> {
    const answer = this.line()
    this.#child.stdin!.write(`${line}\n`)
    return answer
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await ended(this.#child)
  }
}
