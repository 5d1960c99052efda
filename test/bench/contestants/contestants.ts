/** The servers that are compared, each its own process on the Node that runs the bench, alone in its own folders. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVICE_ENVIRONMENT } from '#daemon/src/install/linux-files.ts'
import { endsWithUs } from './children.ts'

/** The checkout that is measured: this one, or the one that compare.ts names. */
export const ROOT = resolve(process.env['SALLYPORT_BENCH_CHECKOUT'] ?? resolve(import.meta.dirname, '../../..'))
export const DAEMON = join(ROOT, 'daemon/bin/sallyport.mjs')
/** What that starts, on flags of its own and no others. */
const PROGRAM = join(ROOT, 'daemon/dist/sallyport.cjs')
const PACKAGE = join(ROOT, `daemon/dist/package/sallyport-linux-${process.arch}`)

/** The executable file. Throws when it is not there, or older than the program that `npm run build` made. */
export function packaged(): string {
  const made = statSync(PACKAGE, { throwIfNoEntry: false })?.mtimeMs
  if (made === undefined || made < statSync(PROGRAM).mtimeMs)
    throw new Error('the executable is missing or old; make it with: npm run package')
  return PACKAGE
}

export const CONTESTANTS = ['floor', 'sallyport', 'arrpc'] as const
export type ContestantName = (typeof CONTESTANTS)[number]
/** `packaged`: the executable file, as most users have it. */
/** `floor in one write`: the floor with JSON that answers one read in one write. */
export type ServerName = ContestantName | 'floor with JSON' | 'floor in one write' | 'packaged'

export interface Contestant {
  readonly pid: number
  /** Where it listens. */
  readonly path: string
  /** Asks it to stop, and ends it when it does not. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
  /** Root of the HTTP API that the daemon forwards to. */
  readonly apiBase?: string
  /** The peer scans all processes, as it does by default. */
  readonly scansProcesses?: boolean
}

export interface Launch {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly path: string
  /** A line of its standard output that says it listens; undefined: its output goes nowhere, and it listens when it takes a connection. */
  readonly saysReady: ((line: string) => boolean) | undefined
}

const SOCKET = 'discord-ipc-0'
/** An address without a server. */
const NOWHERE = 'http://127.0.0.1:9'
const STOP_MS = 3_000
const START_MS = 15_000
const LOOK_AGAIN_MS = 5

const arrpcEntry = (): string => join(dirname(createRequire(import.meta.url).resolve('arrpc')), 'index.js')

/** A platform that gets no calls, unless a row names another. */
const profileFor = (apiBase: string): object => ({
  name: 'bench',
  ipcPrefix: 'discord-ipc',
  baseUrl: `${apiBase}/api/v10`,
  authorizeUrl: `${apiBase}/oauth2/authorize`,
  tokenUrl: `${apiBase}/api/v10/oauth2/token`,
  revokeUrl: `${apiBase}/api/v10/oauth2/token/revoke`,
  cdnHost: 'cdn.invalid',
  activityProxyHost: 'activities.invalid',
  userAgent: 'sallyport-bench',
  customSchemePrefix: 'bench',
})

export const isReadyLine = (line: string): boolean => line.startsWith('{"event":"ready"')

function floorLaunch(flags: readonly string[]) {
  return (directory: string, { nodeFlags = [] }: StartOptions): Launch => ({
    program: process.execPath,
    args: [...nodeFlags, join(import.meta.dirname, 'floor-server.mjs'), join(directory, SOCKET), ...flags],
    env: {},
    path: join(directory, SOCKET),
    saysReady: (line) => line === 'ready',
  })
}

/** How each is started. `directory` is its own. */
export const LAUNCHES: Readonly<Record<ServerName, (directory: string, options: StartOptions) => Launch>> = {
  floor: floorLaunch([]),
  'floor with JSON': floorLaunch(['--json']),
  'floor in one write': floorLaunch(['--json', '--one-write']),
  sallyport: (directory, { nodeFlags = [], apiBase = NOWHERE }) => ({
    program: process.execPath,
    args: [...nodeFlags, nodeFlags.length === 0 ? DAEMON : PROGRAM, ...daemonFlags(directory, apiBase)],
    env: {},
    path: join(directory, SOCKET),
    saysReady: isReadyLine,
  }),
  packaged: (directory, { apiBase = NOWHERE }) => ({
    program: packaged(),
    args: daemonFlags(directory, apiBase),
    env: SERVICE_ENVIRONMENT,
    path: join(directory, SOCKET),
    saysReady: isReadyLine,
  }),
  arrpc: (directory, { nodeFlags = [], scansProcesses = false }) => ({
    program: process.execPath,
    args: [...nodeFlags, arrpcEntry()],
    // Port 0: any free port, because another one may be running.
    env: { ARRPC_BRIDGE_PORT: '0', ...(scansProcesses ? {} : { ARRPC_NO_PROCESS_SCANNING: '1' }) },
    path: join(directory, SOCKET),
    saysReady: undefined,
  }),
}

