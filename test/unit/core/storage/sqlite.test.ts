/** Opening a database: numbered migrations, exclusive access, private files, a message for each failure. */
import fs, { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { removeDatabase } from '@sallyport/core/storage/data-files'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'
import { canBeOther, OTHER_UID } from '#test/support/other-user.ts'

let root: string
let file: string
const open = (...migrations: string[]) => openDatabase({ file, component: 'The test', migrations, durability: 'machine' })
const FIRST = 'CREATE TABLE things (name TEXT)'
const SECOND = "ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7; INSERT INTO things (name) VALUES ('new')"

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sallyport-'))
  file = join(root, 'test.sqlite')
})
afterEach(() => rmSync(root, { recursive: true }))

test('migrates an older file and keeps its data', () => {
  const old = open(FIRST)
  old.exec("INSERT INTO things VALUES ('old')")
  old.close()
  const now = open(FIRST, SECOND)
  expect(now.prepare('SELECT name, size FROM things').all()).toEqual([
    { name: 'old', size: 7 },
    { name: 'new', size: 7 },
  ])
  now.close()
  const again = open(FIRST, SECOND)
  expect(again.prepare('SELECT count(*) AS n FROM things').get()).toEqual({ n: 2 })
  again.close()
})

test('is removed with its companions, also those of a crash', () => {
  open(FIRST).close()
  for (const ending of ['-wal', '-shm']) writeFileSync(`${file}${ending}`, '')
  removeDatabase(file)
  removeDatabase(file)
  expect(readdirSync(root)).toEqual([])
})

test('a transaction that SQLite rolled back by itself gives its own reason', () => {
  const database = open(FIRST)
  const work = () => {
    database.exec('ROLLBACK')
    throw new Error('disk I/O error')
  }
  expect(() => inTransaction(database, work)).toThrow('disk I/O error')
  database.close()
})

test.skipIf(process.platform === 'win32')('a new file waits once for the disk, and is as SQLite would make it', () => {
  const waits = vi.spyOn(fs, 'fsyncSync')
  syncBuiltinESMExports()
  const made = open(FIRST, SECOND)
  expect(waits).toHaveBeenCalledTimes(1)
  waits.mockRestore()
  syncBuiltinESMExports()
  // No log yet, so nothing was written after the file was whole.
  expect(statSync(`${file}-wal`).size).toBe(0)
  expect(readdirSync(root).toSorted()).toEqual(['test.sqlite', 'test.sqlite-wal'])
  expect(['journal_mode', 'user_version'].map((name) => Object.values(made.prepare(`PRAGMA ${name}`).get() ?? {})[0])).toEqual(['wal', 2])
  expect(made.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  made.exec("INSERT INTO things (name) VALUES ('kept')")
  made.close()
  const again = open(FIRST, SECOND)
  expect(again.prepare('SELECT name FROM things').all()).toEqual([{ name: 'new' }, { name: 'kept' }])
  again.close()
})

test('the log of a file that was moved away is not applied to the new file', () => {
  const old = open(FIRST)
  old.exec("INSERT INTO things VALUES ('old')")
  const log = readFileSync(`${file}-wal`)
  old.close()
  rmSync(file)
  writeFileSync(`${file}-wal`, log, { mode: 0o600 })
  const now = open(FIRST)
  expect(now.prepare('SELECT count(*) AS n FROM things').get()).toEqual({ n: 0 })
  now.close()
})

test('a draft that a crash left is replaced', () => {
  writeFileSync(`${file}.new`, 'half')
  open(FIRST).close()
  expect(readdirSync(root)).toEqual(['test.sqlite'])
})

test('a failed migration leaves the file unchanged', () => {
  open(FIRST).close()
  expect(() => open(FIRST, "INSERT INTO things VALUES ('half'); INSERT INTO nowhere VALUES (1)")).toThrow(
    /The test cannot use its data file/,
  )
  const still = open(FIRST)
  expect(still.prepare('SELECT count(*) AS n FROM things').get()).toEqual({ n: 0 })
  still.close()
})

test('rejects a file of a newer version, a damaged one and one in use', () => {
  const first = open(FIRST, SECOND)
  expect(() => open(FIRST, SECOND)).toThrow(/locked.*Stop the other process that uses it\.$/)
  first.close()
  expect(() => open(FIRST)).toThrow(NewerDataError)
  expect(() => open(FIRST)).toThrow(
    /^The test cannot use its data file .*: its format version is 2, but this program supports up to 1\. A newer/,
  )
  // The refusal changed nothing.
  open(FIRST, SECOND).close()
  writeFileSync(file, 'not a database at all, however long this text may be, it is none of ours')
  expect(() => open(FIRST)).toThrow(/not a database.*Move the file away/)
})

test('a transaction that throws stores nothing', () => {
  const database = open(FIRST)
  expect(() =>
    inTransaction(database, () => {
      database.exec("INSERT INTO things VALUES ('half')")
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(database.prepare('SELECT count(*) AS n FROM things').get()).toEqual({ n: 0 })
  database.close()
})

test.skipIf(process.platform === 'win32')('the file is private', () => {
  open(FIRST).close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

describe.skipIf(process.platform === 'win32')('files that another user may have created', () => {
  test('a link instead of a database file is rejected before SQLite opens it', () => {
    const elsewhere = join(root, 'elsewhere')
    writeFileSync(elsewhere, '', { mode: 0o600 })
    symlinkSync(elsewhere, file)
    expect(() => open(FIRST)).toThrow(/test\.sqlite is not a file \(/)
    expect(statSync(elsewhere).size).toBe(0)
    rmSync(file)
    symlinkSync(elsewhere, `${file}-wal`)
    expect(() => open(FIRST)).toThrow(/test\.sqlite-wal is not a file \(/)
  })

  test('a database file that others can write is rejected', () => {
    open(FIRST).close()
    chmodSync(file, 0o666)
    expect(() => open(FIRST)).toThrow(`chmod 600 '${file}'`)
    chmodSync(file, 0o600)
    writeFileSync(`${file}-shm`, '')
    chmodSync(`${file}-shm`, 0o666)
    expect(() => open(FIRST)).toThrow(`chmod 600 '${file}-shm'`)
  })

  test.runIf(canBeOther)('a file of another user is rejected', () => {
    open(FIRST).close()
    chownSync(file, OTHER_UID, OTHER_UID)
    expect(() => open(FIRST)).toThrow(/another user/)
  })
})
