/**
 * The calls with a key, in one SQLite file. It has no names: an id is a hash, arguments are a keyed hash, results are sealed. Calls and their ends
 * are only appended, so that a write changes one page. What is needed of each call is in memory; results are not.
 */
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'
import type { StoredState } from './stored-call.ts'

/** Append only: the schema version of a file is the number of applied migrations. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE calls (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL,
    program TEXT NOT NULL,
    arguments BLOB NOT NULL,
    vault_key TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE TABLE ends (
    call INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    result BLOB
  )`,
  'ALTER TABLE calls ADD COLUMN since_boot INTEGER',
]

/** A call as memory has it. Hashes are strings of one byte a character, which take the least memory. */
export interface CallRow {
  /** Never used again. */
  readonly number: number
  readonly id: string
  readonly program: string
  readonly argumentsHash: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** By Clock.sinceBoot, in whole milliseconds. Undefined if the call is never sent again. */
  readonly sinceBoot: number | undefined
  readonly state: StoredState
  /** Of its result. */
  readonly bytes: number
}

/** Of pages in SQLite's own memory: rows are appended, and only a repeat reads one. */
const CACHED_KIB = 128

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'latin1')
const hashOf = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('latin1')

export class KeyTable {
  readonly #vaultKeyId: string
  readonly #prepared: ReturnType<typeof prepare>

  /** Opens or creates the file. Throws as openDatabase does. */
  constructor(file: string, vaultKeyId: string) {
    this.#vaultKeyId = vaultKeyId
    const database = openDatabase({ file, component: 'The list of calls with a key', migrations: MIGRATIONS, durability: 'disposable' })
    try {
      database.exec(`PRAGMA cache_size = -${CACHED_KIB}`)
      this.#prepared = prepare(database)
    } catch (failure) {
      database.close()
      throw failure
    }
  }

  /** All calls, the first one first. Those of another key of the vault have the state `unsealed`, as long as that key is not back. */
  load(): readonly CallRow[] {
    return this.#prepared.calls.all(this.#vaultKeyId).map((row) => ({
      number: Number(row['number']),
      id: hashOf(row['id']),
      program: String(row['program']),
      argumentsHash: hashOf(row['arguments']),
      createdAt: Number(row['created_at']),
      sinceBoot: row['since_boot'] === null ? undefined : Number(row['since_boot']),
      state: row['state'] as StoredState,
      bytes: Number(row['bytes']),
    }))
  }

  insert({ number, id, program, argumentsHash, createdAt, sinceBoot }: CallRow): void {
    this.#prepared.insert.run(number, bytesOf(id), program, bytesOf(argumentsHash), this.#vaultKeyId, createdAt, sinceBoot ?? null)
  }

  /** Replaces an earlier end: a call with an unknown outcome may be made again. */
  end(number: number, state: StoredState, result: Uint8Array | undefined): void {
    this.#prepared.end.run(number, state, result ?? null)
  }

  result(number: number): Uint8Array | undefined {
    return (this.#prepared.result.get(number)?.['result'] as Uint8Array | null | undefined) ?? undefined
  }

  /** Deletes the calls with these numbers, both included. */
  delete(first: number, last: number): void {
    const { database, removeCalls, removeEndsOf } = this.#prepared
    inTransaction(database, () => {
      removeCalls.run(first, last)
      removeEndsOf.run(first, last)
    })
  }

  /** Stores what memory has of each call; their results are lost. */
  refill(rows: Iterable<CallRow>): void {
    inTransaction(this.#prepared.database, () => {
      for (const row of rows) {
        this.insert(row)
        if (row.state !== 'sent') this.end(row.number, row.state, undefined)
      }
    })
  }

  close(): void {
    this.#prepared.database.close()
  }
}

const prepare = (database: ReturnType<typeof openDatabase>) => ({
  database,
  calls: database.prepare(
    `SELECT number, id, program, arguments, created_at, since_boot, coalesce(length(result), 0) AS bytes,
      CASE WHEN vault_key = ? THEN coalesce(state, 'sent') ELSE 'unsealed' END AS state
      FROM calls LEFT JOIN ends ON call = number ORDER BY number`,
  ),
  insert: database.prepare('INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?)'),
  end: database.prepare('INSERT OR REPLACE INTO ends VALUES (?, ?, ?)'),
  result: database.prepare('SELECT result FROM ends WHERE call = ?'),
  removeCalls: database.prepare('DELETE FROM calls WHERE number BETWEEN ? AND ?'),
  removeEndsOf: database.prepare('DELETE FROM ends WHERE call BETWEEN ? AND ?'),
})
