/** How applications are launched, in one SQLite file that is opened when it is first needed: most users never join a game that does not run. */
import type { Closer } from '@sallyport/core/closer'
import type { Program } from '../../identity/program.ts'
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'

/** Only added to: the form of a file is the number of those it went through. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE launches (
    platform TEXT NOT NULL,
    application_id TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (platform, application_id)
  )`,
  `ALTER TABLE launches ADD COLUMN registered_by TEXT;
   CREATE TABLE allowed (
    platform TEXT NOT NULL,
    application_id TEXT NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (platform, application_id)
  )`,
]

/** Any program can name any application id; those that were named first give way. */
export const MOST_KEPT = 1_000

/** How an application is launched, and which program said so. */
export interface Registration {
  readonly command: string
  /** Undefined for what was registered before that was kept. */
  readonly by: Program | undefined
}

/** Everything throws SERVICE_UNAVAILABLE. */
export interface LaunchStore {
  /** Undefined when nothing was registered. */
  registrationOf(applicationId: string): Registration | undefined
  /** Replaces what was there. */
  keep(applicationId: string, command: string, by: Program): void
  /** What the user allowed to be started for an application, as it was given to `allow`. */
  allowedFor(applicationId: string): string | undefined
  /** Replaces what was allowed before. */
  allow(applicationId: string, what: string): void
}

export function launchStore(file: string, platform: string): LaunchStore & { readonly close: Closer } {
  let opened: ReturnType<typeof open> | undefined
  const store = () => (opened ??= open(file))
  return {
    registrationOf(applicationId) {
      const row = store().read.get(platform, applicationId)
      if (row === undefined) return undefined
      const by = row['registered_by'] as string | null
      return { command: String(row['command']), by: by === null ? undefined : (JSON.parse(by) as Program) }
    },
    keep(applicationId, command, by) {
      const { database, put, trim } = store()
      inTransaction(database, () => {
        put.run(platform, applicationId, command, JSON.stringify(by))
        trim.run(MOST_KEPT)
      })
    },
    allowedFor(applicationId) {
      const row = store().readAllowed.get(platform, applicationId)
      return row === undefined ? undefined : String(row['what'])
    },
    allow(applicationId, what) {
      const { database, putAllowed, trimAllowed } = store()
      inTransaction(database, () => {
        putAllowed.run(platform, applicationId, what)
        trimAllowed.run(MOST_KEPT)
      })
    },
    close: async () => opened?.database.close(),
  }
}

function open(file: string) {
  const database = openDatabase({ file, owner: 'The list of launch commands', migrations: MIGRATIONS, survives: 'machine' })
  return {
    database,
    read: database.prepare('SELECT command, registered_by FROM launches WHERE platform = ? AND application_id = ?'),
    put: database.prepare('INSERT OR REPLACE INTO launches VALUES (?, ?, ?, ?)'),
    readAllowed: database.prepare('SELECT what FROM allowed WHERE platform = ? AND application_id = ?'),
    putAllowed: database.prepare('INSERT OR REPLACE INTO allowed VALUES (?, ?, ?)'),
    trimAllowed: database.prepare('DELETE FROM allowed WHERE rowid NOT IN (SELECT rowid FROM allowed ORDER BY rowid DESC LIMIT ?)'),
    trim: database.prepare('DELETE FROM launches WHERE rowid NOT IN (SELECT rowid FROM launches ORDER BY rowid DESC LIMIT ?)'),
  }
}
