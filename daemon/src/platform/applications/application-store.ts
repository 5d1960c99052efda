/** Names, icons and pictures of applications in one SQLite file of bounded size. It is a cache: losing it costs a few requests. */
import type { Closer } from '@sallyport/core/closer'
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'

export interface ApplicationRow {
  readonly id: string
  /** Undefined when the platform knows no such application. */
  readonly name: string | undefined
  /** Hash of the icon, as in its address. */
  readonly icon: string | undefined
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  /** Ids of pictures by name; undefined if never asked. */
  readonly assets: Readonly<Record<string, string>> | undefined
  /** Milliseconds since the epoch; 0 if never. */
  readonly assetsAskedAt: number
}

export interface StoredImage {
  readonly type: string
  readonly bytes: Uint8Array
}

export interface ApplicationStore {
  readonly load: () => readonly ApplicationRow[]
  readonly put: (row: ApplicationRow) => void
  readonly hasImage: (id: string) => boolean
  readonly image: (id: string) => StoredImage | undefined
  readonly putImage: (id: string, image: StoredImage, at: number) => void
  readonly close: Closer
}

const MAX_APPLICATIONS = 500
const MAX_IMAGES = 500

/** Append only: the schema version of a file is the number of migrations it went through. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE applications (
    platform TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT,
    icon TEXT,
    asked_at INTEGER NOT NULL,
    assets TEXT,
    assets_asked_at INTEGER NOT NULL,
    PRIMARY KEY (platform, id)
  ) WITHOUT ROWID;
  CREATE TABLE images (id TEXT PRIMARY KEY, type TEXT NOT NULL, bytes BLOB NOT NULL, stored_at INTEGER NOT NULL)`,
]

/** Opens or creates the file. Throws SERVICE_UNAVAILABLE when it is in use, damaged or of a newer version. */
export function openApplicationStore(file: string, platform: string): ApplicationStore {
  const database = openDatabase({ file, component: 'The list of applications', migrations: MIGRATIONS, durability: 'process' })
  const all = database.prepare('SELECT * FROM applications WHERE platform = ? ORDER BY asked_at')
  const put = database.prepare('INSERT OR REPLACE INTO applications VALUES (?, ?, ?, ?, ?, ?, ?)')
  const trim = database.prepare(
    `DELETE FROM applications WHERE platform = ?1 AND id NOT IN
      (SELECT id FROM applications WHERE platform = ?1 ORDER BY asked_at DESC LIMIT ${MAX_APPLICATIONS})`,
  )
  const has = database.prepare('SELECT 1 FROM images WHERE id = ?')
  const read = database.prepare('SELECT type, bytes FROM images WHERE id = ?')
  const write = database.prepare('INSERT OR REPLACE INTO images VALUES (?, ?, ?, ?)')
  const trimImages = database.prepare(
    `DELETE FROM images WHERE id NOT IN (SELECT id FROM images ORDER BY stored_at DESC LIMIT ${MAX_IMAGES})`,
  )
  return {
    load: () =>
      all.all(platform).map((row) => ({
        id: String(row['id']),
        name: (row['name'] as string | null) ?? undefined,
        icon: (row['icon'] as string | null) ?? undefined,
        askedAt: Number(row['asked_at']),
        assets: row['assets'] === null ? undefined : (JSON.parse(String(row['assets'])) as Record<string, string>),
        assetsAskedAt: Number(row['assets_asked_at']),
      })),
    put: ({ id, name, icon, askedAt, assets, assetsAskedAt }) =>
      inTransaction(database, () => {
        put.run(platform, id, name ?? null, icon ?? null, askedAt, assets === undefined ? null : JSON.stringify(assets), assetsAskedAt)
        trim.run(platform)
      }),
    hasImage: (id) => has.get(id) !== undefined,
    image(id) {
      const row = read.get(id)
      return row === undefined ? undefined : { type: String(row['type']), bytes: row['bytes'] as Uint8Array }
    },
    putImage: (id, { type, bytes }, at) =>
      inTransaction(database, () => {
        write.run(id, type, bytes, at)
        trimImages.run()
      }),
    close: async () => database.close(),
  }
}
