/** What a daemon that has stopped leaves in its folder: the rows of its databases, and the bytes of its other files, each as a line. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLite puts random numbers into them. Their rows are read with the database. */
const LOGS = /\.sqlite-(?:wal|shm)$/

export function* storedIn(folder: string): Generator<string> {
  const files = globSync('**', { cwd: folder }).toSorted()
  for (const name of files) {
    const path = join(folder, name)
    if (LOGS.test(name) || !statSync(path).isFile()) continue
    if (name.endsWith('.sqlite')) for (const row of rowsOf(path)) yield `${name} ${row}`
    else yield `${name} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
  }
}

function* rowsOf(file: string): Generator<string> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    for (const { name } of tables)
      for (const row of database.prepare(`SELECT * FROM "${String(name)}" ORDER BY 1`).all()) yield `${String(name)} ${JSON.stringify(row)}`
  } finally {
    database.close()
  }
}
