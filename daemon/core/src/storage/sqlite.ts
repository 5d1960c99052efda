/** Opens the SQLite files of the daemon: readable for this user alone, safe against the death of the process, brought up to date by numbered migrations. */
import { constants } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { BridgeError } from '../errors.ts'
import { withPrivateFile } from './safe-folder.ts'

export interface DatabasePlan {
  readonly file: string
  /** Who uses it, as the subject of a sentence: `The sandbox`. */
  readonly owner: string
  /** Statements that bring the file from form N to form N + 1; never changed once released, only added to. */
  readonly migrations: readonly string[]
  /** What an acknowledged write survives: the death of the process, or also that of the machine (which waits for the disk). */
  readonly survives: 'process' | 'machine'
}

const SYNCHRONOUS: Readonly<Record<DatabasePlan['survives'], string>> = { process: 'NORMAL', machine: 'FULL' }

/** What SQLite puts beside a file, with the rights of that file. */
const COMPANIONS = ['-wal', '-shm', '-journal']

/** Opens or creates the file. Throws SERVICE_UNAVAILABLE, and changes nothing, when it is not private, in use, damaged or of a newer version. */
export function openDatabase(plan: DatabasePlan): DatabaseSync {
  try {
    return open(plan)
  } catch (failure) {
    if (failure instanceof BridgeError) throw failure
    const reason = failure instanceof Error ? failure.message : 'unknown reason'
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `${plan.owner} cannot use its data file ${plan.file} (${reason}). Stop the other process that uses it, or move the file away to start afresh.`,
      {},
      { cause: failure },
    )
  }
}

function open({ file, migrations, survives }: DatabasePlan): DatabaseSync {
  withPrivateFile(file, constants.O_WRONLY | constants.O_CREAT, () => {})
  for (const companion of COMPANIONS) withPrivateFile(`${file}${companion}`, constants.O_RDONLY, () => {})
  const database = new DatabaseSync(file)
  try {
    // Locked for this process alone: what is read is also held in memory, and two writers would not see each other.
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${SYNCHRONOUS[survives]};`)
    migrate(database, migrations)
    return database
  } catch (failure) {
    database.close()
    throw failure
  }
}

/** Runs `work` as one transaction: all of it is stored, or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (failure) {
    database.exec('ROLLBACK')
    throw failure
  }
}

function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
  if (found > migrations.length) throw new Error(`its format is ${found}, this version reads up to ${migrations.length}`)
  for (const [form, statements] of migrations.entries()) {
    if (form < found) continue
    inTransaction(database, () => database.exec(`${statements}; PRAGMA user_version = ${form + 1}`))
  }
}
