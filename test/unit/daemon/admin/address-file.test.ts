import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readAddress, removeAddress, writeAddress } from '../../../../daemon/src/admin/address-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'address-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('the address is readable for this user while the dashboard runs, even after a crash', () => {
  expect(readAddress(directory)).toBeUndefined()
  writeFileSync(join(directory, 'dashboard.address.new'), 'half', { mode: 0o666 })
  writeAddress(directory, 'http://127.0.0.1:1/#token=a')
  writeAddress(directory, 'http://127.0.0.1:2/#token=b')
  expect(readAddress(directory)?.href).toBe('http://127.0.0.1:2/#token=b')
  expect(statSync(join(directory, 'dashboard.address')).mode & 0o077).toBe(0)
  removeAddress(directory)
  removeAddress(directory)
  expect(readAddress(directory)).toBeUndefined()
})

test('a file without an address is ignored', () => {
  writeFileSync(join(directory, 'dashboard.address'), 'nonsense')
  expect(readAddress(directory)).toBeUndefined()
})
