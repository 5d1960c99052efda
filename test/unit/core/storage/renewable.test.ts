/** A database whose damage shows while it is in use: it is set aside, and the new one gets what memory has. */
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findSetAside, setAside } from '@sallyport/core/storage/data-files'
import { Renewable } from '@sallyport/core/storage/renewable'
import { isDamage, openDatabase } from '@sallyport/core/storage/sqlite'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'renew-'))
  file = join(folder, 'grants.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

const NOW = Date.UTC(2026, 10, 28, 4, 13, 25)
const open = () => {
  const migrations = ['CREATE TABLE things (id INTEGER PRIMARY KEY, body TEXT)']
  const database = openDatabase({ file, component: 'The test', migrations, durability: 'process' })
  // Nothing stays in memory, so that each use reads the file.
  database.exec('PRAGMA cache_size = 1; PRAGMA wal_autocheckpoint = 1')
  return database
}
/** Replaces all of the file but its first page. */
function damage(): void {
  const fd = openSync(file, 'r+')
  writeSync(fd, Buffer.alloc(statSync(file).size - 4096, 0xa5), 0, undefined, 4096)
  closeSync(fd)
}

test('goes on in a new file with what memory has', () => {
  const reasons: unknown[] = []
  const kept = new Map<number, string>()
  const table = new Renewable({
    open,
    setAside(reason) {
      reasons.push(reason)
      setAside(file, NOW)
    },
    refill: (database) => kept.forEach((body, id) => database.prepare('INSERT INTO things VALUES (?, ?)').run(id, body)),
  })
  const put = (id: number) => {
    const body = `${id}`.repeat(500)
    table.use((database) => database.prepare('INSERT INTO things VALUES (?, ?)').run(id, body))
    kept.set(id, body)
  }
  for (let id = 1; id <= 200; id++) put(id * 2)
  damage()
  put(101)
  expect(reasons.map(isDamage)).toEqual([true])
  expect(table.use((database) => database.prepare('SELECT count(*) AS n FROM things').get())).toEqual({ n: 201 })
  table.close()
  expect(findSetAside(folder)).toEqual([{ name: 'grants.sqlite', path: `${file}.damaged-20261128T041325Z`, day: '2026-11-28' }])
})

test('throws any other failure, and moves nothing', () => {
  const table = new Renewable({ open, setAside: () => setAside(file, NOW) })
  expect(() => table.use((database) => database.exec('INSERT INTO nowhere VALUES (1)'))).toThrow(/no such table/)
  table.close()
  expect(readdirSync(folder)).toEqual(['grants.sqlite'])
})

test('a second damaged file of the same second replaces nothing', () => {
  for (let count = 0; count < 3; count++) {
    open().close()
    setAside(file, NOW)
  }
  expect(findSetAside(folder).map(({ path }) => path.slice(file.length))).toEqual([
    '.damaged-20261128T041325Z',
    '.damaged-20261128T041325Z.2',
    '.damaged-20261128T041325Z.3',
  ])
})
