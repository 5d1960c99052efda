import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FolderMigration, openFolderFormat } from '@sallyport/core/storage/folder-format'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import { ended } from '#test/support/ended.ts'

let folder: string
const rename: FolderMigration = (at) => writeFileSync(join(at, 'second'), 'made')
const nothing: FolderMigration = () => {}
const number = () => readFileSync(join(folder, 'format'), 'utf8').trim()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a folder without a number gets the current one', () => {
  openFolderFormat(folder)
  expect(number()).toBe('1')
})

test('each migration runs once, in order', () => {
  openFolderFormat(folder, [nothing])
  expect(existsSync(join(folder, 'second'))).toBe(false)
  openFolderFormat(folder, [nothing, rename])
  expect(number()).toBe('2')
  rmSync(join(folder, 'second'))
  openFolderFormat(folder, [nothing, rename])
  expect(existsSync(join(folder, 'second'))).toBe(false)
})

test('a migration that fails runs again at the next start', () => {
  const broken: FolderMigration = () => {
    throw new Error('disk full')
  }
  expect(() => openFolderFormat(folder, [nothing, broken])).toThrow('disk full')
  expect(number()).toBe('1')
  openFolderFormat(folder, [nothing, rename])
  expect(number()).toBe('2')
})

test('a folder of a newer version is refused, and stays as it is', () => {
  openFolderFormat(folder, [nothing, rename])
  expect(() => openFolderFormat(folder, [nothing])).toThrow(NewerDataError)
  expect(() => openFolderFormat(folder, [nothing])).toThrow(/its format version is 2, but this program supports up to 1\. A newer version/)
  expect(number()).toBe('2')
})

/** Opens many new folders, of which another process does the same. */
const OPEN_MANY = `
  import { mkdirSync } from 'node:fs'
  import { openFolderFormat } from '@sallyport/core/storage/folder-format'
  for (let index = 0; index < 300; index += 1) {
    const folder = process.argv[1] + '/' + index
    mkdirSync(folder, { recursive: true })
    openFolderFormat(folder)
  }`

test('processes can open a new folder at the same moment', async () => {
  const start = () =>
    spawn(process.execPath, ['--conditions=sallyport-source', '--input-type=module', '-e', OPEN_MANY, folder], {
      cwd: import.meta.dirname,
      stdio: 'inherit',
    })
  expect(await Promise.all([start(), start(), start()].map((child) => ended(child)))).toEqual([0, 0, 0])
  expect(readdirSync(folder).map((name) => readdirSync(join(folder, name)))).toEqual(Array.from({ length: 300 }, () => ['format']))
})
