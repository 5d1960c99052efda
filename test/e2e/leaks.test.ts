/** Tests the leak search itself: it finds every encoding of a planted secret in every forbidden place, and nothing else. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Leaks } from './support/leaks.ts'

const SECRET = 'pl4nted "secret" / ü'

const inBase64 = (before: string): Buffer => Buffer.from(`${before}${SECRET} and after`)

test.each<readonly [string, unknown]>([
  ['plain', `a${SECRET}b`],
  ['in JSON', JSON.stringify({ SECRET })],
  ['in an address', `/?a=${encodeURIComponent(SECRET)}&b`],
  ['in a form', new URLSearchParams({ a: SECRET, b: '' }).toString()],
  ['in hexadecimal', inBase64('').toString('hex')],
  ['in capital hexadecimal', inBase64('').toString('hex').toUpperCase()],
  ...['', '1', '12', '123'].map((before) => [`in base64 after ${before.length}`, inBase64(before).toString('base64')] as const),
  ...['', '1', '12', '123'].map((before) => [`in base64url after ${before.length}`, inBase64(before).toString('base64url')] as const),
  ['deep in a value', { a: [{ b: new Map([['c', SECRET]]) }] }],
  ['as the cause of an error', new Error('failed', { cause: new Error(SECRET) })],
])('%s', (name, content) => {
  const leaks = new Leaks()
  leaks.plant('it', SECRET)
  leaks.watch('elsewhere', 'pl4nted secret')
  leaks.watch(name, content)
  expect(leaks.found()).toEqual([`it stands in ${name}`])
})

test('in files of any kind, and not where it may be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leaks-'))
  mkdirSync(join(folder, 'below'))
  const key = deflateSync('a key of thirty-two bytes, or so')
  writeFileSync(join(folder, 'below', 'wide'), Buffer.from(SECRET, 'utf16le'))
  writeFileSync(join(folder, 'below', 'key'), key)
  const leaks = new Leaks()
  leaks.plant('it', SECRET)
  leaks.plant('the key', key, /^key /)
  leaks.watchFiles(folder, 'now')
  leaks.watch('log', key.toString('base64'))
  expect(leaks.found()).toEqual(['it stands in wide now', 'the key stands in log'])
  rmSync(folder, { recursive: true })
})

test('what cannot be searched for is no secret', () => {
  for (const nothing of ['', undefined, null, 'short']) expect(() => new Leaks().plant('it', nothing)).toThrow(/it is no secret/)
})
