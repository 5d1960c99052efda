/** Launch commands outlive the bridge, by platform and application. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { launchStore, MOST_KEPT } from '../../../../../daemon/src/social/launch/store.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'launches-'))
  file = join(directory, 'launches.sqlite')
})
afterEach(() => rmSync(directory, { recursive: true }))

it('is read back by the next bridge, of the same platform only', async () => {
  const first = launchStore(file, 'one')
  first.keep('1', '/opt/game')
  first.keep('1', '/opt/game --new')
  await first.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const next = launchStore(file, 'one')
  expect(next.commandOf('1')).toBe('/opt/game --new')
  expect(next.commandOf('2')).toBeUndefined()
  await next.close()
  const other = launchStore(file, 'other')
  expect(other.commandOf('1')).toBeUndefined()
  await other.close()
})

it('has no file until it is needed', async () => {
  await launchStore(file, 'one').close()
  expect(existsSync(file)).toBe(false)
})

it('keeps so many, the newest', async () => {
  const store = launchStore(file, 'one')
  for (let id = 0; id <= MOST_KEPT; id++) store.keep(String(id), '/opt/game')
  expect(store.commandOf('0')).toBeUndefined()
  expect(store.commandOf('1')).toBe('/opt/game')
  await store.close()
})
