/** Waits for the end of a program that a test has started. */
import type { ChildProcess } from 'node:child_process'

/** Resolves when the program has ended and all its output has been read, because its exit may be reported before its last output. */
export function ended(child: ChildProcess): Promise<number | null> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  const isRead = [child.stdout, child.stderr].every((stream) => stream === null || stream.closed)
  return isOver && isRead ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('close', resolve))
}