/** Flags of a daemon that serves a platform at `apiBase`. */
export function daemonFlags(directory: string, apiBase = NOWHERE): readonly string[] {
  const profile = join(directory, 'profile.json')
  writeFileSync(profile, JSON.stringify(profileFor(apiBase)))
  return [
    'run',
    '--json',
    '--platform',
    profile,
    '--runtime-dir',
    directory,
    '--data-dir',
    join(directory, 'data'),
    '--dashboard-port',
    'off',
  ]
}

/** Nothing of the user's own settings, tokens or sockets is seen. */
export const isolatedEnvironment = (directory: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: directory,
  XDG_RUNTIME_DIR: directory,
  XDG_CONFIG_HOME: join(directory, 'config'),
  XDG_DATA_HOME: join(directory, 'share'),
})

/** A folder that is gone when the bench is. */
export class Ground {
  readonly #root = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
  readonly #running = new Set<Contestant>()
  #folders = 0

  folder(): string {
    const folder = join(this.#root, String(++this.#folders))
    // The data folder may be refused when others could read it.
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
    return folder
  }

  async start(name: ServerName, options: StartOptions = {}): Promise<Contestant> {
    return this.startIn(name, this.folder(), options)
  }

  /** Starts it in a folder of `folder`. */
  async startIn(name: ServerName, directory: string, options: StartOptions = {}): Promise<Contestant> {
    return this.launch(name, directory, LAUNCHES[name](directory, options))
  }

  async launch(name: string, directory: string, { program, args, env, path, saysReady }: Launch): Promise<Contestant> {
    const log = join(directory, 'stderr.log')
    const logFile = openSync(log, 'w')
    const child = endsWithUs(
      spawn(program, args, {
        cwd: directory,
        env: { ...isolatedEnvironment(directory), ...env },
        stdio: ['ignore', saysReady === undefined ? 'ignore' : 'pipe', logFile],
      }),
    )
    closeSync(logFile)
    const exited = once(child, 'exit')
    try {
      await Promise.race([saysReady === undefined ? untilListens(path) : untilSaid(child, saysReady), failsWhen(exited), tooLate()])
    } catch (failure) {
      child.kill('SIGKILL')
      throw new Error(`${name} did not start: ${(failure as Error).message}\n${readFileSync(log, 'utf8').slice(-2000)}`, { cause: failure })
    }
    const contestant: Contestant = {
      pid: child.pid!,
      path,
      stop: async () => {
        this.#running.delete(contestant)
        child.kill('SIGTERM')
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
        await exited
        clearTimeout(timer)
      },
    }
    this.#running.add(contestant)
    return contestant
  }

  async clear(): Promise<void> {
    await Promise.all([...this.#running].map((contestant) => contestant.stop()))
    this.remove()
  }

  /** The folder, with all that servers left there. */
  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}

const untilSaid = (child: ChildProcess, isIt: (line: string) => boolean): Promise<void> =>
  new Promise((settle) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (isIt(line)) settle()
    })
  })

const connects = (path: string): Promise<boolean> =>
  new Promise((settle) => {
    const socket = createConnection(path, () => {
      socket.destroy()
      settle(true)
    })
    socket.once('error', () => settle(false))
  })

/** The file of a socket exists before the server listens. */
async function untilListens(path: string): Promise<void> {
  for (let waited = 0; !(await connects(path)) && waited < START_MS; waited += LOOK_AGAIN_MS) await pause(LOOK_AGAIN_MS)
}

const failsWhen = async (exited: Promise<unknown[]>): Promise<never> => {
  const [code, signal] = await exited
  throw new Error(`it ended with ${String(code ?? signal)}`)
}

const tooLate = async (): Promise<never> => {
  await pause(START_MS, undefined, { ref: false })
  throw new Error(`it did not listen within ${START_MS} ms`)
}
