/** The file behind the store: one table of JSON documents in SQLite, safe against the death of the process at any moment. */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { BridgeError } from '../../core/errors.ts'
import type { Backing } from './store.ts'

/** Of the documents' shape; a file of another one is refused. */
const FORMAT = 1

// Locked for this process alone: the state is also held in memory, and two writers would not see each other.
const SETTINGS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS documents (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
`

/** Opens or creates the file, readable for its owner only. Throws SERVICE_UNAVAILABLE when it is in use, damaged or of another format. */
export function openSqliteBacking(file: string): Backing {
  try {
    return open(file)
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : 'unknown reason'
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `The sandbox cannot use its data file ${file} (${reason}). Stop the other sandbox that uses it, or move the file away to start afresh.`,
      {},
      { cause: failure },
    )
  }
}

function open(file: string): Backing {
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file)
  try {
    database.exec(SETTINGS)
    checkFormat(database)
  } catch (failure) {
    database.close()
    throw failure
  }
  const put = database.prepare('INSERT OR REPLACE INTO documents (kind, id, body) VALUES (?, ?, ?)')
  const drop = database.prepare('DELETE FROM documents WHERE kind = ? AND id = ?')
  const all = database.prepare('SELECT kind, id, body FROM documents ORDER BY kind, length(id), id')
  return {
    *load() {
      for (const { kind, id, body } of all.iterate()) yield { kind: String(kind), id: String(id), body: String(body) }
    },
    save(writes) {
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const { kind, id, value } of writes) {
          if (value === undefined) drop.run(kind, id)
          else put.run(kind, id, JSON.stringify(value))
        }
        database.exec('COMMIT')
      } catch (failure) {
        database.exec('ROLLBACK')
        throw failure
      }
    },
    close: () => database.close(),
  }
}

function checkFormat(database: DatabaseSync): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
  if (found === 0) database.exec(`PRAGMA user_version = ${FORMAT}`)
  else if (found !== FORMAT) throw new Error(`its format is ${found}, this version reads ${FORMAT}`)
}
