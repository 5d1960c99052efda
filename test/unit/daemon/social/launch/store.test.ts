/** Launch commands outlive the bridge, by platform and application. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Program } from '#daemon/src/identity/program.ts'
import { launchStore } from '#daemon/src/social/launch/store.ts'
import { dataHealth } from '#test/support/data-health.ts'

const BY: Program = { kind: 'native', uid: 1, executable: '/games/one', file: '1:2:3:4:5' }

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'launches-'))
  file = join(directory, 'launches.sqlite')
})
afterEach(() => rmSync(directory, { recursive: true }))

it('is read by the next daemon, for the same platform only', async () => {
  const first = launchStore(dataHealth(directory), 'one')
  first.save('1', '/opt/game', BY)
  first.save('1', '/opt/game --new', BY)
  first.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const next = launchStore(dataHealth(directory), 'one')
  expect(next.registrationOf('1')).toEqual({ command: '/opt/game --new', by: BY })
  expect(next.registrationOf('2')).toBeUndefined()
  next.close()
  const other = launchStore(dataHealth(directory), 'other')
  expect(other.registrationOf('1')).toBeUndefined()
  other.close()
})

it('has no file until it is needed', async () => {
  launchStore(dataHealth(directory), 'one').close()
  expect(existsSync(file)).toBe(false)
})

it('keeps a limited number, the latest', async () => {
  const store = launchStore(dataHealth(directory), 'one')
  for (let id = 0; id <= 1_000; id++) store.save(String(id), '/opt/game', BY)
  expect(store.registrationOf('0')).toBeUndefined()
  expect(store.registrationOf('1')).toEqual({ command: '/opt/game', by: BY })
  store.close()
})

it('keeps the allowed launch after later registrations', async () => {
  const first = launchStore(dataHealth(directory), 'one')
  first.save('1', '/opt/game', BY)
  first.allow('1', 'this')
  first.save('1', '/opt/other', BY)
  first.close()
  const next = launchStore(dataHealth(directory), 'one')
  expect(next.allowedFor('1')).toBe('this')
  expect(next.allowedFor('2')).toBeUndefined()
  next.close()
})
