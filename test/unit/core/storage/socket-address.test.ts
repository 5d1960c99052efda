import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { locationOnData } from '#daemon/src/operator/own-server.ts'
import { readSocketAddress, removeSocketAddress, writeSocketAddress } from '@sallyport/core/storage/daemon-addresses'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'address-'))
  file = join(directory, 'socket.address')
})
afterEach(() => rmSync(directory, { recursive: true }))

test('the address is readable while the daemon runs', () => {
  expect(readSocketAddress(directory)).toBeUndefined()
  writeSocketAddress(directory, '/run/x/discord-ipc-3')
  expect(readSocketAddress(directory)).toBe('/run/x/discord-ipc-3')
  expect(locationOnData(directory)).toEqual({ runtimeDir: '/run/x', ipcPrefix: 'discord-ipc', slot: 3 })
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
  removeSocketAddress(directory)
  removeSocketAddress(directory)
  expect(locationOnData(directory)).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('ignores a file that others can write, and invalid content', () => {
  writeFileSync(file, 'nonsense', { mode: 0o600 })
  expect(locationOnData(directory)).toBeUndefined()
  writeFileSync(file, '/run/x/discord-ipc-3')
  chmodSync(file, 0o666)
  expect(locationOnData(directory)).toBeUndefined()
  rmSync(file)
  symlinkSync(join(directory, 'elsewhere'), file)
  writeFileSync(join(directory, 'elsewhere'), '/run/x/discord-ipc-3', { mode: 0o600 })
  expect(locationOnData(directory)).toBeUndefined()
  rmSync(file)
  writeFileSync(file, `/run/${'x'.repeat(100_000)}/discord-ipc-3`, { mode: 0o600 })
  expect(locationOnData(directory)).toBeUndefined()
})
