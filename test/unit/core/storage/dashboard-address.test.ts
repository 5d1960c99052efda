import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readDashboardAddress, removeDashboardAddress, writeDashboardAddress } from '@sallyport/core/storage/daemon-addresses'

const directory = mkdtempSync(join(tmpdir(), 'address-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('the address is readable for this user while the dashboard runs, even after a crash', () => {
  expect(readDashboardAddress(directory)).toBeUndefined()
  writeFileSync(join(directory, 'dashboard.address.new'), 'half', { mode: 0o666 })
  writeDashboardAddress(directory, 'http://127.0.0.1:1/#token=a')
  writeDashboardAddress(directory, 'http://127.0.0.1:2/#token=b')
  expect(readDashboardAddress(directory)?.href).toBe('http://127.0.0.1:2/#token=b')
  expect(statSync(join(directory, 'dashboard.address')).mode & 0o077).toBe(0)
  removeDashboardAddress(directory)
  removeDashboardAddress(directory)
  expect(readDashboardAddress(directory)).toBeUndefined()
})

test('a file without an address is ignored', () => {
  writeFileSync(join(directory, 'dashboard.address'), 'nonsense')
  expect(readDashboardAddress(directory)).toBeUndefined()
})
