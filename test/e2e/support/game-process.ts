/** A native game in a process of its own: what it prints, its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { expect } from 'vitest'
import type { Command } from '../../conformance/clients/adapter.ts'
import { ended } from '#test/support/ended.ts'

export class GameProcess {
  /** All that it printed, on both streams. */
  text = ''
  readonly #child: ChildProcess

  constructor([program, ...words]: Command, at: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string }) {
    this.#child = spawn(program, words, { ...at, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (more: string) => {
        this.text += more
      })
  }

  async says(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.text).toMatch(text)
  }

  ended(): Promise<number | null> {
    return ended(this.#child)
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await ended(this.#child)
  }
}
