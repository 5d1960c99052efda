/** The history of direct messages: what is given again, what is not, what goes, and what stays on the disk. */
import { BUDGETS } from '@sallyport/core/budgets'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS, type UserMessage } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation, MessageHistory } from '#daemon/src/events/messages/history.ts'
import { storedHistory } from '#daemon/src/events/messages/stored-history.ts'
import { dataHealth } from '#test/support/data-health.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const HOUR = 3_600_000
const EPOCH = 1_420_070_400_000
const FRESH = BUDGETS.userMessagesCacheMs.value
const WITH_GRACE: Conversation = { applicationId: '10', userId: '1', peerId: '2' }

let directory: string
let clock: FakeClock
let log: RecordingLog
let open: MessageHistory[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'history-'))
  clock = new FakeClock()
  log = new RecordingLog()
  open = []
})
afterEach(async () => {
  for (const one of open) await one.close()
  rmSync(directory, { recursive: true })
})

const file = () => join(directory, 'history.sqlite')
function start(platform = 'test'): MessageHistory {
  const history = storedHistory({ health: dataHealth(directory, log), platform, clock, log })
  open.push(history)
  return history
}
const idAt = (ms: number, rest = 0): string => ((BigInt(ms - EPOCH) << 22n) | BigInt(rest)).toString()
const message = (id: string, content = `message ${id}`): UserMessage => ({
  id,
  content,
  channel_id: '9',
  author: { id: '2', username: 'grace', discriminator: '0', avatar: null },
})
/** The newest first, a minute apart. */
const messages = (count: number, from = clock.now()) => Array.from({ length: count }, (_, index) => message(idAt(from - index * 60_000)))
const learn = (history: MessageHistory, limit: number, given: readonly UserMessage[], conversation = WITH_GRACE) =>
  history.store(conversation, history.mark(), limit, given)
const recalled = async (history: MessageHistory, limit: number, conversation = WITH_GRACE) =>
  (await history.load(conversation, limit))?.map(({ id }) => id)

describe('what was read', () => {
  test('is given again, the newest first, when it is enough', { tags: ['9.1-24'] }, async () => {
    const history = start()
    const read = messages(20)
    await learn(history, 20, read.toReversed())
    expect(await history.load(WITH_GRACE, 20)).toEqual(read)
    expect(await recalled(history, 5)).toEqual(read.slice(0, 5).map(({ id }) => id))
  })
  test('is not given when more is asked for than was read', async () => {
    const history = start()
    await learn(history, 20, messages(20))
    expect(await recalled(history, 21)).toBeUndefined()
  })
  test('is complete for any limit when the platform had no more', async () => {
    const history = start()
    await learn(history, 20, messages(3))
    expect(await recalled(history, 200)).toHaveLength(3)
    await learn(history, 20, [])
    expect(await recalled(history, 200)).toEqual([])
  })
  test('is asked anew after a while', { tags: ['9.1-24'] }, async () => {
    const history = start()
    await learn(history, 20, messages(3))
    clock.advance(FRESH - 1)
    expect(await recalled(history, 3)).toHaveLength(3)
    clock.advance(1)
    expect(await recalled(history, 3)).toBeUndefined()
  })
  test('takes the place of what was known before', async () => {
    const history = start()
    const [newest, ...older] = messages(3)
    await learn(history, 20, [newest!, ...older])
    await learn(history, 20, older)
    expect(await recalled(history, 20)).toEqual(older.map(({ id }) => id))
  })
  test('is older than 72 hours at some time, and gone then', async () => {
    const history = start()
    const [kept, lapsing] = [message(idAt(clock.now())), message(idAt(clock.now() - 72 * HOUR + 1))]
    await learn(history, 20, [kept, lapsing])
    clock.advance(2)
    expect(await recalled(history, 20)).toEqual([kept.id])
  })
  test('of one user, application, peer or platform is not given to another', async () => {
    const history = start()
    await learn(history, 20, messages(3))
    for (const other of [{ applicationId: '11' }, { userId: '3' }, { peerId: '3' }])
      expect(await recalled(history, 3, { ...WITH_GRACE, ...other })).toBeUndefined()
    await history.close()
    expect(await recalled(start('elsewhere'), 3)).toBeUndefined()
  })
  test('outlives the daemon', async () => {
    const before = start()
    await learn(before, 20, messages(3))
    await before.close()
    expect(await recalled(start(), 3)).toHaveLength(3)
  })
})

