/** Opens the SQLite files of the daemon: private, crash-safe, and updated by numbered migrations. */
import { constants, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { BridgeError } from '../errors.ts'
import { COMPANIONS, setAside } from './data-files.ts'
import { newerData } from './newer-data.ts'
import { createDatabase } from './new-database.ts'
import { withPrivateFile } from './safe-folder.ts'

interface DatabaseOptions {
  readonly file: string
  /** The component for error messages, e.g. `The sandbox`. */
  readonly component: string
  /** Statements that migrate from version N to N + 1. Append only; never change a released one. */
  readonly migrations: readonly string[]
  /**
   * What a committed write survives: a crash of the process, or also of the machine (which waits for the disk). After a crash of the machine the
   * file is whole, unless it is `disposable`: then nothing waits for the disk.
   */
  readonly durability: 'disposable' | 'process' | 'machine'
}

const SYNCHRONOUS: Readonly<Record<DatabaseOptions['durability'], string>> = { disposable: 'OFF', process: 'NORMAL', machine: 'FULL' }

/** What SQLite calls a damaged file, and a file that is no database (rescode.html); the rest of an extended code says where. */
const DAMAGE: readonly number[] = [11, 26]
const BUSY = 5
const PRIMARY_CODE = 0xff

/** The primary code of SQLite's error, also when another error has it as its cause; undefined for any other error. */
function sqliteCode(failure: unknown): number | undefined {
  if (!(failure instanceof Error)) return undefined
  if ('errcode' in failure) return Number(failure.errcode) & PRIMARY_CODE
  return sqliteCode(failure.cause)
}

/** Whether SQLite calls the file damaged, or no database. Nothing else is a reason to begin a new one. */
export const isDamage = (failure: unknown): boolean => DAMAGE.includes(sqliteCode(failure) ?? -1)

/** Reads the whole file. Throws an error that counts as damage unless all of it belongs together. */
export function assertWhole(database: DatabaseSync): void {
  const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})
  if (found !== 'ok') throw Object.assign(new Error('database disk image is malformed'), { errcode: DAMAGE[0], found })
}

/** Whether another process has the file open. */
export const isInUse = (failure: unknown): boolean => sqliteCode(failure) === BUSY

/** What the user can do about an error of opening. */
function adviceFor(failure: unknown): string {
  if (isInUse(failure)) return 'Stop the other process that uses it.'
  if (isDamage(failure)) return 'Move the file away to start with an empty one.'
  return 'Check that the disk is writable and not full.'
}

/**
 * Opens or creates the file. Throws SERVICE_UNAVAILABLE without changes if it is not private, in use or damaged, and NewerDataError if a
 * newer version has migrated it.
 */
export function openDatabase(plan: DatabaseOptions): DatabaseSync {
  try {
    return open(plan)
  } catch (failure) {
    if (failure instanceof BridgeError) throw failure
    const reason = failure instanceof Error ? failure.message : 'unknown error'
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `${plan.component} cannot use its data file ${plan.file} (${reason}). ${adviceFor(failure)}`,
      {},
      { cause: failure },
    )
  }
}

function open({ file, component, migrations, durability: survives }: DatabaseOptions): DatabaseSync {
  const companions = COMPANIONS.map((ending) => `${file}${ending}`)
  for (const companion of companions) withPrivateFile(companion, constants.O_RDONLY, () => {})
  // The log of a file that is gone; a crash may have come between two renames.
  if (!existsSync(file) && companions.some((path) => existsSync(path))) setAside(file, Date.now())
  createDatabase(file, companions, migrations.map(migration).join(';'))
  withPrivateFile(file, constants.O_WRONLY | constants.O_CREAT, () => {})
  const database = new DatabaseSync(file)
  try {
    // Exclusive, because the process caches the data in memory.
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${SYNCHRONOUS[survives]};`)
    const found = formatOf(database)
    if (found > migrations.length) throw newerData(`${component} cannot use its data file ${file}`, found, migrations.length)
    migrate(database, migrations, found)
    return database
  } catch (failure) {
    database.close()
    throw failure
  }
}

/** Runs `work` as one transaction. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (failure) {
    // After a failure of the disk SQLite may have rolled back by itself, and another ROLLBACK would hide the reason.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw failure
  }
}

const formatOf = (database: DatabaseSync): number => Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)

/** The statements, and then the number of the version that they make. */
const migration = (statements: string, version: number): string => `${statements}; PRAGMA user_version = ${version + 1}`

function migrate(database: DatabaseSync, migrations: readonly string[], found: number): void {
  for (const [version, statements] of migrations.entries()) {
    if (version < found) continue
    inTransaction(database, () => database.exec(migration(statements, version)))
  }
}
