/** The file of calls with a key: what happens where the disk refuses, or the file is damaged or of a newer version. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Canceller } from '@sallyport/core/cancel'
import { BUDGETS } from '@sallyport/core/budgets'
import { BridgeError } from '@sallyport/core/errors'
import { LIMITS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeyedCalls } from '#daemon/src/sessions/keys/keyed-calls.ts'
import { KeyStore } from '#daemon/src/sessions/keys/key-store.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { keyedCallsForTest } from '#test/support/keyed-calls.ts'
import { silentLogger } from '#test/support/silent-logger.ts'
import { writeRow } from '../../platform/api/rows.ts'
import { KEY } from './world.ts'

let folder = ''
let keyed: KeyedCalls
let setAside: unknown[] = []
/** Requests that left. */
let sent = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sp-keys-'))
  setAside = []
  sent = 0
  keyed = keyedCallsForTest(new FakeClock(), {
    folder: () => folder,
    setAside: (reason) => {
      setAside.push(reason)
      for (const ending of ['', '-wal', '-shm']) rmSync(`${file()}${ending}`, { force: true })
    },
  })
})
afterEach(async () => {
  await keyed.close()
  rmSync(folder, { recursive: true })
})

const file = (): string => join(folder, 'calls.sqlite')
const call = (): Promise<unknown> =>
  keyed
    .run(
      { key: KEY, row: writeRow(), args: {}, program: 'game', applicationId: '1', account: 'ada', detach: () => undefined },
      { cancelSignal: new Canceller(), deadlineAt: Number.POSITIVE_INFINITY },
      async (_, follower) => {
        follower.leaving()
        sent += 1
        follower.ended('taken')
        return 'made'
      },
    )
    .catch((failure: unknown) => (failure instanceof BridgeError ? failure.toWire() : Promise.reject(failure as Error)))

describe('a call with a key', () => {
  it('is refused before it is sent while its file cannot be used, and is made after that', async () => {
    mkdirSync(file())
    expect(await call()).toMatchObject({ code: 1001, message: expect.stringContaining(file()) as string })
    expect(sent).toBe(0)
    rmSync(file(), { recursive: true })
    expect([await call(), sent]).toEqual(['made', 1])
  })

  it('is refused by a file of a newer version, which stays as it is', async () => {
    const newer = new DatabaseSync(file())
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    chmodSync(file(), 0o600)
    expect(await call()).toMatchObject({ code: 1001, message: expect.stringContaining('newer version') as string })
    expect([sent, setAside]).toEqual([0, []])
  })

  it('is made with a new file where the old one is damaged, which is set aside', async () => {
    writeFileSync(file(), 'no database '.repeat(1000), { mode: 0o600 })
    expect([await call(), sent, setAside.length]).toEqual(['made', 1, 1])
  })
})

describe('the store', () => {
  const id = 'id'
  const newStore = (onDamage: (name: string, reason: unknown) => void = () => undefined, clock = new FakeClock()): KeyStore =>
    new KeyStore({
      health: { pathOf: () => file(), setAside: onDamage },
      clock,
      log: silentLogger,
      vaultKeyId: 'first',
    })

  it('names the file and the disk where a key cannot be written', () => {
    newStore().close()
    const database = new DatabaseSync(file())
    database.exec("CREATE TRIGGER disk BEFORE INSERT ON calls BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
    database.close()
    const store = newStore()
    expect(() => store.begin(id, 'game', 'hash')).toThrow(
      expect.objectContaining({
        error: 'SERVICE_UNAVAILABLE',
        message: expect.stringMatching(/calls\.sqlite .* was not sent\. Check that the disk/s) as string,
      }),
    )
    store.close()
  })

  it('fills the file that replaces a damaged one, where results are lost', () => {
    const damaged: unknown[] = []
    const moveAside = (_name: string, reason: unknown): void => {
      damaged.push(reason)
      for (const ending of ['', '-wal', '-shm']) rmSync(`${file()}${ending}`, { force: true })
    }
    const store = newStore(moveAside)
    for (const name of ['value', 'error'] as const) {
      store.begin(name, 'game', 'hash')
      // More than SQLite keeps in its own memory.
      store.end(name, name, Buffer.alloc(2_000_000))
    }
    store.begin('sent', 'game', 'hash')
    for (const ending of ['', '-wal']) writeFileSync(`${file()}${ending}`, Buffer.alloc(5_000_000, 'no page '))
    store.result('value')
    store.begin('next', 'game', 'hash')
    expect(damaged).toHaveLength(1)
    store.close()
    const again = newStore()
    expect(['value', 'error', 'sent', 'next'].map((name) => again.find(name)?.state)).toEqual(['taken', 'sent', 'sent', 'sent'])
    again.close()
  })

  it('deletes what is kept no longer, also when no other call comes', () => {
    const clock = new FakeClock()
    const store = newStore(undefined, clock)
    const keep = (name: string): void => {
      store.begin(name, 'game', 'hash')
      store.end(name, 'value', Buffer.alloc(100))
    }
    keep('first')
    clock.advance(LIMITS.callKeyMs.value)
    keep('second')
    clock.advance(BUDGETS.callKeySweepMs.value - LIMITS.callKeyMs.value)
    expect([store.find('first'), store.find('second')?.state, clock.pending]).toEqual([undefined, 'value', 1])
    clock.advance(BUDGETS.callKeySweepMs.value)
    expect(clock.pending).toBe(0)
    store.close()
    const database = new DatabaseSync(file())
    expect(database.prepare('SELECT (SELECT count(*) FROM calls) AS calls, (SELECT count(*) FROM ends) AS ends').get()).toEqual({
      calls: 0,
      ends: 0,
    })
    database.close()
  })

  it('keeps a call as sent where its end cannot be written', () => {
    const store = newStore()
    store.begin(id, 'game', 'hash')
    store.close()
    const again = newStore()
    expect(again.find(id)).toMatchObject({ state: 'sent' })
    again.end(id, 'value', Buffer.alloc(5_000_000))
    expect(again.find(id)).toMatchObject({ state: 'taken' })
    expect(again.result(id)).toBeUndefined()
    again.close()
  })
})
