/** The file for the textfile collector of node_exporter, which reads it as another user at any moment. */
import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CommandFailure } from './failure.ts'
import { EXIT } from './exit-codes.ts'

const READABLE_BY_ALL = 0o644

/** Replaces the file at once, so that no reader sees a part of it. Throws CommandFailure. */
export function writeMetricsFile(file: string, text: string): void {
  // The collector reads no file with this ending.
  const draft = `${file}.${process.pid}.new`
  try {
    const fd = openSync(draft, 'wx', READABLE_BY_ALL)
    try {
      writeFileSync(fd, text)
      // The umask of a service may hide it from other users.
      fchmodSync(fd, READABLE_BY_ALL)
    } finally {
      closeSync(fd)
    }
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    const { message } = cause as Error
    throw new CommandFailure(
      EXIT.failed,
      `${file} cannot be written: ${message}. Name a file in a folder that you can write to.`,
      {},
      { cause },
    )
  }
}
