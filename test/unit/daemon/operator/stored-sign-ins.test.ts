import { expect, test } from 'vitest'
import { StoredSignIns } from '#daemon/src/operator/stored-sign-ins.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { FakeTokenStore } from '#test/support/fakes.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

function start() {
  const tokenStore = new FakeTokenStore()
  const bots = [{ applicationId: '42', name: 'Tide Bot' }]
  const clock = new FakeClock()
  const log = new RecordingLog()
  let reads = 0
  const list = tokenStore.list.bind(tokenStore)
  tokenStore.list = () => {
    reads++
    return list()
  }
  const signIns = new StoredSignIns({ tokenStore, botTokens: { list: async () => bots }, clock, log })
  let changes = 0
  signIns.changed.on(() => void changes++)
  return { tokenStore, bots, clock, log, signIns, reads: () => reads, changes: () => changes }
}

test('nothing is read before an operator wants it', async () => {
  const { signIns, reads } = start()
  expect(signIns.current()).toMatchObject({ accounts: [], bots: [], problem: expect.stringContaining('not open yet') as string })
  await settled()
  expect(reads()).toBe(0)
})

test('a reader gets what was read last, and hears of what differs', async () => {
  const { signIns, bots, clock, changes } = start()
  await signIns.open()
  expect(signIns.current()).toEqual({ accounts: [], bots: [{ applicationId: '42', name: 'Tide Bot' }] })
  await settled()
  expect(changes()).toBe(1)
  bots.push({ applicationId: '43', name: 'Other Bot' })
  expect(signIns.current().bots).toHaveLength(1)
  await settled()
  expect(changes()).toBe(2)
  expect(signIns.current().bots).toHaveLength(2)
  expect(clock.pending).toBe(0)
})

test('no operator waits longer than a second for a vault whose user is asked to unlock it', async () => {
  const { tokenStore, signIns, clock, changes } = start()
  const opened = Promise.withResolvers<[]>()
  tokenStore.list = () => opened.promise
  const opening = signIns.open()
  clock.advance(1_000)
  await opening
  expect(signIns.current().problem).toContain('keychain')
  opened.resolve([])
  await settled()
  expect(changes()).toBe(1)
  expect(signIns.current()).not.toHaveProperty('problem')
})

test('a failure that is a bug is logged, and shown without its text', async () => {
  const { tokenStore, signIns, log } = start()
  tokenStore.list = () => Promise.reject(new TypeError('planted-value'))
  await signIns.open()
  expect(signIns.current().problem).toContain('see the log')
  expect(JSON.stringify(log)).toContain('stored-sign-ins-not-read')
})
