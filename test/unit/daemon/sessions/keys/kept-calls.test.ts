/** What is kept of calls with a key: for how long, and how much. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUDGETS } from '@sallyport/core/budgets'
import { Canceller } from '@sallyport/core/cancel'
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '#test/support/fake-clock.ts'
import { keyedCallsForTest } from '#test/support/keyed-calls.ts'
import { reply } from '../../platform/api/fake-platform.ts'
import { writeRow } from '../../platform/api/rows.ts'
import { KEY, keyedWorld, keyNumber, ok } from './world.ts'

const NOT_KEPT = 6003

describe('what is kept', () => {
  it('has no result with secrets, and no text of a call', async () => {
    const { platform, call, kill, files } = keyedWorld()
    platform.answer = () => reply(200, { id: 'x', token: 'very-secret-token' })
    const args = { channel_id: '1', content: 'a private text' }
    await call({ args })
    await call({ key: keyNumber(2), row: writeRow({ returnsSecrets: true }), args })
    expect(await call({ key: keyNumber(2), row: writeRow({ returnsSecrets: true }), args })).toMatchObject({ code: NOT_KEPT })
    kill()
    expect(await call({ key: keyNumber(2), row: writeRow({ returnsSecrets: true }), args })).toMatchObject({ code: NOT_KEPT })
    expect(files()).toContain('game')
    for (const text of ['very-secret-token', 'a private text', KEY, 'ada']) expect(files()).not.toContain(text)
    expect(platform.received).toHaveLength(2)
  })

  it('is kept for ten minutes', async () => {
    const { platform, call, clock } = keyedWorld()
    platform.answer = () => ok
    await call()
    await clock.advance(LIMITS.callKeyMs.value - 1)
    await call()
    expect(platform.received).toHaveLength(1)
    await clock.advance(1)
    await call()
    expect(platform.received).toHaveLength(2)
  })

  it('is over then, also while it is not deleted', async () => {
    const { platform, call, clock } = keyedWorld()
    platform.answer = () => ok
    await call()
    await clock.advance(LIMITS.callKeyMs.value - 1)
    await call({ key: keyNumber(1) })
    await clock.advance(1)
    expect([await call(), await call()]).toEqual([
      { id: 'x', extra: [1] },
      { id: 'x', extra: [1] },
    ])
    expect(platform.received).toHaveLength(3)
  })

  it('is no longer kept after the clock was set back', async () => {
    const { platform, call, clock, kill } = keyedWorld()
    platform.answer = () => ok
    await call()
    clock.setBack(24 * 3_600_000)
    kill()
    await call()
    expect(platform.received).toHaveLength(1)
    await clock.advance(LIMITS.callKeyMs.value)
    await call()
    expect(platform.received).toHaveLength(2)
  })

  it('is at most a thousand calls of a program: the next is refused before it is sent, until the oldest is over', async () => {
    const { platform, call, clock, kill } = keyedWorld()
    platform.answer = () => ok
    const most = LIMITS.callKeys.value
    await call({ key: keyNumber(0) })
    await clock.advance(60_000)
    for (let number = 1; number < most; number++) await call({ key: keyNumber(number) })
    expect(await call({ key: keyNumber(most) })).toMatchObject({ code: 5011, retry_after: 540 })
    kill()
    // The next daemon does not know whether the system time was right.
    expect(await call({ key: keyNumber(most) })).toMatchObject({ code: 5011, retry_after: 600 })
    expect(platform.received).toHaveLength(most)
    expect(await call({ key: keyNumber(most), program: 'other' })).toEqual({ id: 'x', extra: [1] })
    expect(await call({ key: keyNumber(0) })).toEqual({ id: 'x', extra: [1] })
    await clock.advance(600_000)
    expect(await call({ key: keyNumber(most) })).toEqual({ id: 'x', extra: [1] })
  })

  it('is kept by the time that does not jump, also over a kill', async () => {
    const { platform, call, clock, kill } = keyedWorld()
    platform.answer = () => ok
    await call({ key: keyNumber(0) })
    for (const jumpMs of [3_600_000, -7_200_000]) {
      clock.setBack(jumpMs)
      expect(await call({ key: keyNumber(0) })).toEqual({ id: 'x', extra: [1] })
      kill()
      expect(await call({ key: keyNumber(0) })).toEqual({ id: 'x', extra: [1] })
    }
    expect(platform.received).toHaveLength(1)
  })

  it('has no result beyond four MiB of a program, until the first are over', async () => {
    const { platform, call, clock } = keyedWorld()
    platform.answer = () => reply(200, { id: 'x'.repeat(1_400_000) })
    for (const number of [0, 1, 2]) await call({ key: keyNumber(number) })
    expect(await call({ key: keyNumber(1) })).toMatchObject({ id: expect.stringMatching(/^x/) as string })
    expect(await call({ key: keyNumber(2) })).toMatchObject({ code: NOT_KEPT })
    expect(platform.received).toHaveLength(3)
    await clock.advance(LIMITS.callKeyMs.value)
    await call({ key: keyNumber(3) })
    expect(await call({ key: keyNumber(3) })).toMatchObject({ id: expect.stringMatching(/^x/) as string })
    expect(platform.received).toHaveLength(4)
  })
})

describe('the list of an earlier daemon', () => {
  const earlier = () => {
    const clock = new FakeClock()
    const folder = mkdtempSync(join(tmpdir(), 'sp-keys-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const found = { clock, removed: 0 }
    return { found, keyed: keyedCallsForTest(clock, { folder: () => folder, removeOld: () => void (found.removed += 1) }) }
  }

  it('is removed when all of it is over, without being opened', async () => {
    const { found, keyed } = earlier()
    found.clock.advance(BUDGETS.callKeySweepMs.value - 1)
    expect(found.removed).toBe(0)
    found.clock.advance(1)
    expect([found.removed, found.clock.pending]).toEqual([1, 0])
    await keyed.close()
  })

  it('stays when a call with a key opens it, and when the daemon ends', async () => {
    const used = earlier()
    await used.keyed.run(
      { key: KEY, row: writeRow({}), args: {}, program: 'game', applicationId: '1', account: 'ada', detach: () => undefined },
      { deadlineAt: Number.MAX_SAFE_INTEGER, cancelSignal: new Canceller(), waitsFor: undefined },
      async () => null,
    )
    const ended = earlier()
    await ended.keyed.close()
    for (const { found } of [used, ended]) found.clock.advance(BUDGETS.callKeySweepMs.value)
    expect([used.found.removed, ended.found.removed, ended.found.clock.pending]).toEqual([0, 0, 0])
    await used.keyed.close()
  })
})
