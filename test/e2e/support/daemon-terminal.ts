/** The daemon in a terminal of its own, and a person who reads and types there. Needs `script` of util-linux. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { vi } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment, type Folders, type Target } from './daemon.ts'
import { programMade } from './program.ts'

const SCRIPT = '/usr/bin/script'
export const NO_TERMINAL = 'there is no /usr/bin/script, which makes terminals'
export const hasTerminals = existsSync(SCRIPT)

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

export class Terminal {
  readonly #child: ChildProcess
  #shown = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#shown += text
    })
    child.stdin?.on('error', () => {})
  }

  /** Starts the daemon in a window of 24 rows and 100 columns. Resolves when it is ready. */
  static async start(target: Target, at: Folders, env: NodeJS.ProcessEnv): Promise<Terminal> {
    await programMade()
    const flags = ['run', '--consent', 'prompt', '--log-level', 'info', '--runtime-dir', at.runtime, '--data-dir', at.data]
    const command = `/usr/bin/stty rows 24 cols 100; exec ${[...target.command, ...flags].map(quoted).join(' ')}`
    const child = spawn(SCRIPT, ['-qfec', command, '/dev/null'], {
      env: { ...cleanEnvironment(), SHELL: '/bin/sh', HOME: at.data, SALLYPORT_VAULT: 'file', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const terminal = new Terminal(child)
    await terminal.until(/Press Ctrl-C to stop\./)
    return terminal
  }

  /** Everything shown so far, as text with plain line ends. */
  get shown(): string {
    return this.#shown.replaceAll('\r\n', '\n')
  }

  type(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** What matches, once it is shown. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    return vi.waitFor(() => {
      const found = pattern.exec(this.shown)
      if (found === null) throw new Error(`the terminal does not show ${pattern}:\n${this.shown}`)
      return found
    }, SOON)
  }

  /** Presses Ctrl-C and waits for the end. */
  async end(): Promise<number | null> {
    this.type('\u0003')
    return ended(this.#child)
  }
}
