/**
 * Makes a database file whole: one write and one wait for the disk. SQLite itself waits nine times for an empty file, its mode and four migrations,
 * while the first game waits for READY.
 */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Where the header has the versions that a writer and a reader need, and their value for a file with a write-ahead log (fileformat2.html 1.3). */
const VERSIONS_AT = 18
const WITH_LOG = Buffer.of(2, 2)

/** The bytes of a database that these statements make. */
function bytesOf(statements: string): Uint8Array {
  const database = new DatabaseSync(':memory:')
  try {
    database.exec(statements)
    const bytes = database.serialize()
    bytes.set(WITH_LOG, VERSIONS_AT)
    return bytes
  } finally {
    database.close()
  }
}

/**
 * Creates the private file, unless it or one of its companions exists: an old log belongs to another file. After any failure there is no file, and
 * SQLite makes one, with an error that names the reason. After a crash there is none either, or the whole one.
 */
export function createDatabase(file: string, companions: readonly string[], statements: string): void {
  if ([file, ...companions].some((path) => existsSync(path))) return
  const draft = `${file}.new`
  try {
    // A stale draft of a crashed process, possibly with wrong permissions.
    rmSync(draft, { force: true })
    const fd = openSync(draft, 'wx', 0o600)
    try {
      writeSync(fd, bytesOf(statements))
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    // Fails if another process was faster, whose file must stay. The name is on the disk with that of the log, before the first write returns.
    linkSync(draft, file)
  } catch {
    // See above.
  } finally {
    rmSync(draft, { force: true })
  }
}
