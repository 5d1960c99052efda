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
import { Accounting } from '#daemon/src/accounting/accounting.ts'
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
      { cancelSignal: new Canceller(), deadlineAt: Number.POSITIVE_INFINITY, waitsFor: undefined },
      async (_, follower) => {
        follower.leaving()
        sent += 1
        follower.ended('taken', true)
        return 'made'
      },
    )
    .catch((failure: unknown) => (failure instanceof BridgeError ? failure.toWire() : Promise.reject(failure as Error)))

describe('a call with a key', () => {
  it('is refused before it is sent while its file cannot be used, and is made after that', async () => {
    mkdirSync(file())
    const message = expect.stringMatching(
      /calls\.sqlite cannot be opened.* This call was not sent now, and may have been made before/,
    ) as string
    expect(await call()).toMatchObject({ code: 1001, message })
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

const keptOf = (accounting: Accounting) => {
  const charged = new Map(accounting.usage().map((one) => [one.name, one.charged]))
  return { callKeys: charged.get('callKeys') ?? 0, callKeyBytes: charged.get('callKeyBytes') ?? 0 }
}

describe('the store', () => {
  const id = 'id'
  const newStore = (
    onDamage: (name: string, reason: unknown) => void = () => undefined,
    clock = new FakeClock(),
    accounting = new Accounting(clock),
  ): KeyStore =>
    new KeyStore({
      health: { pathOf: () => file(), setAside: onDamage },
      accounting,
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
    expect(() => store.begin(id, 'game', 'hash', false)).toThrow(
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
      store.begin(name, 'game', 'hash', false)
      // More than SQLite keeps in its own memory.
      store.end(name, name, Buffer.alloc(2_000_000))
    }
    store.begin('sent', 'game', 'hash', false)
    for (const ending of ['', '-wal']) writeFileSync(`${file()}${ending}`, Buffer.alloc(5_000_000, 'no page '))
    store.result('value')
    store.begin('next', 'game', 'hash', false)
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
      store.begin(name, 'game', 'hash', false)
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
    store.begin(id, 'game', 'hash', false)
    store.close()
    const again = newStore()
    expect(again.find(id)).toMatchObject({ state: 'sent' })
    again.end(id, 'value', Buffer.alloc(5_000_000))
    expect(again.find(id)).toMatchObject({ state: 'taken' })
    expect(again.result(id)).toBeUndefined()
    again.close()
  })

  describe('whose file the disk does not give back', () => {
    const lostStore = (): KeyStore => {
      const store = newStore()
      store.begin(id, 'game', 'hash', false)
      store.close()
      for (const ending of ['', '-wal', '-shm']) rmSync(`${file()}${ending}`, { force: true })
      mkdirSync(file())
      return store
    }

    it('does not say of a call that was made that it was not sent', () => {
      const store = lostStore()
      expect(() => store.result(id)).toThrow(
        expect.objectContaining({
          error: 'SERVICE_UNAVAILABLE',
          message: expect.stringMatching(/calls\.sqlite cannot be opened.* was made before: make it again with the same key/s) as string,
        }),
      )
    })

    it('says that the answer is not stored', () => {
      const store = lostStore()
      store.end(id, 'value', Buffer.alloc(10))
      expect(store.find(id)).toMatchObject({ state: 'unstored' })
    })

    it('lets a call that did nothing be made again', () => {
      const store = lostStore()
      store.forget(id)
      expect(store.find(id)).toBeUndefined()
      rmSync(file(), { recursive: true })
      store.begin(id, 'game', 'hash', false)
      expect(store.find(id)).toMatchObject({ state: 'sent' })
      store.close()
    })
  })

  it('counts a call once that a daemon could not delete and made again', () => {
    newStore().close()
    const database = new DatabaseSync(file())
    const insert = database.prepare("INSERT INTO calls VALUES (?, X'6964', 'game', X'00', 'first', 0, NULL)")
    for (const number of [1, 2]) insert.run(number)
    database.close()
    const accounting = new Accounting(new FakeClock())
    const store = newStore(undefined, new FakeClock(), accounting)
    expect(keptOf(accounting)).toEqual({ callKeys: 1, callKeyBytes: 0 })
    store.forget(id)
    expect(keptOf(accounting)).toEqual({ callKeys: 0, callKeyBytes: 0 })
    store.close()
  })

  it.each(['ALTER TABLE calls DROP COLUMN since_boot', 'UPDATE calls SET number = 1 << 60'])(
    'leaves a file open to others that it cannot use: %s',
    (change) => {
      const store = newStore()
      store.begin(id, 'game', 'hash', false)
      store.close()
      const database = new DatabaseSync(file())
      database.exec(change)
      expect(() => newStore()).toThrow()
      database.exec('DELETE FROM calls')
      database.close()
    },
  )

  it('has room for all programs together, and says when there is some again', () => {
    const clock = new FakeClock()
    const store = newStore(undefined, clock)
    let number = 0
    const fill = (program: string): unknown => {
      try {
        for (;;) store.begin(`${number++}`, program, 'hash', false)
      } catch (failure) {
        return (failure as BridgeError).toWire()
      }
    }
    expect(fill('first')).toMatchObject({ code: 5011, message: expect.stringContaining('for one program') as string, retry_after: 600 })
    clock.advance(60_000)
    let refused: unknown
    for (let program = 0; program < 40; program++) refused = fill(`program ${program}`)
    expect(refused).toMatchObject({
      code: 5011,
      message: expect.stringMatching(/for all programs. This call was not sent; make it again in 540 s/) as string,
      retry_after: 540,
    })
    clock.advance(540_000)
    store.begin('again', 'another', 'hash', false)
    store.close()
  })

  it('gives all containers of a user as much as two programs, because a program can make any number of them', () => {
    const accounting = new Accounting(new FakeClock())
    const store = newStore(undefined, new FakeClock(), accounting)
    for (let container = 0, number = 0; container < 5; container++)
      expect(() => {
        for (;;) store.begin(`${number++}`, `["container",1000,"other"] in ${container}`, 'hash', false)
      }).toThrow('make it again in')
    expect(keptOf(accounting).callKeys).toBeLessThanOrEqual(2 * LIMITS.callKeys.value)
    store.close()
  })
})
