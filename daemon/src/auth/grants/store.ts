/** Grants in one SQLite file. A write returns once it is on the disk. */
import type { Closer } from '@sallyport/core/closer'
import { BridgeError } from '@sallyport/core/errors'
import { assertWhole, inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'
import type { ContainerKind, FileIdentity, Program, ProgramKind } from '../../identity/program.ts'
import type { Grant, GrantBasis, GrantPresence, GrantStore, GrantTime } from './grant.ts'

/** Append only: the schema version of a file is the number of migrations it went through. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    application_id TEXT NOT NULL,
    application_name TEXT,
    user_id TEXT NOT NULL,
    username TEXT,
    uid INTEGER,
    executable TEXT,
    file TEXT,
    basis TEXT NOT NULL,
    scopes TEXT NOT NULL,
    granted_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `ALTER TABLE grants ADD COLUMN kind TEXT NOT NULL DEFAULT 'native';
   ALTER TABLE grants ADD COLUMN interpreter TEXT;
   ALTER TABLE grants ADD COLUMN interpreter_file TEXT;
   ALTER TABLE grants ADD COLUMN container TEXT;
   ALTER TABLE grants ADD COLUMN digest TEXT;
   ALTER TABLE grants ADD COLUMN session TEXT`,
  // The sandboxes of macOS and Windows were `other` before; only rows of Linux name a mount namespace.
  `UPDATE grants SET container = 'sandbox' WHERE container = 'other' AND file NOT LIKE 'mnt:%'`,
  `ALTER TABLE grants ADD COLUMN loader TEXT;
   ALTER TABLE grants ADD COLUMN loader_file TEXT;
   ALTER TABLE grants ADD COLUMN denied_scopes TEXT NOT NULL DEFAULT '';
   ALTER TABLE grants ADD COLUMN presence TEXT NOT NULL DEFAULT 'shown';
   ALTER TABLE grants ADD COLUMN lasts TEXT NOT NULL DEFAULT 'kept'`,
  `ALTER TABLE grants ADD COLUMN places TEXT`,
]

type Row = Readonly<Record<string, unknown>>
/** Values by the names of their columns. */
type Values = Readonly<Record<string, string | number | null>>

const textOf = (row: Row, column: string): string => row[column] as string
const wordsOf = (row: Row, column: string): readonly string[] => textOf(row, column).split(' ').filter(Boolean)
const optionalText = (row: Row, column: string): string | undefined => (row[column] as string | null) ?? undefined

/** A file in the column of this name, and its identity in `NAME_file`. */
function fileIn(row: Row, column: string): FileIdentity | undefined {
  const executable = optionalText(row, column)
  const file = optionalText(row, `${column}_file`)
  return executable === undefined || file === undefined ? undefined : { executable, file }
}

const fileValues = (column: string, found: FileIdentity | undefined): Values => ({
  [column]: found?.executable ?? null,
  [`${column}_file`]: found?.file ?? null,
})

const programIn = (row: Row): Program => ({
  kind: textOf(row, 'kind') as ProgramKind,
  uid: (row['uid'] as number | null) ?? undefined,
  executable: optionalText(row, 'executable'),
  file: optionalText(row, 'file'),
  interpreter: fileIn(row, 'interpreter'),
  loader: fileIn(row, 'loader'),
  container: optionalText(row, 'container') as ContainerKind | undefined,
  digest: optionalText(row, 'digest'),
  session: optionalText(row, 'session'),
})

const programValues = ({ kind, uid, executable, file, interpreter, loader, container, digest, session }: Program): Values => ({
  kind,
  uid: uid ?? null,
  executable: executable ?? null,
  file: file ?? null,
  ...fileValues('interpreter', interpreter),
  ...fileValues('loader', loader),
  container: container ?? null,
  digest: digest ?? null,
  session: session ?? null,
})

const placesOf = (row: Row): Pick<Grant, 'places'> => (optionalText(row, 'places') === undefined ? {} : { places: wordsOf(row, 'places') })

const grantOf = (row: Row): Grant => ({
  id: textOf(row, 'id'),
  platform: textOf(row, 'platform'),
  applicationId: textOf(row, 'application_id'),
  applicationName: optionalText(row, 'application_name'),
  userId: textOf(row, 'user_id'),
  username: optionalText(row, 'username'),
  program: programIn(row),
  basis: textOf(row, 'basis') as GrantBasis,
  scopes: wordsOf(row, 'scopes'),
  deniedScopes: wordsOf(row, 'denied_scopes'),
  presence: textOf(row, 'presence') as GrantPresence,
  lasts: textOf(row, 'lasts') as GrantTime,
  ...placesOf(row),
  grantedAt: Number(row['granted_at']),
  lastUsedAt: Number(row['last_used_at']),
})

const valuesOf = ({ program, ...grant }: Grant): Values => ({
  id: grant.id,
  platform: grant.platform,
  application_id: grant.applicationId,
  application_name: grant.applicationName ?? null,
  user_id: grant.userId,
  username: grant.username ?? null,
  ...programValues(program),
  basis: grant.basis,
  scopes: grant.scopes.join(' '),
  denied_scopes: grant.deniedScopes.join(' '),
  presence: grant.presence,
  lasts: grant.lasts,
  places: grant.places?.join(' ') ?? null,
  granted_at: grant.grantedAt,
  last_used_at: grant.lastUsedAt,
})

/** Converts a failed write, such as a full disk, into SERVICE_UNAVAILABLE. */
function written<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason'
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `The list of grants cannot be written (${reason}); free the disk and try again.`,
      {},
      { cause },
    )
  }
}

/** Opens or creates the file. Throws SERVICE_UNAVAILABLE when it is in use, damaged or of a newer version. */
export function openGrantStore(file: string): GrantStore & { readonly close: Closer } {
  const database = openDatabase({ file, component: 'The list of grants', migrations: MIGRATIONS, durability: 'machine' })
  const all = database.prepare('SELECT * FROM grants WHERE platform = ? ORDER BY granted_at, id')
  // By name, because columns come in the order of the migrations.
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('grants')
    .map(({ name }) => String(name))
  const put = database.prepare(`INSERT OR REPLACE INTO grants (${columns.join()}) VALUES (${columns.map((name) => `:${name}`).join()})`)
  const drop = database.prepare('DELETE FROM grants WHERE id = ?')
  return {
    load(platform) {
      // A row that is lost without a sign may be a refusal.
      assertWhole(database)
      return all.all(platform).map(grantOf)
    },
    put: (grant) => void written(() => put.run(valuesOf(grant))),
    remove: (ids) => written(() => inTransaction(database, () => ids.forEach((id) => void drop.run(id)))),
    close: async () => database.close(),
  }
}
