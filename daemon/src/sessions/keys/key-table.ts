/** The calls with a key, in one SQLite file. It has no names: an id is a hash, arguments are a keyed hash, results are sealed. */
import { openDatabase } from '@sallyport/core/storage/sqlite'
import type { StoredState } from './stored-call.ts'

/** Append only: the schema version of a file is the number of applied migrations. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE calls (
    id BLOB PRIMARY KEY,
    program TEXT NOT NULL,
    arguments BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    result BLOB
  );
  CREATE TABLE vault_key (id TEXT NOT NULL)`,
]

export interface CallRow {
  readonly program: string
  readonly argumentsHash: Uint8Array
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly state: StoredState
  readonly result: Uint8Array | undefined
}

/** What a program keeps. */
export interface Kept {
  readonly program: string
  readonly keys: number
  /** Of results. */
  readonly bytes: number
  /** When the oldest was made. */
  readonly oldestAt: number
}

export class KeyTable {
  readonly #prepared: ReturnType<typeof prepare>

  /** Opens or creates the file. Throws as openDatabase does. */
  constructor(file: string) {
    this.#prepared = prepare(
      openDatabase({ file, component: 'The list of calls with a key', migrations: MIGRATIONS, durability: 'process' }),
    )
  }

  /**
   * After this, results that another key of the vault sealed have the state `unsealed`, and no call is from the future, where it would be kept
   * too long after the clock was set back.
   */
  begin(vaultKeyId: string, now: number): void {
    const { vaultKey, setVaultKey, unseal, addVaultKey, fromFuture } = this.#prepared
    const known = vaultKey.get()?.['id']
    if (known === undefined) addVaultKey.run(vaultKeyId)
    else if (known !== vaultKeyId) {
      unseal.run()
      setVaultKey.run(vaultKeyId)
    }
    fromFuture.run(now, now)
  }

  read(id: Uint8Array): CallRow | undefined {
    const row = this.#prepared.read.get(id)
    if (row === undefined) return undefined
    return {
      program: String(row['program']),
      argumentsHash: row['arguments'] as Uint8Array,
      createdAt: Number(row['created_at']),
      state: row['state'] as StoredState,
      result: (row['result'] as Uint8Array | null) ?? undefined,
    }
  }

  insert(id: Uint8Array, { program, argumentsHash, createdAt, state }: Omit<CallRow, 'result'>): void {
    this.#prepared.insert.run(id, program, argumentsHash, createdAt, state)
  }

  update(id: Uint8Array, state: StoredState, result: Uint8Array | undefined): void {
    this.#prepared.update.run(state, result ?? null, id)
  }

  delete(id: Uint8Array): void {
    this.#prepared.remove.run(id)
  }

  deleteUntil(createdAt: number): void {
    this.#prepared.removeUntil.run(createdAt)
  }

  kept(): readonly Kept[] {
    return this.#prepared.kept.all().map((row) => ({
      program: String(row['program']),
      keys: Number(row['keys']),
      bytes: Number(row['bytes']),
      oldestAt: Number(row['oldest_at']),
    }))
  }

  close(): void {
    this.#prepared.database.close()
  }
}

const prepare = (database: ReturnType<typeof openDatabase>) => ({
  database,
  vaultKey: database.prepare('SELECT id FROM vault_key'),
  addVaultKey: database.prepare('INSERT INTO vault_key VALUES (?)'),
  setVaultKey: database.prepare('UPDATE vault_key SET id = ?'),
  unseal: database.prepare("UPDATE calls SET state = 'unsealed', result = NULL"),
  fromFuture: database.prepare('UPDATE calls SET created_at = ? WHERE created_at > ?'),
  read: database.prepare('SELECT program, arguments, created_at, state, result FROM calls WHERE id = ?'),
  insert: database.prepare('INSERT INTO calls VALUES (?, ?, ?, ?, ?, NULL)'),
  update: database.prepare('UPDATE calls SET state = ?, result = ? WHERE id = ?'),
  remove: database.prepare('DELETE FROM calls WHERE id = ?'),
  removeUntil: database.prepare('DELETE FROM calls WHERE created_at <= ?'),
  kept: database.prepare(
    'SELECT program, count(*) AS keys, sum(coalesce(length(result), 0)) AS bytes, min(created_at) AS oldest_at FROM calls GROUP BY program',
  ),
})
