/** Stores launch commands in a SQLite file. It is opened on first use, because most users never need it. */
import type { Program } from '../../identity/program.ts'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { Renewable } from '@sallyport/core/storage/renewable'
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'

/** Append only: the schema version of a file is the number of applied migrations. */
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

/** Any program can name any application id, so the oldest entries are dropped. */
const MAX_ENTRIES = 1_000

/** The launch command of an application, and the program that registered it. */
export interface Registration {
  readonly command: string
  /** Undefined for entries of older versions. */
  readonly by: Program | undefined
}

/** Every method can throw SERVICE_UNAVAILABLE. */
export interface LaunchStore {
  /** Undefined when nothing was registered. */
  registrationOf(applicationId: string): Registration | undefined
  /** Replaces an existing command. */
  save(applicationId: string, command: string, by: Program): void
  /** The launch that the user allowed for an application, as passed to `allow`. */
  allowedFor(applicationId: string): string | undefined
  /** Replaces the launch allowed before. */
  allow(applicationId: string, what: string): void
}

/** A damaged file is set aside, and a new one begins. */
export function launchStore(
  health: Pick<DataHealth, 'pathOf' | 'setAside'>,
  platform: string,
): LaunchStore & { readonly close: () => void } {
  const file = new Renewable({
    open: () => open(health.pathOf('launches.sqlite')),
    setAside: (reason) => health.setAside('launches.sqlite', reason),
  })
  return {
    registrationOf(applicationId) {
      const row = file.use(({ read }) => read.get(platform, applicationId))
      if (row === undefined) return undefined
      const by = row['registered_by'] as string | null
      return { command: String(row['command']), by: by === null ? undefined : (JSON.parse(by) as Program) }
    },
    save(applicationId, command, by) {
      file.use(({ database, put, trim }) =>
        inTransaction(database, () => {
          put.run(platform, applicationId, command, JSON.stringify(by))
          trim.run(MAX_ENTRIES)
        }),
      )
    },
    allowedFor(applicationId) {
      const row = file.use(({ readAllowed }) => readAllowed.get(platform, applicationId))
      return row === undefined ? undefined : String(row['what'])
    },
    allow(applicationId, what) {
      file.use(({ database, putAllowed, trimAllowed }) =>
        inTransaction(database, () => {
          putAllowed.run(platform, applicationId, what)
          trimAllowed.run(MAX_ENTRIES)
        }),
      )
    },
    close: () => file.close(),
  }
}

function open(file: string) {
  const database = openDatabase({ file, component: 'The list of launch commands', migrations: MIGRATIONS, durability: 'machine' })
  return {
    database,
    close: () => database.close(),
    read: database.prepare('SELECT command, registered_by FROM launches WHERE platform = ? AND application_id = ?'),
    put: database.prepare('INSERT OR REPLACE INTO launches VALUES (?, ?, ?, ?)'),
    readAllowed: database.prepare('SELECT what FROM allowed WHERE platform = ? AND application_id = ?'),
    putAllowed: database.prepare('INSERT OR REPLACE INTO allowed VALUES (?, ?, ?)'),
    trimAllowed: database.prepare('DELETE FROM allowed WHERE rowid NOT IN (SELECT rowid FROM allowed ORDER BY rowid DESC LIMIT ?)'),
    trim: database.prepare('DELETE FROM launches WHERE rowid NOT IN (SELECT rowid FROM launches ORDER BY rowid DESC LIMIT ?)'),
  }
}
