/** The grants of a bridge whose files are damaged, gone or cannot be read: nothing is overwritten, and no refusal is lost. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { everyGame } from '#daemon/src/auth/grants/every-game.ts'
import { openKeptStore } from '#daemon/src/auth/grants/kept-store.ts'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { dataHealth } from '#test/support/data-health.ts'
import { sampleGrant } from './sample.ts'

let folder: string
let health: DataHealth
/** Whether presence is paused: not at all, or also after the next start. */
let paused: 'no' | 'for good'
const files: { close(): void }[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'))
  paused = 'no'
})
afterEach(() => {
  for (const one of files.splice(0)) one.close()
  rmSync(folder, { recursive: true })
})

const pathOf = (name: string) => join(folder, name)
function open() {
  for (const one of files.splice(0)) one.close()
  health = dataHealth(folder)
  const store = openKeptStore({ health, pauseForGood: () => (paused = 'for good') })
  files.push(store)
  return store
}
const idsOf = (store: ReturnType<typeof open>) =>
  store
    .load('test')
    .map(({ id, basis, presence }) => `${id} ${basis} ${presence}`)
    .toSorted()

const ALLOWED = sampleGrant('allowed')
const HIDDEN = sampleGrant('hidden', { presence: 'hidden' })
const BLOCKED = sampleGrant('blocked', { basis: 'blocked', scopes: [] })
const OTHER = sampleGrant('other', { platform: 'other', presence: 'hidden' })
const CHOICES = ['blocked blocked shown', 'hidden token hidden']
const ALL = ['allowed allowed shown', 'blocked blocked shown', 'hidden allowed hidden']

function fill(): void {
  const store = open()
  store.load('test')
  for (const grant of [ALLOWED, HIDDEN, BLOCKED, OTHER]) store.put(grant)
  store.close()
  files.splice(0)
}
const aside = () => readdirSync(folder).filter((name) => name.includes('.damaged-'))

/** What becomes of the list of grants, and what SQLite says of it. */
const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  'is no database': (path) => writeFileSync(path, 'no database, but as long as one '.repeat(200)),
  'ends in the middle': (path) => truncateSync(path, 4096 + 100),
  'has other bytes in its pages': (path) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xa5, 4096))
  },
}

describe.each(Object.entries(DAMAGE))('a list that %s', (_, damage) => {
  test('is set aside with its content, and hidden and blocked games stay so', () => {
    fill()
    damage(pathOf('grants.sqlite'))
    const damaged = readFileSync(pathOf('grants.sqlite'))
    expect(idsOf(open())).toEqual(CHOICES)
    expect(aside()).toHaveLength(1)
    expect(readFileSync(pathOf(aside()[0] ?? ''))).toEqual(damaged)
    expect(health.problems()).toMatchObject([
      { name: 'grants.sqlite', kind: 'set-aside', message: expect.stringContaining(aside()[0] ?? '?') },
    ])
    expect(paused).toBe('no')
    // The new list has them, and the next start reads it.
    expect(idsOf(open())).toEqual(CHOICES)
    expect(aside()).toHaveLength(1)
  })

  test('with no second list pauses presence for good, because hidden games may be among the lost', () => {
    fill()
    rmSync(pathOf('choices.json'))
    damage(pathOf('grants.sqlite'))
    expect(idsOf(open())).toEqual([])
    expect(paused).toBe('for good')
    expect(health.problems().map(({ kind }) => kind)).toEqual(['lost', 'set-aside'])
  })
})

test('a list that is gone loses no refusal', () => {
  fill()
  rmSync(pathOf('grants.sqlite'))
  expect(idsOf(open())).toEqual(CHOICES)
  expect(health.problems()).toEqual([])
})

test('a damaged second list is set aside and made anew from the list of grants', () => {
  fill()
  writeFileSync(pathOf('choices.json'), '{"format":1,"choices":[{"id":')
  expect(idsOf(open())).toEqual(ALL)
  expect(aside()).toHaveLength(1)
  expect(paused).toBe('no')
  rmSync(pathOf('grants.sqlite'))
  expect(idsOf(open())).toEqual(CHOICES)
})

test('a damaged second list beside an empty list of grants pauses presence', () => {
  fill()
  writeFileSync(pathOf('choices.json'), '')
  rmSync(pathOf('grants.sqlite'))
  expect(idsOf(open())).toEqual([])
  expect(paused).toBe('for good')
})

