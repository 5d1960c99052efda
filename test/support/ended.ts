/** The end of programs that a test has started, directly or through another program. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Resolves when the program has ended and all its output has been read, because its exit may be reported before its last output. */
export function ended(child: ChildProcess): Promise<number | null> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  const isRead = [child.stdout, child.stderr].every((stream) => stream === null || stream.closed)
  return isOver && isRead ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('close', resolve))
}

/** Linux only. A process that ended and was not waited for still has an entry, which may go between a look whether it is there and the reading. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Does nothing when the process has ended. */
export function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
