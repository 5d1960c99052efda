/** A daemon under strace, or without it: its start, what it says, and its end. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnvironment, type Folders, type Ready, SOURCE } from '../e2e/support/daemon.ts'
import { allowPrograms, followPages } from '../soak/permissions.ts'
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

/** `traced`: the words for strace, and the file for its list. */
export interface Traced {
  readonly words: readonly string[]
  readonly list: string
}

const straceWords = ({ words, list }: Traced): readonly string[] => [
  ...['-f', '-y', '-qq', '-s', '0', '-ttt', '-e', 'signal=none', '-o', list, '-e', `trace=${CALLS.join()}`],
  ...words,
  '--',
]

/** Resolves when it is ready or has ended. It allows every program and every page, as a user would. */
export async function startBridge(at: Folders, profile: string, traced?: Traced): Promise<Bridge> {
  const run = ['run', '--json', '--platform', profile, '--runtime-dir', at.runtime, '--data-dir', at.data, '--consent', 'prompt']
  const command = [...SOURCE.command, ...run, '--bridge-port', 'off', '--container-folders', 'off', '--log-level', 'info']
  const [program = '', ...words] = traced === undefined ? command : [STRACE, ...straceWords(traced), ...command]
  const child = spawn(program, words, {
    // No PATH: no browser can be started. One thread of the pool: the order of its calls is the same in each run.
    env: { ...cleanEnvironment(), HOME: join(at.base, 'home'), PATH: '/nonexistent', SALLYPORT_VAULT: 'file', UV_THREADPOOL_SIZE: '1' },
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
