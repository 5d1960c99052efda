/** The end of a program that a test has started. */
import type { ChildProcess } from 'node:child_process'

/** Resolves once the program has ended and all that it printed has been read: the news of its end may overtake its last words. */
export function ended(child: ChildProcess): Promise<number | null> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  const isRead = [child.stdout, child.stderr].every((stream) => stream === null || stream.closed)
  return isOver && isRead ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('close', resolve))
}