test('an older folder without a second list gets one', () => {
  fill()
  rmSync(pathOf('choices.json'))
  expect(idsOf(open())).toEqual(ALL)
  rmSync(pathOf('grants.sqlite'))
  expect(idsOf(open())).toEqual(CHOICES)
  expect(paused).toBe('no')
})

test('a choice that the user takes back is in neither list', () => {
  fill()
  const store = open()
  store.load('test')
  store.put({ ...HIDDEN, presence: 'shown' })
  store.remove(['blocked'])
  rmSync(pathOf('grants.sqlite'))
  expect(idsOf(open())).toEqual([])
  const { choices } = JSON.parse(readFileSync(pathOf('choices.json'), 'utf8')) as { choices: { id: string }[] }
  expect(choices.map(({ id }) => id)).toEqual(['other'])
})

test('a choice that the list of grants does not take is in neither list', () => {
  const store = open()
  store.load('test')
  store.put(ALLOWED)
  // No number, which the list refuses as it would any row on a full disk.
  const lastUsedAt = Number.NaN
  for (const id of ['allowed', 'new'])
    expect(() => store.put(sampleGrant(id, { presence: 'hidden', lastUsedAt }))).toThrow('The list of grants cannot be written')
  expect(idsOf(open())).toEqual(['allowed allowed shown'])
})

test('the stricter of both lists counts, and a crash between two writes shows nothing', () => {
  fill()
  const database = new DatabaseSync(pathOf('grants.sqlite'))
  database.exec("UPDATE grants SET presence = 'shown' WHERE id = 'hidden'")
  database.close()
  expect(idsOf(open())).toEqual(ALL)
})

describe('a list that cannot be read now', () => {
  const before = () => readFileSync(pathOf('grants.sqlite'))

  test.skipIf(process.platform === 'win32')('stays as it is; refusals hold, answers are kept in memory', () => {
    fill()
    chmodSync(pathOf('grants.sqlite'), 0o666)
    const bytes = before()
    const store = open()
    expect(idsOf(store)).toEqual(CHOICES)
    store.put(sampleGrant('new'))
    store.put(sampleGrant('hidden too', { presence: 'hidden' }))
    expect(health.problems()).toMatchObject([
      { kind: 'unreadable', message: expect.stringMatching(/chmod 600.* asks about each program again/) },
    ])
    expect(before()).toEqual(bytes)
    expect(aside()).toEqual([])
    expect(paused).toBe('no')
    chmodSync(pathOf('grants.sqlite'), 0o600)
    expect(idsOf(open())).toEqual([...ALL, 'hidden too token hidden'])
  })

  test('and no second list: nothing is shown until the next start, and no second list is made', () => {
    mkdirSync(pathOf('grants.sqlite'))
    const store = open()
    expect(idsOf(store)).toEqual([])
    expect(store.areChoicesLost()).toBe(true)
    expect(paused).toBe('no')
    store.put(HIDDEN)
    expect(readdirSync(folder)).toEqual(['grants.sqlite'])
  })

  test('keeps where games are shown, for one game and for every game', () => {
    fill()
    const store = open()
    store.load('test')
    store.put(sampleGrant('placed', { places: ['41', 'account'] }))
    store.put(everyGame('test', ['web'], 1))
    store.close()
    files.splice(0)
    for (const damage of Object.values(DAMAGE)) {
      damage(pathOf('grants.sqlite'))
      const placed = open()
        .load('test')
        .filter(({ places }) => places !== undefined)
        .map(({ id, basis, places = [] }) => `${id} ${basis} ${places.join(' ')}`)
        .toSorted()
      expect(placed).toEqual(['all-test none web', 'placed token 41 account'])
    }
    expect(paused).toBe('no')
  })

  test('of a newer version, or in use by another process, ends the start without a change', () => {
    fill()
    const database = new DatabaseSync(pathOf('grants.sqlite'))
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
    database.exec('PRAGMA user_version = 99; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
    expect(() => open().load('test')).toThrow(/locked/)
    database.exec('COMMIT')
    database.close()
    expect(() => open().load('test')).toThrow(NewerDataError)
    const again = new DatabaseSync(pathOf('grants.sqlite'))
    again.exec(`PRAGMA user_version = ${version}`)
    again.close()
    expect(idsOf(open())).toEqual(ALL)
    expect(aside()).toEqual([])
  })
})
