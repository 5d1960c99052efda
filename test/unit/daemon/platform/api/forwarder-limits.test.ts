import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '@sallyport/protocol'
import { limits, reply } from './fake-platform.ts'
import { settled } from '#test/support/fake-clock.ts'
import { row, writeRow } from './rows.ts'
import { ada, bob, world, ok } from './forwarder-world.ts'

describe('rate limits', () => {
  it('waits and retries after a 429, even calls that are not repeatable', async () => {
    const { platform, call, clock } = world()
    platform.answer = (_, index) => (index === 0 ? reply(429, { message: 'm', retry_after: 1.5, global: false }) : ok)
    const outcome = call(writeRow())
    await clock.advance(1499)
    expect(platform.received).toHaveLength(1)
    await clock.advance(1)
    expect(await outcome).toMatchObject({ id: 'x' })
  })

  it('reports each wait with the bucket, or with the operation before the platform names one', async () => {
    const { platform, call, clock, waits } = world()
    platform.answer = (_, index) =>
      index === 0
        ? reply(429, { message: 'm', retry_after: 1.5, global: false })
        : reply(200, { id: 'x' }, limits('b', 1, 0, 2, clock.now() + 2000))
    const first = call()
    await clock.advance(1500)
    await first
    expect(waits).toEqual([[row().name, 1500]])
    const second = call()
    await clock.advance(2000)
    await second
    expect(waits.slice(1)).toEqual([['b', 2000]])
  })

  it('waits as long as the body of a 429 says, which has decimals, not its rounded header', { tags: ['1-12'] }, async () => {
    const { platform, call, clock } = world()
    platform.answer = (_, index) =>
      index === 0 ? reply(429, { message: 'm', retry_after: 1.25, global: false }, { 'retry-after': '2' }) : ok
    const outcome = call(writeRow())
    await clock.advance(1249)
    expect(platform.received).toHaveLength(1)
    await clock.advance(1)
    expect(platform.received).toHaveLength(2)
    expect(await outcome).toMatchObject({ id: 'x' })
  })

  it('goes on after a window in which the platform says that nothing is allowed', async () => {
    const { platform, call, clock } = world()
    const none = { 'x-ratelimit-bucket': 'b', 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1' }
    platform.answer = () => reply(200, { id: 'x' }, none)
    await call()
    const next = call()
    await clock.advance(999)
    expect(platform.received).toHaveLength(1)
    await clock.advance(1)
    expect(await next).toMatchObject({ id: 'x' })
  })

  it('waits by the time that needs no common clock, where the end of the window differs from it', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('b', 1, 0, 1, clock.now() + 60_000))
    await call()
    const next = call()
    await clock.advance(999)
    expect(platform.received).toHaveLength(1)
    await clock.advance(1)
    expect(platform.received).toHaveLength(2)
    expect(await next).toMatchObject({ id: 'x' })
  })

  it('lets a call that waits keep its time when the system clock jumps forward', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(429, { message: 'Slow down.', retry_after: 5, global: false })
    const waiting = call()
    await clock.advance(0)
    clock.setBack(-3_600_000)
    const next = call()
    platform.answer = () => reply(200, { id: 'x' })
    await clock.advance(5000)
    expect([await waiting, await next]).toMatchObject([{ id: 'x' }, { id: 'x' }])
  })

  it("fails immediately with the platform's error when the wait would pass the deadline", async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(429, { message: 'Slow down.', retry_after: 40, global: false, code: 20028 })
    expect(await call()).toMatchObject({ code: 5011, retry_after: 40, http_status: 429, platform_code: 20028 })
    // The next call is not sent.
    await clock.advance(5000)
    expect(await call()).toMatchObject({ code: 5011, retry_after: 35 })
    expect(platform.received).toHaveLength(1)
  })

  it.each([
    ['a body', (times: object) => reply(429, { message: 'm', retry_after: 1e300, ...times })],
    ['a header', (times: object) => reply(429, { message: 'm', ...times }, { 'retry-after': '99999999999' })],
    ['a date', (times: object) => reply(429, { message: 'm', ...times }, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' })],
  ])('waits an hour at most for any value of %s', async (_, refusal) => {
    const hour = BUDGETS.platformWaitMs.value
    for (const global of [false, true]) {
      const { platform, call, clock } = world()
      platform.answer = (_request, index) => (index === 0 ? refusal({ global }) : ok)
      expect(await call()).toMatchObject({ code: 5011, retry_after: hour / 1000 })
      await clock.advance(hour - 1)
      expect(await call(row(), { within: 0 })).toMatchObject({ code: 5011 })
      await clock.advance(1)
      expect(await call()).toMatchObject({ id: 'x' })
    }
  })

  it('waits an hour at most for any window end', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('B', 1, 0, 1e300, 1e300))
    await call()
    await clock.advance(BUDGETS.platformWaitMs.value)
    expect(await call()).toMatchObject({ id: 'x' })
  })

  it('waits no longer when the clock is set back meanwhile', async () => {
    for (const global of [false, true]) {
      const { platform, call, clock } = world()
      platform.answer = (_, index) => (index === 0 ? reply(429, { message: 'm', retry_after: 60, global }) : ok)
      expect(await call()).toMatchObject({ code: 5011, retry_after: 60 })
      await clock.advance(40_000)
      clock.setBack(24 * 3_600_000)
      const waiting = call()
      await clock.advance(20_000)
      expect(await waiting).toMatchObject({ id: 'x' })
      expect(clock.pending).toBe(0)
    }
  })

  it('sends only the remaining calls, in order, and continues after the reset', async () => {
    const { platform, call, clock } = world()
    const end = clock.now() + 5000
    platform.answer = (_, index) =>
      reply(200, { id: 'x' }, limits('B', 3, 2 - (index % 3), 5 - (index >= 3 ? 0 : 0), index < 3 ? end : end + 5000))
    await call()
    const order: number[] = []
    const rest = [1, 2, 3, 4].map(async (name) => {
      await call()
      order.push(name)
    })
    await settled()
    expect(platform.received).toHaveLength(3)
    await clock.advance(4999)
    expect(platform.received).toHaveLength(3)
    await clock.advance(1)
    await Promise.all(rest)
    expect(order).toEqual([1, 2, 3, 4])
    expect(clock.pending).toBe(0)
  })

  it('separates buckets of different resources and credentials', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('B', 1, 0, 60))
    await call()
    expect(await call()).toMatchObject({ code: 5011, retry_after: 60 })
    expect(await call(row(), { channel: '2' })).toMatchObject({ id: 'x' })
    expect(await call(row(), { who: bob })).toMatchObject({ id: 'x' })
  })

  it('merges operations that share a bucket', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('SHARED', 2, 1, 60))
    await call(row())
    platform.answer = () => reply(200, { id: 'x' }, limits('SHARED', 2, 0, 60))
    await call(row({ name: 'OTHER' }))
    expect(await call(row())).toMatchObject({ code: 5011 })
    expect(await call(row({ name: 'OTHER' }))).toMatchObject({ code: 5011 })
    expect(platform.received).toHaveLength(2)
  })

  it('merges operations again after an idle bucket was deleted', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('SHARED', 2, 1, 1))
    await call(row())
    await call(row())
    await clock.advance(2000)
    // Enough channels to sweep idle buckets.
    for (let channel = 2; channel < 1200; channel++) await call(row({ name: 'OTHER' }), { channel: String(channel) })
    platform.answer = () => reply(200, { id: 'x' }, limits('SHARED', 2, 0, 60))
    expect(await call(row())).toMatchObject({ id: 'x' })
    expect(await call(row({ name: 'OTHER' }))).toMatchObject({ code: 5011 })
  })

  it('serves calls that waited in a bucket that is merged into another', async () => {
    const { platform, call, clock } = world()
    const other = row({ name: 'OTHER' })
    const shared = () => reply(200, { id: 'x' }, limits('SHARED', 100, 50, 60))
    platform.answer = shared
    await call(row())
    platform.answer = undefined
    const waiting = Array.from({ length: 20 }, () => call(other))
    await settled()
    expect(platform.received).toHaveLength(9)
    platform.answer = shared
    for (const { answer } of platform.received.slice(1)) answer(shared())
    expect(await Promise.all(waiting)).toHaveLength(20)
    expect(platform.received).toHaveLength(21)
    expect(clock.pending).toBe(0)
  })

  it('counts calls in flight when a bucket is merged into another', async () => {
    const { platform, call, forwarder } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('SHARED', 20, 19, 60))
    await call(row())
    platform.answer = undefined
    const waiting = Array.from({ length: 20 }, () => call(row({ name: 'OTHER' })))
    await settled()
    expect(platform.received).toHaveLength(1 + 8)
    // Ten remain, and the seven other calls in flight may use theirs.
    platform.at(1).answer(reply(200, { id: 'x' }, limits('SHARED', 20, 10, 60)))
    await settled()
    expect(platform.received).toHaveLength(1 + 8 + 3)
    await forwarder.close()
    await Promise.all(waiting)
  })

  it('sends retries after a 429 before new calls', async () => {
    const { platform, forwarder, clock } = world()
    const asking = (limit: number) => {
      const outcome = forwarder.forward(row(), { channel_id: '1', limit }, ada, new AbortController().signal, clock.elapsed() + 30_000)
      return settled().then(() => outcome)
    }
    const first = asking(1)
    await settled()
    const second = asking(2)
    await settled()
    platform.at(1).answer(reply(429, { message: 'm', retry_after: 1, global: false }))
    await settled()
    const third = asking(3)
    await settled()
    platform.at(0).answer(reply(429, { message: 'm', retry_after: 1, global: false }))
    await clock.advance(1000)
    expect(platform.received.map(({ request }) => request.url.split('=')[1])).toEqual(['1', '2', '2', '1', '3'])
    platform.received.slice(2).forEach(({ answer }) => answer(ok))
    await Promise.all([first, second, third])
  })

  it('blocks a whole credential on a global limit, and no other', async () => {
    const { platform, call, clock } = world()
    platform.answer = (_, index) => (index === 0 ? reply(429, { message: 'm', retry_after: 2, global: true }) : ok)
    const first = call(row(), { channel: '1' })
    await settled()
    const second = call(row({ name: 'OTHER' }), { channel: '2' })
    await settled()
    expect(platform.received).toHaveLength(1)
    expect(await call(row(), { who: bob })).toMatchObject({ id: 'x' })
    expect(await call(row(), { within: 1000 })).toMatchObject({ code: 5011, retry_after: 2 })
    await clock.advance(2000)
    expect(await first).toMatchObject({ id: 'x' })
    expect(await second).toMatchObject({ id: 'x' })
  })

  it('removes a caller who disconnects from the queue, and serves the next', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('B', 1, 0, 5))
    await call()
    const leaving = new AbortController()
    const first = call(row(), { signal: leaving.signal })
    const second = call()
    await settled()
    leaving.abort()
    expect(await first).toMatchObject({ code: 1002 })
    await clock.advance(5000)
    expect(await second).toMatchObject({ id: 'x' })
    expect(platform.received).toHaveLength(2)
    expect(clock.pending).toBe(0)
  })

  it('rejects queued calls whose wait grew past their deadline', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(200, { id: 'x' }, limits('B', 1, 0, 5))
    await call()
    const impatient = call(row(), { within: 8000 })
    const patient = call()
    await settled()
    platform.answer = () => reply(429, { message: 'm', retry_after: 9, global: true })
    const bystander = call(row({ name: 'OTHER' }), { channel: '2' })
    await clock.advance(5000)
    expect(await impatient).toMatchObject({ code: 5011 })
    platform.answer = () => ok
    await clock.advance(6000)
    expect(await patient).toMatchObject({ id: 'x' })
    expect(await bystander).toMatchObject({ id: 'x' })
  })

  it('allows few before the first reply, then all: 10,000 concurrent calls, none lost', async () => {
    const { platform, call, clock } = world()
    const calls = Array.from({ length: 10_000 }, () => call())
    await settled()
    expect(platform.received).toHaveLength(8)
    platform.answer = () => ok
    for (const { answer } of platform.received) answer(ok)
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter((outcome) => (outcome as { id?: string }).id === 'x')).toHaveLength(10_000)
    expect(platform.received).toHaveLength(10_000)
    expect(clock.pending).toBe(0)
  })

  it('limits the waiting calls', async () => {
    const { call, forwarder } = world()
    const calls = Array.from({ length: 17_000 }, () => call())
    await settled()
    await forwarder.close()
    const outcomes = (await Promise.all(calls)) as { code: number }[]
    expect(outcomes.filter(({ code }) => code === 5011)).toHaveLength(17_000 - 8 - 16_384)
  })

  it('does not infer missing limits from the error page of a proxy', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(500, '<html>')
    await call()
    platform.answer = undefined
    void Array.from({ length: 100 }, () => call())
    await settled()
    expect(platform.received).toHaveLength(1 + 8)
  })

  it('stops before the platform bans the IP address, and continues later', async () => {
    const { platform, call, clock, forwarder } = world()
    platform.answer = () => reply(403, { code: 50013, message: 'no' })
    await call()
    const most = LIMITS.invalidRequests.value * 0.9
    for (let index = 1; index < most; index += 1) await call()
    expect(platform.received).toHaveLength(most)
    expect(await call()).toMatchObject({ code: 5011, retry_after: 600 })
    expect(platform.received).toHaveLength(most)
    await clock.advance(600_000)
    expect(await call()).toMatchObject({ code: 4006 })
    await forwarder.close()
  })

  it('does not count shared-resource 429s', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(429, { message: 'm', retry_after: 0 }, { 'x-ratelimit-scope': 'shared' })
    for (let index = 0; index < 2500; index += 1) await call()
    expect(platform.received).toHaveLength(10_000)
    platform.answer = () => ok
    expect(await call()).toMatchObject({ id: 'x' })
  })
})
