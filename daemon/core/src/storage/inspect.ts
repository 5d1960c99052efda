/** Looks into a database that no process uses, without a change to it: a copy is opened, because SQLite writes beside what it opens. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { assertWhole } from './sqlite.ts'

const LOG = '-wal'

/**
 * The format version of the file. `folder`: private, for the copy. Throws what SQLite says of the file (see isDamage), and system errors if it
 * cannot be read or copied.
 */
export function inspectDatabase(file: string, folder: string): number {
  const place = mkdtempSync(join(folder, 'doctor-'))
  const copy = join(place, 'copy.sqlite')
  try {
    copyFileSync(file, copy)
    if (existsSync(`${file}${LOG}`)) copyFileSync(`${file}${LOG}`, `${copy}${LOG}`)
    const database = new DatabaseSync(copy)
    try {
      assertWhole(database)
      return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    } finally {
      database.close()
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
