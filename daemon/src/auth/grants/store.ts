/** Grants in one SQLite file. A write returns once it is on the disk. */
import type { Closer } from '@sallyport/core/closer'
import { BridgeError } from '@sallyport/core/errors'
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'
import type { ContainerKind, Program, ProgramKind } from '../../identity/program.ts'
import type { Grant, GrantStore } from './grant.ts'

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
]

type Row = Readonly<Record<string, unknown>>

const textOf = (row: Row, column: string): string => row[column] as string
const optionalText = (row: Row, column: string): string | undefined => (row[column] as string | null) ?? undefined

function programIn(row: Row): Program {
  const interpreter = optionalText(row, 'interpreter')
  const interpreterFile = optionalText(row, 'interpreter_file')
  return {
    kind: textOf(row, 'kind') as ProgramKind,
    uid: (row['uid'] as number | null) ?? undefined,
    executable: optionalText(row, 'executable'),
    file: optionalText(row, 'file'),
    interpreter:
      interpreter === undefined || interpreterFile === undefined ? undefined : { executable: interpreter, file: interpreterFile },
    container: optionalText(row, 'container') as ContainerKind | undefined,
    digest: optionalText(row, 'digest'),
    session: optionalText(row, 'session'),
  }
}

const grantOf = (row: Row): Grant => ({
  id: textOf(row, 'id'),
  platform: textOf(row, 'platform'),
  applicationId: textOf(row, 'application_id'),
  applicationName: optionalText(row, 'application_name'),
  userId: textOf(row, 'user_id'),
  username: optionalText(row, 'username'),
  program: programIn(row),
  basis: textOf(row, 'basis') === 'allowed' ? 'allowed' : 'token',
  scopes: textOf(row, 'scopes').split(' ').filter(Boolean),
  grantedAt: Number(row['granted_at']),
  lastUsedAt: Number(row['last_used_at']),
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
  const put = database.prepare('INSERT OR REPLACE INTO grants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const drop = database.prepare('DELETE FROM grants WHERE id = ?')
  return {
    load: (platform) => all.all(platform).map(grantOf),
    put({ program, ...grant }) {
      const run = () =>
        put.run(
          grant.id,
          grant.platform,
          grant.applicationId,
          grant.applicationName ?? null,
          grant.userId,
          grant.username ?? null,
          program.uid ?? null,
          program.executable ?? null,
          program.file ?? null,
          grant.basis,
          grant.scopes.join(' '),
          grant.grantedAt,
          grant.lastUsedAt,
          program.kind,
          program.interpreter?.executable ?? null,
          program.interpreter?.file ?? null,
          program.container ?? null,
          program.digest ?? null,
          program.session ?? null,
        )
      written(run)
    },
    remove: (ids) => written(() => inTransaction(database, () => ids.forEach((id) => void drop.run(id)))),
    close: async () => database.close(),
  }
}
