/** The file of the store: one SQLite table of JSON documents, safe against a crash of the process. */
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'
import type { StoreBackend } from './store.ts'

const MIGRATIONS = [
  'CREATE TABLE IF NOT EXISTS documents (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
  // Members had permission bits of their own; now their roles have them.
  `UPDATE documents SET body = json_set(body, '$.members', json((SELECT json_group_object(key, json('{}')) FROM json_each(body, '$.members'))))
   WHERE kind = 'guild'`,
]

/** Opens or creates the file. Throws SERVICE_UNAVAILABLE when it is in use, damaged or of a newer version. */
export function openSqliteBackend(file: string): StoreBackend {
  const database = openDatabase({ file, component: 'The sandbox', migrations: MIGRATIONS, durability: 'process' })
  const put = database.prepare('INSERT OR REPLACE INTO documents (kind, id, body) VALUES (?, ?, ?)')
  const drop = database.prepare('DELETE FROM documents WHERE kind = ? AND id = ?')
  const all = database.prepare('SELECT kind, id, body FROM documents ORDER BY kind, length(id), id')
  return {
    *load() {
      for (const { kind, id, body } of all.iterate()) yield { kind: String(kind), id: String(id), body: String(body) }
    },
    save(writes) {
      inTransaction(database, () => {
        for (const { kind, id, value } of writes) {
          if (value === undefined) drop.run(kind, id)
          else put.run(kind, id, JSON.stringify(value))
        }
      })
    },
    close: () => database.close(),
  }
}
