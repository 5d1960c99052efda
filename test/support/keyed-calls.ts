/** Calls with a key, whose file is in a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { KeyedCalls } from '#daemon/src/sessions/keys/keyed-calls.ts'
import { openKeys } from '#daemon/src/sessions/keys/open-keys.ts'
import { silentLogger } from './silent-logger.ts'

interface TestKeys {
  readonly folder?: () => string
  /** Undefined: the vault cannot be opened. */
  readonly vaultKeyId?: () => string | undefined
  readonly log?: Logger
  readonly setAside?: (reason: unknown) => void
  readonly removeOld?: () => void
}

/** Is removed after the test. */
function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sp-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The same folder and vault key as before are those of a daemon that starts again. */
export const keyedCallsForTest = (
  clock: Clock,
  { folder = folderOfTest, vaultKeyId = () => 'first', setAside = () => undefined, log = silentLogger, removeOld }: TestKeys = {},
): KeyedCalls =>
  new KeyedCalls({
    clock,
    platform: 'test',
    removeOld,
    open: () => {
      const home = folder()
      return openKeys({
        vault: {
          derivedKey: async (purpose) => {
            const id = vaultKeyId()
            if (id === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', 'The vault is locked.')
            return { vaultKeyId: id, key: new Secret(Buffer.from(`${id} ${purpose}`.padEnd(32).slice(0, 32))) }
          },
        },
        accounting: new Accounting(clock),
        health: { pathOf: (name) => join(home, name), setAside: (_name, reason) => setAside(reason), notRead: () => undefined },
        clock,
        log,
      })
    },
  })
