/** A daemon under strace, or without it: its start, what it says, and its end. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cleanEnvironment, type Folders, type Ready, SOURCE } from '../e2e/support/daemon.ts'
import { allowPrograms, followPages } from '../soak/permissions.ts'
import type { DiskPlan } from '../support/vfs/faulty-disk.ts'
import type { FaultyProcess } from '../support/vfs/preload.ts'
import { CALLS } from './points.ts'

/** After that it hangs. */
const END_MS = 20_000
export const STRACE = '/usr/bin/strace'

export interface Bridge {
  /** Undefined when it ended before it was ready. */
  readonly ready: Ready | undefined
  /** All that it printed. */
  said(): string
  stop(): Promise<End>
  readonly ended: Promise<End>
}

export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** What makes calls on the disk fail, or lists them in the file `list`. */
export type Disk =
  /** The words for strace. */
  | { readonly by: 'strace'; readonly words: readonly string[]; readonly list: string }
  /** The library and the plan of the faulty disk below SQLite (test/support/vfs). It writes its list when the daemon exits by itself. */
  | { readonly by: 'sqlite'; readonly library: string; readonly plan: DiskPlan; readonly list: string }

const PRELOAD = pathToFileURL(join(import.meta.dirname, '../support/vfs/preload.ts')).href

const straceWords = ({ words, list }: Extract<Disk, { by: 'strace' }>): readonly string[] => [
  ...['-f', '-y', '-qq', '-s', '0', '-ttt', '-e', 'signal=none', '-o', list, '-e', `trace=${CALLS.join()}`],
  ...words,
  '--',
]

function launchOf(
  words: readonly string[],
  disk: Disk | undefined,
): { readonly command: readonly string[]; readonly env: NodeJS.ProcessEnv } {
  const [node, ...program] = SOURCE.command
  const command = [...SOURCE.command, ...words]
  if (disk === undefined) return { command, env: {} }
  if (disk.by === 'strace') return { command: [STRACE, ...straceWords(disk), ...command], env: {} }
  const { library, plan, list } = disk
  const faulty: FaultyProcess = { library, plan, pointsFile: list }
  return { command: [node, '--import', PRELOAD, ...program, ...words], env: { TEST_FAULTY_DISK: JSON.stringify(faulty) } }
}

/** Resolves when it is ready or has ended. It allows every program and every page, as a user would. */
export async function startBridge(at: Folders, profile: string, disk?: Disk): Promise<Bridge> {
  const run = ['run', '--json', '--platform', profile, '--runtime-dir', at.runtime, '--data-dir', at.data, '--consent', 'prompt']
  const { command, env } = launchOf([...run, '--bridge-port', 'off', '--container-folders', 'off', '--log-level', 'info'], disk)
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    // No PATH: no browser can be started. One thread of the pool: the order of its calls is the same in each run.
    env: {
      ...cleanEnvironment(),
      HOME: join(at.base, 'home'),
      PATH: '/nonexistent',
      SALLYPORT_VAULT: 'file',
      UV_THREADPOOL_SIZE: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let printed = ''
  const ready = Promise.withResolvers<Ready | undefined>()
  const ended = new Promise<End>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  void ended.then(() => ready.resolve(undefined))
  let dashboard: string | null = null
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    allowPrograms(text, dashboard)
    followPages(text)
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (!printed.includes('\n')) return
    const line = JSON.parse(printed.slice(0, printed.indexOf('\n'))) as Ready
    dashboard = line.dashboard
    ready.resolve(line)
  })
  const found = await ready.promise
  return {
    ready: found,
    said: () => said,
    ended,
    async stop() {
      // strace blocks signals, so the daemon gets them itself.
      const signal = (name: NodeJS.Signals) => {
        if (found !== undefined && child.exitCode === null && child.signalCode === null) kill(found.pid, name)
      }
      signal('SIGTERM')
      const timer = setTimeout(() => {
        said += '\nIt did not end.\n'
        signal('SIGKILL')
      }, END_MS)
      return ended.finally(() => clearTimeout(timer))
    },
  }
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}
