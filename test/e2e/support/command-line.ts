/** A bridge that prompts, and its command line: in terminals, and as other programs start it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, startDaemon, type Target } from './daemon.ts'
import { fieldOf, Person } from './person.ts'
import { type Ran, Terminal } from './terminal.ts'

/** `script` of util-linux makes the terminals, gcc the starters; only Linux says which session a process belongs to. */
export const canStartCommandLines =
  process.platform === 'linux' && ['script', 'gcc'].every((program) => spawnSync(program, ['--version']).status === 0)

export class CommandLine {
  readonly at: Folders
  readonly terminals: Terminal[] = []
  readonly #target: Target
  readonly #daemon: Daemon
  readonly person: Person

  private constructor(target: Target, at: Folders, daemon: Daemon) {
    this.#target = target
    this.at = at
    this.#daemon = daemon
    this.person = new Person(daemon)
  }

  static async open(target: Target): Promise<CommandLine> {
    const at = await folders()
    // Nothing on the path: no browser can be started, and the address is named to the person.
    return new CommandLine(target, at, await startDaemon(target, at, ['--consent', 'prompt'], { PATH: '/nonexistent' }))
  }

  async close(): Promise<void> {
    await Promise.all(this.terminals.map((terminal) => terminal.close()))
    await this.#daemon.stop()
    await this.at.remove()
  }

  words(...own: string[]): [string, ...string[]] {
    return [...this.#target.command, ...own, '--runtime-dir', this.at.runtime]
  }

  call(...more: string[]): [string, ...string[]] {
    return this.words('call', 'GET_CURRENT_USER', '--json', ...more)
  }

  async openTerminal(): Promise<Terminal> {
    const terminal = await Terminal.open({ HOME: this.at.data })
    this.terminals.push(terminal)
    return terminal
  }

  /** Signs in; the user allows every prompt of the bridge and the platform. */
  async login(terminal: Terminal): Promise<Ran> {
    const signedIn = terminal.run(this.words('login'))
    let page: string | undefined
    const found = this.person.nextPage().then((address) => {
      page = address
    })
    await vi.waitFor(async () => {
      for (const asked of await this.person.prompts()) await this.person.answer(asked, 'allow')
      if (page === undefined) throw new Error('no page was opened')
    }, SOON)
    await found
    await this.person.visit(await this.person.decide(page ?? '', 'allow'))
    return signedIn
  }

  /** A program of C, of a file beside this one, under a name of its own. */
  compiled(name: string, source = 'starter.c'): string {
    const program = join(this.at.base, name)
    execFileSync('gcc', ['-O1', '-o', program, join(import.meta.dirname, source)])
    return program
  }

  /** Started by a program that has no terminal. */
  async startedBy(starter: string, line: readonly string[]) {
    const child = spawn(starter, line, {
      env: { ...cleanEnvironment(), HOME: this.at.data },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    return { code: await ended(child), out, err }
  }

  /** Gives that answer to the prompt that this causes. Resolves with the program that the prompt names. */
  async promptedBy(starter: string, line: readonly string[], decision: 'allow' | 'deny' = 'deny'): Promise<string | undefined> {
    const ran = this.startedBy(starter, line)
    const asked = await this.person.prompt()
    await this.person.answer(asked, decision)
    expect((await ran).out.includes('"ada"')).toBe(decision === 'allow')
    return fieldOf(asked, 'Program')
  }
}
