/** A small file whose write fails: the old one stays, no draft is left, and the error names the file and the disk. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeSmallFile, writeSmallFile } from '@sallyport/core/storage/small-file'

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
