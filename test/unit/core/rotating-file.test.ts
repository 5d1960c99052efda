/** A log file of bounded size, which only its user can read. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { previousFile, RotatingFile } from '@sallyport/core/storage/rotating-file'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
let file: string
let flushes: (() => void)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sp-'))
  file = join(folder, 'log', 'a.log')
  flushes = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const opened = (maxBytes = 100): RotatingFile => new RotatingFile(file, { maxBytes, scheduleFlush: (flush) => void flushes.push(flush) })
const written = (path = file): string => readFileSync(path, 'utf8')

test('lines of a turn are one write, and the file is private', () => {
  const log = opened()
  log.write('one\n')
  log.write('two\n')
  expect(flushes).toHaveLength(1)
  flushes[0]?.()
  log.write('three\n')
  log.flush()
  expect(written()).toBe('one\ntwo\nthree\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'log')).mode & 0o777).toBe(0o700)
})

test('above its size it becomes the previous file, of which there is one', () => {
  const log = opened(8)
  for (const line of ['first 9+\n', 'second 9+\n', 'third\n']) {
    log.write(line)
    log.flush()
  }
  expect(written(previousFile(file))).toBe('second 9+\n')
  expect(written()).toBe('third\n')
})

test('goes on in the file of an earlier run', () => {
  for (const line of ['one\n', 'two\n']) {
    const log = opened()
    log.write(line)
    log.flush()
  }
  expect(written()).toBe('one\ntwo\n')
})

test('a line that cannot be written is lost, and the next one is not', () => {
  const log = opened()
  log.write('one\n')
  log.flush()
  rmSync(join(folder, 'log'), { recursive: true })
  log.write('two\n')
  log.flush()
  expect(written()).toBe('two\n')
  rmSync(folder, { recursive: true })
  log.write('lost\n')
  log.flush()
  expect(existsSync(folder)).toBe(false)
  mkdirSync(folder)
  const nowhere = new RotatingFile('/proc/nothing/a.log', { scheduleFlush: () => {} })
  nowhere.write('lost\n')
  expect(() => nowhere.flush()).not.toThrow()
})
