/**
 * Puts both ends of a conversation on one processor. Between two, what is measured is how long a sleeping processor takes to wake
 * (in a virtual machine several times the work itself, and another time each round), and whether the scheduler happened to bring the two together.
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

const taskset = (processors: string, pid: number): boolean =>
  spawnSync('taskset', ['-acp', processors, String(pid)], { stdio: 'ignore' }).status === 0

/** The servers, and this process until `release`. Without the system's `taskset` all stay where they are. */
export function shareProcessor(pids: readonly number[]): { readonly isShared: boolean; release(): void } {
  const last = cpus().length - 1
  const isShared = [process.pid, ...pids].map((pid) => taskset(String(last), pid)).every(Boolean)
  return { isShared, release: () => void taskset(`0-${last}`, process.pid) }
}

export const placeNote = (isShared: boolean): string =>
  isShared ? 'client and servers share one processor' : 'there is no taskset here, so processors wake each other'
