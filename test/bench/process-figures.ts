/** Figures of a process from the kernel: CPU time, also of the processes that it started, memory, and number of wakeups. Linux only, via /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const NS_PER_US = 1000
const KIB = 1024

/** Sums a figure over the threads; one that has just ended counts as nothing. */
function overThreads(pid: number, file: string, figure: (text: string) => number): number {
  let sum = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += figure(readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8'))
    } catch {
      continue
    }
  }
  return sum
}

const lineOf = (text: string, name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN)

/** CPU time of all threads so far, in µs: user and system, compilation and garbage collection included. */
export const cpuMicroseconds = (pid: number): number => overThreads(pid, 'schedstat', (text) => Number(text.split(' ')[0]) / NS_PER_US)

const US_PER_TICK = 10_000
/** In `stat` behind the name, which may hold spaces: the CPU of children that ended and were waited for. */
const CHILDREN_USER = 13

/** In µs, and only as exact as a tick of 10 ms. */
function endedChildrenMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[CHILDREN_USER]) + Number(fields[CHILDREN_USER + 1])) * US_PER_TICK
}

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )

/** CPU time of a process and of all that it started, in µs. Of those that ended, only as exact as a tick of 10 ms. */
export function familyMicroseconds(pid: number): number {
  try {
    const children = childrenOf(pid).reduce((sum, child) => sum + familyMicroseconds(child), 0)
    return cpuMicroseconds(pid) + endedChildrenMicroseconds(pid) + children
  } catch {
    // It ended meanwhile, so its parent has its time.
    return 0
  }
}

/** How often any thread was put to run after it had slept, so far. */
export const wakeUps = (pid: number): number => overThreads(pid, 'status', (text) => lineOf(text, 'voluntary_ctxt_switches'))

export interface Memory {
  /** Bytes that are resident, shared ones included. */
  readonly rss: number
  /** Most bytes that were resident at any time. */
  readonly peak: number
}

/** Throws when the process is gone. */
export function memory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return { rss: lineOf(status, 'VmRSS') * KIB, peak: lineOf(status, 'VmHWM') * KIB }
}

/** Private memory: bytes that no file holds, so only this process has them. The rest of RSS is pages of files that the system may drop. */
export const privateMemory = (pid: number): number => lineOf(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Anonymous') * KIB

const LOOK_MS = 40
const QUIET_US = 400
const PATIENCE_MS = 3_000

/** Waits until the process has nothing more to do, or the patience is over. */
export async function quietDown(pid: number): Promise<void> {
  let before = cpuMicroseconds(pid)
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    await pause(LOOK_MS)
    const now = cpuMicroseconds(pid)
    if (now - before < QUIET_US) return
    before = now
  }
}
