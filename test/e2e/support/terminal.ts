/** A terminal for tests: a real one, of `script` from util-linux, with a session of its own and lines that a person types. */
import { type ChildProcess, spawn } from 'node:child_process'
import { vi } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment } from './daemon.ts'

/** Runs what is typed, one line after the other, in the foreground, and says how each ended after a character that no output has. */
const SHELL = String.raw`stty -echo; printf '\001ready\n'; while IFS= read -r line; do sh -c "$line"; printf '\001%s\n' "$?"; done`
const MARK = '\u0001'

export interface Ran {
  readonly code: number
  readonly out: string
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

export class Terminal {
  readonly #child: ChildProcess
  #shown = ''

  private constructor(env: NodeJS.ProcessEnv) {
    const options = { env: { ...cleanEnvironment(), SHELL: '/bin/sh', TERM: 'dumb', ...env }, detached: true } as const
    this.#child = spawn('script', ['-qefc', SHELL, '/dev/null'], { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#shown += text
    })
  }

  static async open(env: NodeJS.ProcessEnv): Promise<Terminal> {
    const terminal = new Terminal(env)
    await terminal.shows(`${MARK}ready`)
    return terminal
  }

  /** Resolves once the text stands in the terminal. */
  shows(text: string): Promise<void> {
    return vi.waitFor(() => {
      if (!this.#shown.includes(text))
        throw new Error(`the terminal does not show ${JSON.stringify(text)} but ${JSON.stringify(this.#shown)}`)
    }, SOON)
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  /** Runs a program in the foreground to its end. */
  async run(words: readonly string[]): Promise<Ran> {
    this.#shown = ''
    this.type(words.map(quoted).join(' '))
    const end = new RegExp(`^([^]*)${MARK}(\\d+)`)
    return vi.waitFor(() => {
      const [, out = '', code] = end.exec(this.#shown) ?? []
      if (code === undefined) throw new Error(`it has not ended: ${this.#shown}`)
      return { code: Number(code), out }
    }, SOON)
  }

  /** Hangs up. */
  async close(): Promise<void> {
    this.#child.stdin?.end()
    this.#child.kill('SIGHUP')
    await ended(this.#child)
  }
}
