/** The processes of a soak: the sandbox, which outlives the daemon, and the daemon, which dies, sleeps and returns at the same addresses. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { cleanEnvironment, type Folders, type Ready, type Target } from '../e2e/support/daemon.ts'
import { ended } from '#test/support/ended.ts'
import { freePort } from '#test/support/worker-ports.ts'

/** What is kept of what a process prints, characters: its end says why it failed. */
const KEPT = 20_000
const START_MS = 60_000
/** Collects all garbage at SIGUSR2; freed pages go back to the system some time after. */
const COLLECTOR = join(import.meta.dirname, '../bench/contestants/collect-on-signal.mjs')
const COLLECTION_MS = 300
const COLLECTING = { NODE_OPTIONS: `--expose-gc --import ${COLLECTOR}` }

/** A program that prints one line of JSON once it is ready. */
export class Running<Line> {
  readonly #child: ChildProcess
  readonly ready: Line
  #printed: () => string

  private constructor(child: ChildProcess, ready: Line, printed: () => string) {
    this.#child = child
    this.ready = ready
    this.#printed = printed
  }

  /** `onSaid` gets what it prints on stderr. Rejects when it ends before it is ready. */
  static start<Line>(
    { command: [program, ...before] }: Target,
    words: readonly string[],
    env: NodeJS.ProcessEnv,
    onSaid: (text: string) => void = () => {},
  ): Promise<Running<Line>> {
    const child = spawn(program, [...before, ...words], { env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-KEPT)
      onSaid(text)
    })
    return new Promise((resolve, reject) => {
      const fail = (why: string) => {
        clearTimeout(timer)
        child.kill('SIGKILL')
        reject(new Error(`${words[0]} ${why}:\n${printed}`))
      }
      const timer = setTimeout(() => fail(`was not ready after ${START_MS} ms`), START_MS)
      child.once('error', (error) => fail(error.message))
      child.once('close', (code, signal) => fail(`ended with ${code ?? signal}`))
      createInterface({ input: child.stdout }).once('line', (line) => {
        clearTimeout(timer)
        resolve(new Running<Line>(child, JSON.parse(line) as Line, () => printed))
      })
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** The end of what it printed on stderr. */
  get printed(): string {
    return this.#printed()
  }

  signal(name: 'SIGCONT' | 'SIGSTOP' | 'SIGUSR2'): void {
    this.#child.kill(name)
  }

  async end(name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#child.kill(name)
    await ended(this.#child)
  }
}

export interface SandboxReady {
  readonly origin: string
  readonly apiBase: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
}

type StartAt = (port: string) => Promise<Running<SandboxReady>>

/** It bears more than the platform allows a game. */
const RELAXED = ['--sandbox', 'relaxed'] as const

/** The platform, which keeps what it knows when it is killed, and returns at the same port. */
export class PlatformProcess {
  readonly #start: StartAt
  #running: Running<SandboxReady>

  private constructor(start: StartAt, running: Running<SandboxReady>) {
    this.#start = start
    this.#running = running
  }

  static async start(target: Target, dataDir: string): Promise<PlatformProcess> {
    const start: StartAt = (port) =>
      Running.start(target, ['sandbox', ...RELAXED, '--json', '--consent', 'allow', '--data-dir', dataDir, '--sandbox-port', port], {
        HOME: dataDir,
      })
    return new PlatformProcess(start, await start(String(await freePort())))
  }

  get ready(): SandboxReady {
    return this.#running.ready
  }

  async startAgain(): Promise<void> {
    this.#running = await this.#start(new URL(this.ready.origin).port)
  }

  end(name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    return this.#running.end(name)
  }
}

/** The bridge, which can be started again with the same words and listens where it did before. */
export class BridgeProcess {
  readonly #target: Target
  readonly #at: Folders
  readonly #flags: readonly string[]
  readonly #onSaid: (text: string) => void
  /** The platform knows the address from the first start on. */
  #webhookPort: number | undefined
  #running: Running<Ready> | undefined

  constructor(target: Target, at: Folders, flags: readonly string[], onSaid: (text: string) => void) {
    this.#target = target
    this.#at = at
    this.#flags = flags
    this.#onSaid = onSaid
  }

  /** The packaged file takes no flags of Node. */
  get #collects(): boolean {
    return this.#target.name === 'source'
  }

  /** What is resident then is held, or is not given back yet: not what only waits to be collected. */
  async collectGarbage(): Promise<void> {
    if (!this.#collects) return
    this.running.signal('SIGUSR2')
    await pause(COLLECTION_MS)
  }

  /** Throws when it does not run. */
  get running(): Running<Ready> {
    if (this.#running === undefined) throw new Error('the daemon does not run')
    return this.#running
  }

  /** What it said last, when it ended by itself. */
  get death(): string | undefined {
    return this.#running?.hasExited === true ? this.#running.printed : undefined
  }

  async start(): Promise<void> {
    const { runtime, data } = this.#at
    this.#webhookPort ??= await freePort()
    const place = ['--runtime-dir', runtime, '--data-dir', data, '--webhook-port', String(this.#webhookPort)]
    const words = ['run', '--json', ...place, ...this.#flags]
    // No PATH: no browser can be started, and the page is named to us.
    const env = { HOME: data, SALLYPORT_VAULT: 'file', PATH: '/nonexistent', ...(this.#collects ? COLLECTING : {}) }
    this.#running = await Running.start<Ready>(this.#target, words, env, this.#onSaid)
  }

  /** Without a chance to say anything, or as a service manager ends it. */
  async end(name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.end(name)
  }
}