describe('a message', () => {
  test('that was sent is first, an edited one is updated, a deleted one is gone', async () => {
    const history = start()
    const [newest, middle, oldest] = messages(3)
    await learn(history, 20, [newest!, middle!, oldest!])
    const sent = message(idAt(clock.now() + 5))
    await history.add(WITH_GRACE, history.mark(), sent)
    await history.add(WITH_GRACE, history.mark(), { ...middle!, content: 'changed' })
    await history.remove(WITH_GRACE, oldest!.id)
    expect(await history.load(WITH_GRACE, 20)).toEqual([sent, newest, { ...middle!, content: 'changed' }])
  })
  test('that was sent before anything was read makes no history', async () => {
    const history = start()
    await history.add(WITH_GRACE, history.mark(), message('5'))
    expect(await recalled(history, 1)).toBeUndefined()
  })
  test('ids of any length are in order', async () => {
    const history = start()
    const late = Date.UTC(2084, 0, 1)
    clock.advance(late - clock.now())
    const ids = [idAt(late, 3), idAt(late, 2), idAt(late - 60_000)]
    await learn(
      history,
      20,
      ids.toReversed().map((id) => message(id)),
    )
    expect(await recalled(history, 3)).toEqual(ids)
  })
  test('too large to be stored drops its conversation', async () => {
    const history = start()
    await learn(history, 20, messages(3))
    await history.add(WITH_GRACE, history.mark(), message(idAt(clock.now() + 1), 'x'.repeat(40_000)))
    expect(await recalled(history, 3)).toBeUndefined()
    await learn(history, 20, [message(idAt(clock.now()), 'x'.repeat(40_000))])
    expect(await recalled(history, 1)).toBeUndefined()
  })
})

describe('a pending response', () => {
  test('during which a message was sent, edited or deleted is not stored', async () => {
    const history = start()
    const read = messages(3)
    await learn(history, 20, read)
    const mark = history.mark()
    await history.remove(WITH_GRACE, read[0]!.id)
    await history.store(WITH_GRACE, mark, 20, read)
    expect(await recalled(history, 2)).toEqual(read.slice(1).map(({ id }) => id))
  })
  test('during which the account ended is not stored', async () => {
    const history = start()
    await learn(history, 20, messages(3))
    const mark = history.mark()
    await history.deleteAccount({ applicationId: '10', userId: '1' })
    await history.store(WITH_GRACE, mark, 20, messages(3))
    await history.add(WITH_GRACE, mark, message(idAt(clock.now())))
    expect(await recalled(history, 1)).toBeUndefined()
  })
})

describe('the bounds', () => {
  test('hold for all conversations together: those read longest ago go, whole', async () => {
    const history = start()
    const each = LIMITS.userMessages.value
    const count = BUDGETS.userMessagesStored.value / each + 2
    for (let peer = 1; peer <= count; peer += 1) {
      clock.advance(1)
      await learn(history, each, messages(each), { ...WITH_GRACE, peerId: String(peer) })
    }
    const known = await Promise.all(
      Array.from({ length: count }, (_, index) => recalled(history, each, { ...WITH_GRACE, peerId: String(index + 1) })),
    )
    expect(known.map((one) => one?.length)).toEqual([undefined, undefined, ...Array.from({ length: count - 2 }, () => each)])
  })
})

describe('deleting an account', () => {
  test('deletes its messages from the disk, and no others', async () => {
    const history = start()
    const secret = 'the keys are under the anchor'
    await learn(history, 20, [message(idAt(clock.now()), secret)])
    await learn(history, 20, messages(2), { ...WITH_GRACE, userId: '7' })
    const onDisk = () => readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(secret))
    expect(onDisk()).toBe(true)
    await history.deleteAccount({ applicationId: '10', userId: '1' })
    expect(onDisk()).toBe(false)
    expect(await recalled(history, 1)).toBeUndefined()
    expect(await recalled(history, 2, { ...WITH_GRACE, userId: '7' })).toHaveLength(2)
  })
  test('reaches what an earlier daemon kept', async () => {
    const before = start()
    await learn(before, 20, messages(3))
    await before.close()
    const history = start()
    await history.deleteAccount({ applicationId: '10', userId: '1' })
    expect(await recalled(history, 1)).toBeUndefined()
  })
  test('makes no file where there is none', async () => {
    await start().deleteAccount({ applicationId: '10', userId: '1' })
    expect(readdirSync(directory)).toEqual([])
  })
})

test('the files are for this user alone', async () => {
  const history = start()
  await learn(history, 20, messages(3))
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o077, name).toBe(0)
})

test('a damaged file is set aside, and a new one begins, also when a later use finds the damage', async () => {
  writeFileSync(file(), 'this is no database, but long enough to be looked at as one '.repeat(20), { mode: 0o600 })
  const history = start()
  await learn(history, 20, messages(3))
  expect(await recalled(history, 1)).toHaveLength(1)
  expect(log.lines.map(({ event }) => event)).toEqual(['data-set-aside'])
  const aside = readdirSync(directory).filter((name) => name.includes('.damaged-'))
  expect(aside).toHaveLength(1)
  expect(readFileSync(join(directory, aside[0] ?? ''), 'utf8')).toContain('this is no database')
})

test('a file that cannot be read stays as it is, is logged once, and everything comes from the platform', async () => {
  mkdirSync(file())
  const history = start()
  await learn(history, 20, messages(3))
  expect(await recalled(history, 1)).toBeUndefined()
  await history.deleteAccount({ applicationId: '10', userId: '1' })
  await history.remove(WITH_GRACE, '5')
  expect(log.lines.map(({ event }) => event)).toEqual(['data-not-read'])
})
