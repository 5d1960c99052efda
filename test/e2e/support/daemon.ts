/** Runs the real daemon, made of the sources or as the packaged file, in folders of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ended } from '#test/support/ended.ts'
import { PROGRAM, programMade } from './program.ts'

const ROOT = resolve(import.meta.dirname, '..', '..', '..')
const PACKAGED = join(ROOT, 'daemon', 'dist', 'package', `sallyport-${process.platform}-${process.arch}`)

export interface Target {
  readonly name: 'source' | 'packaged'
  readonly command: readonly [string, ...string[]]
}

/** Writes down the answers of the sandbox in the daemon, when the run of the tests asks for it. */
function recorder(): readonly string[] {
  const folder = process.env['SALLYPORT_TEST_ANSWERS']
  if (folder === undefined) return []
  const preload = pathToFileURL(join(ROOT, 'test/conformance/answers/preload.mjs'))
  preload.searchParams.set('folder', folder)
  return ['--import', preload.href]
}

export const SOURCE: Target = { name: 'source', command: [process.execPath, ...recorder(), PROGRAM] }

/** For what packaging can break: the command line, child processes, helpers, native parts. The packaged file is there once it was made. */
export const SMOKE_TARGETS: readonly Target[] = existsSync(PACKAGED) ? [SOURCE, { name: 'packaged', command: [PACKAGED] }] : [SOURCE]

/** For everything else. `npm run test:all -- --packaged` runs these against the packaged file too. */
export const TARGETS: readonly Target[] = process.env.SALLYPORT_TEST_PACKAGED === 'all' ? SMOKE_TARGETS : [SOURCE]

export interface Ready {
  readonly event: 'ready'
  readonly pid: number
  readonly ipc: readonly string[]
  readonly platform: string
  readonly apiBase: string
  readonly tokenUrl: string
  readonly dashboard: string | null
  readonly webhooks?: string
  readonly metrics?: string
  readonly websocket?: string
  readonly bridge?: string
}

export interface Folders {
  readonly base: string
  /** Empty: left to the discovery rule. */
  readonly runtime: string
  readonly data: string
  remove(): Promise<void>
}

/** Short paths: a socket's may have 107 bytes. */
export async function folders(): Promise<Folders> {
  const base = await mkdtemp(join(tmpdir(), 'sp-'))
  // The keeper of the names of a killed daemon still works in these folders for a moment.
  const remove = (): Promise<void> => rm(base, { recursive: true, force: true, maxRetries: 5 })
  return { base, runtime: join(base, 'run'), data: join(base, 'data'), remove }
}

export interface Daemon {
  readonly ready: Ready
  readonly socket: string
  /** Origin of the sandbox. */
  readonly origin: string
  /** Everything it printed, both streams. */
  output(): string
  /** Ends it as a service manager would; resolves with its exit code, when all that it printed is there. */
  stop(): Promise<number | null>
  /** Ends it without a chance to say anything. */
  kill(): Promise<void>
  readonly hasExited: boolean
}

/** The environment without anything that would steer the daemon. */
export const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SALLYPORT_|NODE_OPTIONS|VITEST|XDG_|LISTEN_|npm_lifecycle_event$)/.test(name)),
  )

/** Tests leave nothing in the keychain of the user who runs them. */
const NO_KEYCHAIN = { SALLYPORT_VAULT: 'file' }

export async function startDaemon(
  target: Target,
  at: Folders,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Daemon> {
  await programMade()
  const [program, ...before] = target.command
  const words = [
    ...before,
    'run',
    '--json',
    '--consent',
    'allow',
    // What a test needs of the platform, it asks for: scopes, redirects, intents, other limits.
    '--sandbox',
    'strict',
    ...(at.runtime === '' ? [] : ['--runtime-dir', at.runtime]),
    '--data-dir',
    at.data,
    '--log-level',
    'debug',
    // Games of the tests then connect before the bridge is loaded.
    '--preload',
    'on-demand',
    ...flags,
  ]
  const child = spawn(program, words, {
    env: { ...cleanEnvironment(), HOME: at.data, ...NO_KEYCHAIN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let first = ''
  const ready = await new Promise<Ready>((resolveReady, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      first += text
      const end = first.indexOf('\n')
      if (end >= 0) resolveReady(JSON.parse(first.slice(0, end)) as Ready)
    })
    child.once('error', reject)
    void ended(child).then((code) => reject(new Error(`the daemon ended with ${code} before it was ready:\n${printed}`)))
  })
  // What it has said before on the other stream is read in the same turn of the event loop, or the next.
  await new Promise(setImmediate)
  const [socket] = ready.ipc
  if (socket === undefined) throw new Error('the daemon listens nowhere')
  return {
    ready,
    socket,
    origin: new URL(ready.apiBase).origin,
    output: () => printed,
    stop() {
      child.kill('SIGTERM')
      return ended(child)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
    },
    get hasExited() {
      return child.exitCode !== null || child.signalCode !== null
    },
  }
}

/** How often a daemon is started for a port of the websocket transport: ten there are on a machine, and every daemon of the tests has one. */
const STARTS_FOR_A_PORT = 20

/** A daemon that has one of the ports of the websocket transport, once another has left it. */
export async function startDaemonForPages(
  target: Target,
  at: Folders,
  flags: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Daemon> {
  for (let left = STARTS_FOR_A_PORT; ; left--) {
    const daemon = await startDaemon(target, at, flags, env)
    if (daemon.ready.websocket !== undefined || left === 1) return daemon
    await daemon.stop()
  }
}

/** Address of the websocket transport. */
export function websocketOf({ ready: { websocket } }: Daemon): string {
  if (websocket === undefined) throw new Error('the ports 6463 to 6472 are all taken on this machine: other daemons run here')
  return websocket
}

/** Commands that need a user at a terminal, unless their arguments confirm them. */
const OF_PERSONS: readonly (string | undefined)[] = ['call', 'login', 'replay']

/** The arguments, with the confirmation, because a test has no terminal. */
export const unattended = (words: readonly string[]): readonly string[] =>
  OF_PERSONS.includes(words[0]) ? [...words, '--non-interactive'] : words

export interface RunningCommand {
  /** Resolves when it printed this to stderr. */
  said(text: string): Promise<void>
  /** What it printed to stdout so far. */
  out(): string
  /** Ends it as Ctrl-C does; resolves with its exit code. */
  interrupt(): Promise<number | null>
}

/** Starts a command that runs until Ctrl-C. */
export async function startCommand(target: Target, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<RunningCommand> {
  await programMade()
  const [program, ...before] = target.command
  const child = spawn(program, [...before, ...words], { env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const over = ended(child)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  return {
    async said(text) {
      while (!err.includes(text)) {
        const next = await Promise.race([once(child.stderr, 'data'), over])
        if (!Array.isArray(next)) throw new Error(`the command ended with ${next}: ${err}`)
      }
    },
    out: () => out,
    interrupt() {
      child.kill('SIGINT')
      return over
    },
  }
}

/** Runs one command to its end, as a script does. `onSaid` gets all of stderr so far. */
export async function sallyport(
  target: Target,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  onSaid: (err: string) => void = () => {},
): Promise<{ code: number | null; out: string; err: string }> {
  await programMade()
  const [program, ...before] = target.command
  const child = spawn(program, [...before, ...unattended(words)], {
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    onSaid(err)
  })
  return { code: await ended(child), out, err }
}
