/** Sealed texts open only with the same key and purpose. */
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSealer } from '@sallyport/sandbox/store/sealer'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealer-'))
  file = join(folder, 'key')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a text comes back after a restart, and cannot be read meanwhile', () => {
  const sealed = openSealer(file).seal('the join secret', 'join')
  expect(openSealer(file).open(sealed, 'join')).toBe('the join secret')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('join')
  expect(openSealer(file).seal('the join secret', 'join')).not.toBe(sealed)
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('not for another purpose, by another key, changed, or never sealed', () => {
  const sealer = openSealer(file)
  const sealed = sealer.seal('the join secret', 'join')
  expect(sealer.open(sealed, 'other')).toBeUndefined()
  expect(openSealer(undefined).open(sealed, 'join')).toBeUndefined()
  expect(sealer.open(`${sealed.slice(0, -2)}AA`, 'join')).toBeUndefined()
  for (const never of ['', 'short', 'x'.repeat(100)]) expect(sealer.open(never, 'join')).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('a key that a link leads to is not taken', () => {
  openSealer(`${file}.theirs`)
  symlinkSync(`${file}.theirs`, file)
  expect(() => openSealer(file)).toThrow(/is not a file/)
})

test('half a key is replaced, and a key that cannot be read is a sentence', () => {
  openSealer(file)
  truncateSync(file, 5)
  writeFileSync(`${file}.new`, 'left behind')
  openSealer(file)
  expect(readFileSync(file)).toHaveLength(32)
  expect(() => openSealer(folder)).toThrow(
    expect.objectContaining({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(folder) as string }) as Error,
  )
})
