/** Opening the stores on a data folder that an earlier daemon left. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUDGETS } from '@sallyport/core/budgets'
import { DataHealth } from '@sallyport/core/storage/data-health'
import { expect, onTestFinished, test } from 'vitest'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { openStores } from '#daemon/src/app/stores.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { silentLogger } from '#test/support/silent-logger.ts'

test('removes the calls with a key that an earlier daemon left, when they are over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sp-stores-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'calls.sqlite')
  for (const path of [file, `${file}-wal`]) writeFileSync(path, 'not opened')
  const clock = new FakeClock()
  await using scope = new AsyncDisposableStack()
  const stores = openStores({
    settings: { botToken: undefined, dataDir: folder, vault: 'file' },
    profile: { name: 'test' },
    clock,
    log: silentLogger,
    lifecycle: {} as never,
    api: {} as never,
    health: new DataHealth({ folder, log: silentLogger, clock }),
    pauseForGood: () => {},
    scope,
  })
  stores.openKeyedCalls(new Accounting(clock))
  clock.advance(BUDGETS.callKeySweepMs.value - 1)
  expect(existsSync(file)).toBe(true)
  clock.advance(1)
  expect(readdirSync(folder).filter((name) => name.startsWith('calls'))).toEqual([])
})
