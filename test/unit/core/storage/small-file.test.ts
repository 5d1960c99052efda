/** A small file whose write fails: the old one stays, no draft is left, and the error names the file and the disk. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overwriteSmallFile, removeSmallFile, writeSmallFile } from '@sallyport/core/storage/small-file'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'small-'))
  file = join(folder, 'one')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** No file replaces a folder, and none is removed as a file. */
const blockWithFolder = () => mkdirSync(file)

test('a file that cannot be replaced', () => {
  blockWithFolder()
  expect(() => writeSmallFile(file, 'new')).toThrow(/one cannot be written \(.+\); check that the disk is writable and not full\.$/)
  expect(readdirSync(folder)).toEqual(['one'])
})

test('a draft that cannot be made', () => {
  writeSmallFile(file, 'old')
  mkdirSync(`${file}.new`)
  expect(() => writeSmallFile(file, 'new')).toThrow(/check that the disk is writable/)
  expect(readFileSync(file, 'utf8')).toBe('old')
})

test('a file that cannot be removed', () => {
  blockWithFolder()
  expect(() => removeSmallFile(file)).toThrow(/one cannot be removed \(.+\); check that the disk is writable and not full\.$/)
})

test('a file that cannot be written over', () => {
  blockWithFolder()
  expect(() => overwriteSmallFile(file, 'new')).toThrow(/one cannot be written \(.+\); check that the disk is writable and not full\.$/)
})

test('a file that is written over is private then', () => {
  writeFileSync(file, 'ab', { mode: 0o644 })
  overwriteSmallFile(file, 'cd')
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['cd', ['one']])
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})
