/** The disk that fails as planned: each kind of failure reaches SQLite, and no other call is changed. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { buildFaultyDisk, DISK_OPS, FaultyDisk, missingForDisk } from '#test/support/vfs/faulty-disk.ts'
import type { FaultyProcess } from '#test/support/vfs/preload.ts'

const missing = await missingForDisk()
const folder = mkdtempSync(join(tmpdir(), 'sallyport-disk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FULL = 13
const FAILED_WRITE = 778

describe.skipIf(missing !== undefined)(`the faulty disk${missing === undefined ? '' : `: ${missing}`}`, async () => {
  const library = missing === undefined ? await buildFaultyDisk(folder) : ''
  const disk = missing === undefined ? new FaultyDisk(library) : (undefined as never)
  afterEach(() => disk.clear())

  let count = 0
  function opened() {
    const file = join(folder, `${count++}.sqlite`)
    const database = new DatabaseSync(file)
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (row)')
    return {
      file,
      database,
      /** 0, or the code of SQLite. */
      insert(): number {
        try {
          database.exec('INSERT INTO rows VALUES (1)')
          return 0
        } catch (failure) {
          return (failure as { readonly errcode: number }).errcode
        }
      },
    }
  }

  it('notes every call', () => {
    const { database, insert, file } = opened()
    disk.plan({ ops: DISK_OPS, nth: 0 })
    insert()
    const name = file.slice(folder.length + 1)
    expect(disk.points).toEqual([`write ${name}-wal 24`, `write ${name}-wal 4096`, `sync ${name}-wal 0`])
    database.close()
    const ofClose = [
      `sync ${name}-wal 0`,
      `write ${name} 4096`,
      `write ${name} 4096`,
      `truncate ${name} 0`,
      `sync ${name} 0`,
      `delete ${name}-wal 0`,
    ]
    expect(disk.points.slice(3)).toEqual(ofClose)
  })

  it('fails once', () => {
    const { insert } = opened()
    disk.plan({ ops: ['write'], nth: 2, error: 'ENOSPC' })
    expect([insert(), insert(), disk.matched, disk.isFrozen]).toEqual([FULL, 0, 4, false])
  })

  it('fails for good, and only files that it names', () => {
    const [one, other] = [opened(), opened()]
    disk.plan({ ops: ['write'], path: `${one.file}-wal`, nth: 2, isForGood: true })
    expect([one.insert(), one.insert(), other.insert()]).toEqual([FAILED_WRITE, FAILED_WRITE, 0])
  })

  it('tears a write and freezes', () => {
    const { insert, file, database } = opened()
    const size = statSync(`${file}-wal`).size
    disk.plan({ ops: ['write'], nth: 2, torn: 100, death: 'freeze' })
    expect([insert(), insert(), disk.isFrozen]).toEqual([FAILED_WRITE, FAILED_WRITE, true])
    expect(statSync(`${file}-wal`).size).toBe(size + 24 + 100)
    database.close()
    expect(existsSync(`${file}-wal`)).toBe(true)
    disk.clear()
    expect(new DatabaseSync(file).prepare('SELECT count(*) AS rows FROM rows').get()).toEqual({ rows: 0 })
  })

  it('kills a process, and reports the points of another', async () => {
    const start = (given: Omit<FaultyProcess, 'library'>, more = '') =>
      promisify(execFile)(
        process.execPath,
        [
          '--no-warnings',
          '--import',
          join(import.meta.dirname, '../support/vfs/preload.ts'),
          '--eval',
          `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(folder, `process${more}.sqlite`))}).exec('CREATE TABLE rows (row)')`,
        ],
        { env: { TEST_FAULTY_DISK: JSON.stringify({ library, ...given } satisfies FaultyProcess) } },
      )
    const pointsFile = join(folder, 'points')
    await start({ plan: { ops: ['delete'], nth: 0 }, pointsFile })
    expect(readFileSync(pointsFile, 'utf8')).toBe('delete process.sqlite-journal 0')
    await expect(start({ plan: { ops: ['delete'], nth: 1, death: 'kill' } }, '-killed')).rejects.toMatchObject({ signal: 'SIGKILL' })
    expect(existsSync(join(folder, 'process-killed.sqlite-journal'))).toBe(true)
  })
})
