/** How applications are launched, in one SQLite file that is opened when it is first needed: most users never join a game that does not run. */
import type { Closer } from '../../core/closer.ts'
import { inTransaction, openDatabase } from '../../storage/sqlite.ts'

/** Only added to: the form of a file is the number of those it went through. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE launches (
    platform TEXT NOT NULL,
    application_id TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (platform, application_id)
  )`,
]

/** Any program can name any application id; those that were named first give way. */
export const MOST_KEPT = 1_000

export interface LaunchStore {
  /** Undefined when nothing was registered. Throws SERVICE_UNAVAILABLE. */
  commandOf(applicationId: string): string | undefined
  /** Replaces what was there. Throws SERVICE_UNAVAILABLE. */
  keep(applicationId: string, command: string): void
}

export function launchStore(file: string, platform: string): LaunchStore & { readonly close: Closer } {
  let opened: ReturnType<typeof open> | undefined
  const store = () => (opened ??= open(file))
  return {
    commandOf(applicationId) {
      const row = store().read.get(platform, applicationId)
      return row === undefined ? undefined : String(row['command'])
    },
    keep(applicationId, command) {
      const { database, put, trim } = store()
      inTransaction(database, () => {
        put.run(platform, applicationId, command)
        trim.run(MOST_KEPT)
      })
    },
    close: async () => opened?.database.close(),
  }
}

function open(file: string) {
  const database = openDatabase({ file, owner: 'The list of launch commands', migrations: MIGRATIONS, survives: 'machine' })
  return {
    database,
    read: database.prepare('SELECT command FROM launches WHERE platform = ? AND application_id = ?'),
    put: database.prepare('INSERT OR REPLACE INTO launches VALUES (?, ?, ?)'),
    trim: database.prepare('DELETE FROM launches WHERE rowid NOT IN (SELECT rowid FROM launches ORDER BY rowid DESC LIMIT ?)'),
  }
}
