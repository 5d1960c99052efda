/** The file of the store: one SQLite table of JSON documents, safe against a crash of the process. */
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { Renewable } from '@sallyport/core/storage/renewable'
import { assertWhole, inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'
import type { Write } from './collection.ts'
import type { StoreBackend } from './store.ts'

export const MIGRATIONS: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS documents (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
  // Members had permission bits of their own; now their roles have them.
  `UPDATE documents SET body = json_set(body, '$.members', json((SELECT json_group_object(key, json('{}')) FROM json_each(body, '$.members'))))
   WHERE kind = 'guild'`,
]

/** Opens or creates the file. Throws SERVICE_UNAVAILABLE when it is in use, damaged or of a newer version. */
function openFile(file: string) {
  const database = openDatabase({ file, component: 'The sandbox', migrations: MIGRATIONS, durability: 'process' })
  const put = database.prepare('INSERT OR REPLACE INTO documents (kind, id, body) VALUES (?, ?, ?)')
  const drop = database.prepare('DELETE FROM documents WHERE kind = ? AND id = ?')
  const all = database.prepare('SELECT kind, id, body FROM documents ORDER BY kind, length(id), id')
  return {
    load() {
      assertWhole(database)
      return all.all().map(({ kind, id, body }) => ({ kind: String(kind), id: String(id), body: String(body) }))
    },
    save(writes: readonly Write[]) {
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

/** Sets a damaged file aside. `everything`: what memory has. Throws SERVICE_UNAVAILABLE when the file is in use or of a newer version. */
export function openSqliteBackend(health: Pick<DataHealth, 'pathOf' | 'setAside'>): StoreBackend {
  let everything: () => readonly Write[] = () => []
  const file = new Renewable({
    open: () => openFile(health.pathOf('sandbox.sqlite')),
    setAside: (reason) => health.setAside('sandbox.sqlite', reason),
    refill: (opened) => opened.save(everything()),
  })
  return {
    load: () => file.use((opened) => opened.load()),
    save(writes, content) {
      everything = content
      file.use((opened) => opened.save(writes))
    },
    close: () => file.close(),
  }
}
