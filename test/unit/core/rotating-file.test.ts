/** A log file of bounded size, which only its user can read. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { previousFile, RotatingFile, scheduledInBursts } from '@sallyport/core/storage/rotating-file'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let folder: string
let file: string
let flushes: (() => void)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sp-'))
  file = join(folder, 'log', 'a.log')
  flushes = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const opened = (maxBytes = 100, staysOpen = true): RotatingFile =>
  new RotatingFile(file, { maxBytes, staysOpen, scheduleFlush: (flush) => void flushes.push(flush) })
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

test('a line is written at the end of its turn, and those of a burst together', () => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'performance'] })
  try {
    const log = new RotatingFile(file, { scheduleFlush: scheduledInBursts() })
    log.write('one\n')
    vi.advanceTimersByTime(0)
    expect(written()).toBe('one\n')
    vi.advanceTimersByTime(10)
    log.write('two\n')
    vi.advanceTimersByTime(30)
    log.write('three\n')
    expect(written()).toBe('one\n')
    vi.advanceTimersByTime(10)
    expect(written()).toBe('one\ntwo\nthree\n')
    vi.advanceTimersByTime(50)
    log.write('four\n')
    vi.advanceTimersByTime(0)
    expect(written()).toBe('one\ntwo\nthree\nfour\n')
  } finally {
    vi.useRealTimers()
  }
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

test.each([
  ['stays open', true],
  ['is closed after each write', false],
])('two writers share the file, also after one of them made it the previous one: it %s', (_how, staysOpen) => {
  const [one, two] = [opened(8, staysOpen), opened(8, staysOpen)]
  for (const [log, line] of [
    [one, 'a\n'],
    [two, 'b\n'],
    [one, 'first 9+\n'],
    [two, 'c\n'],
    [one, 'd\n'],
  ] as const) {
    log.write(line)
    log.flush()
  }
  expect([written(previousFile(file)), written()]).toEqual(['a\nb\nfirst 9+\n', 'c\nd\n'])
})

test('a file that another writer made the previous one meanwhile is not replaced by the new one', () => {
  const [one, two] = [opened(8), opened(8)]
  for (const log of [one, two]) {
    log.write('a\n')
    log.flush()
  }
  const write = fs.writeSync
  const meanwhile = vi.spyOn(fs, 'writeSync').mockImplementationOnce((...args) => {
    const bytes = write(...args)
    for (const line of ['first 9+\n', 'new\n']) {
      one.write(line)
      one.flush()
    }
    return bytes
  })
  syncBuiltinESMExports()
  two.write('b\n')
  two.flush()
  meanwhile.mockRestore()
  syncBuiltinESMExports()
  two.write('c\n')
  two.flush()
  expect([written(previousFile(file)), written()]).toEqual(['a\na\nb\nfirst 9+\n', 'new\nc\n'])
})

test('while another process makes it the previous one, it goes on in the full file; a lock that a killed process left is removed', () => {
  const log = opened(8)
  const lock = `${file}.lock`
  const wrote = (line: string): readonly string[] => {
    log.write(line)
    log.flush()
    return [written(), existsSync(previousFile(file)) ? written(previousFile(file)) : '']
  }
  expect(wrote('a\n')).toEqual(['a\n', ''])
  writeFileSync(lock, '')
  expect(wrote('first 9+\n')).toEqual(['a\nfirst 9+\n', ''])
  expect(existsSync(lock)).toBe(true)
  utimesSync(lock, 0, 0)
  expect(wrote('b\n')).toEqual(['a\nfirst 9+\nb\n', ''])
  log.write('c\n')
  log.flush()
  expect([written(previousFile(file)), existsSync(file), existsSync(lock)]).toEqual(['a\nfirst 9+\nb\nc\n', false, false])
})

test('two processes share the file, and lose no line when it becomes the previous one', async () => {
  const [LINES, MAX_BYTES] = [400, 4_500]
  const writer = join(import.meta.dirname, 'log-writer.ts')
  const names = ['one', 'two']
  const writers = names.map((name) =>
    spawn(process.execPath, ['--conditions=sallyport-source', writer, file, name, String(LINES), String(MAX_BYTES)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const ended = writers.map((child) => once(child, 'exit'))
  await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')))
  for (const { stdin } of writers) stdin.end('go\n')
  expect(await Promise.all(ended)).toEqual([
    [0, null],
    [0, null],
  ])
  const found = `${written(previousFile(file))}${written()}`.trimEnd().split('\n')
  for (const name of names) {
    expect(found.filter((line) => line.startsWith(name))).toEqual(Array.from({ length: LINES }, (_, line) => `${name} ${line}`))
  }
  expect(statSync(previousFile(file)).size).toBeGreaterThan(MAX_BYTES)
})

const countOpen = (): number => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(folder)).length
const linkOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

test.runIf(process.platform === 'linux')('one descriptor is open at most, and a link in place of the file is not followed', () => {
  const log = opened(8)
  for (const line of ['first 9+\n', 'two\n', 'three\n', 'four\n', 'five\n']) {
    log.write(line)
    log.flush()
    expect(countOpen()).toBeLessThanOrEqual(1)
  }
  log.write('six\n')
  log.flush()
  expect(countOpen()).toBe(1)
  const elsewhere = join(folder, 'elsewhere')
  writeFileSync(elsewhere, '', { mode: 0o600 })
  rmSync(file)
  symlinkSync(elsewhere, file)
  log.write('seven\n')
  log.flush()
  expect([readFileSync(elsewhere, 'utf8'), countOpen()]).toEqual(['', 0])
})
