/**
 * The format of the data folder: which files it has, and what they are called. Each database has a version of its own (`sqlite.ts`). The
 * folder has one too, so that an older program refuses all of it before it opens a part.
 */
import { join } from 'node:path'
import { newerData } from './newer-data.ts'
import { overwriteSmallFile, readSmallText } from './small-file.ts'

/** Changes the folder from format N to N + 1. Must do nothing more when it is run again, because a crash may come before the number is written. */
export type FolderMigration = (folder: string) => void

/** Append only; never change a released one. */
const MIGRATIONS: readonly FolderMigration[] = [
  // Format 1 is the first with a number; the files are those of a folder without one.
  () => {},
]

const fileIn = (folder: string): string => join(folder, 'format')

/** Zero for a new folder and one of a version that wrote no number. */
function formatOf(folder: string): number {
  const text = readSmallText(fileIn(folder))?.trim() ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : 0
}

/** Throws NewerDataError if a newer version has used the folder. Changes nothing. */
export function assertKnownFormat(folder: string): void {
  const found = formatOf(folder)
  if (found > MIGRATIONS.length) throw newerData(`The data folder ${folder} cannot be used`, found, MIGRATIONS.length)
}

/** Migrates the folder, which exists and is private. Throws NewerDataError without changes if a newer version has used it; SERVICE_UNAVAILABLE. */
export function openFolderFormat(folder: string, migrations: readonly FolderMigration[] = MIGRATIONS): void {
  const found = formatOf(folder)
  if (found > migrations.length) throw newerData(`The data folder ${folder} cannot be used`, found, migrations.length)
  const file = fileIn(folder)
  for (const [format, migrate] of migrations.entries()) {
    if (format < found) continue
    migrate(folder)
    // Daemon and tray may be the first in the folder at the same moment.
    overwriteSmallFile(file, `${format + 1}\n`)
  }
}
