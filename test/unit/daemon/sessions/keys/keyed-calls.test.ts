/** A call with a key takes effect once: each end of a call, and what a repeat gets then. */
import { DatabaseSync } from 'node:sqlite'
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import { reply } from '../../platform/api/fake-platform.ts'
import { writeRow } from '../../platform/api/rows.ts'
import { keyedWorld, keyNumber, messageRow, ok } from './world.ts'

const UNKNOWN = 6001
const REUSED = 6002
const NOT_KEPT = 6003
/** Timers: the one that deletes keys later. */
const ONLY_DELETION = 1

describe('a repeat', () => {
  it('gets the result of the first call, without a second request', async () => {
    const { platform, call } = keyedWorld()
    platform.answer = () => ok
    expect([await call(), await call()]).toEqual([
      { id: 'x', extra: [1] },
      { id: 'x', extra: [1] },
    ])
    expect(platform.received).toHaveLength(1)
  })

  it('gets it over a restart and a kill too', async () => {
    const { platform, call, kill, stop, restart } = keyedWorld()
    platform.answer = () => ok
    await call()
    kill()
    expect(await call()).toEqual({ id: 'x', extra: [1] })
    await stop()
    restart()
    expect(await call()).toEqual({ id: 'x', extra: [1] })
    expect(platform.received).toHaveLength(1)
  })

  it('waits for a call that runs', async () => {
    const { platform, begin } = keyedWorld()
    const first = await begin()
    const repeat = await begin()
    platform.at(0).answer(ok)
    expect(await repeat.answer).toEqual(await first.answer)
    expect(platform.received).toHaveLength(1)
  })

  it('gets the refusal of the platform again', async () => {
    const { platform, call, kill } = keyedWorld()
    platform.answer = () => reply(403, { code: 50013, message: 'Missing Permissions' })
    const first = await call()
    expect(first).toMatchObject({ code: 4006, http_status: 403, platform_code: 50013 })
    expect(await call()).toEqual(first)
    kill()
    expect(await call()).toEqual(first)
    expect(platform.received).toHaveLength(1)
  })

  it('is refused with other arguments or another command, while it runs and after', async () => {
    const { platform, begin, call } = keyedWorld()
    const first = await begin()
    expect(await call({ args: { channel_id: '2' } })).toMatchObject({ code: REUSED, path: 'key' })
    platform.at(0).answer(ok)
    await first.answer
    expect(await call({ args: { channel_id: '2' } })).toMatchObject({ code: REUSED })
    expect(await call({ row: writeRow({ name: 'WRITE_OTHER' }) })).toMatchObject({ code: REUSED })
    expect(platform.received).toHaveLength(1)
  })

  it('may have the members of its arguments in another order', async () => {
    const { platform, call } = keyedWorld()
    platform.answer = () => ok
    await call({ args: { channel_id: '1', metadata: { a: 1, b: [{ c: 1, d: 2 }] } } })
    await call({ args: { metadata: { b: [{ d: 2, c: 1 }], a: 1 }, channel_id: '1' } })
    expect(platform.received).toHaveLength(1)
    expect(await call({ args: { channel_id: '1', metadata: { a: 1, b: [{ c: 1, d: 3 }] } } })).toMatchObject({ code: REUSED })
  })

  it.each([{ program: 'other' }, { applicationId: 'other' }, { account: 'bob' }, { key: keyNumber(1) }])(
    'is another call for %j',
    async (other) => {
      const { platform, call } = keyedWorld()
      platform.answer = () => ok
      await call()
      await call(other)
      expect(platform.received).toHaveLength(2)
    },
  )

  it('of a game that started again in a container, which has another user namespace then, is the same call', async () => {
    const { platform, call, kill } = keyedWorld()
    platform.answer = () => ok
    await call({ program: '["container",1000,"other"] in 77' })
    kill()
    expect(await call({ program: '["container",1000,"other"] in 78' })).toEqual({ id: 'x', extra: [1] })
    expect(platform.received).toHaveLength(1)
  })
})

describe('a call that did nothing', () => {
  it('is made by its repeat: refused by a rate limit, by the token, or not sent', async () => {
    const { platform, call, clock } = keyedWorld()
    const ends = [
      reply(429, { message: 'm', retry_after: 60, global: false }),
      reply(401, { message: 'Unauthorized' }),
      new HttpFailure('unreachable', false),
      new HttpFailure('unreachable', false),
      new HttpFailure('unreachable', false),
      new HttpFailure('unreachable', false),
      ok,
    ]
    platform.answer = (_, index) => ends[index] ?? ok
    expect(await call()).toMatchObject({ code: 5011 })
    await clock.advance(60_000)
    expect(await call()).toMatchObject({ code: 4009 })
    const unreachable = call()
    await clock.advance(20_000)
    expect(await unreachable).toMatchObject({ code: 1001 })
    expect(await call()).toEqual({ id: 'x', extra: [1] })
    expect(platform.received).toHaveLength(ends.length)
  })

  it('ends with the last of its games before it is sent, and is made by a repeat', async () => {
    const { platform, begin, call, clock } = keyedWorld()
    platform.answer = () => reply(429, { message: 'm', retry_after: 5, global: false })
    const first = await begin({ key: keyNumber(1) })
    const second = await begin()
    expect(platform.received).toHaveLength(1)
    second.leave()
    expect(await second.answer).toMatchObject({ code: 1002 })
    platform.answer = () => ok
    const repeat = call()
    await clock.advance(5000)
    expect([await first.answer, await repeat]).toEqual([
      { id: 'x', extra: [1] },
      { id: 'x', extra: [1] },
    ])
    expect(platform.received).toHaveLength(3)
  })
})

describe('a refusal that is not kept', () => {
  const refusal = reply(403, { code: 50013, message: 'Missing Permissions' })

  it('because there is no room for it, is asked of the platform again', async () => {
    const { platform, call } = keyedWorld()
    const WITHOUT_TEXT = 28 + JSON.stringify({ id: '' }).length
    platform.answer = () => reply(200, { id: 'x'.repeat(LIMITS.callKeyBytes.value - WITHOUT_TEXT) })
    await call({ key: keyNumber(1) })
    platform.answer = () => refusal
    expect([await call(), await call()]).toMatchObject([{ code: 4006 }, { code: 4006 }])
    expect(platform.received).toHaveLength(3)
  })

  it('because it cannot be read, leaves the outcome unknown', async () => {
    const { platform, call, kill, stop, file } = keyedWorld()
    platform.answer = () => refusal
    await call()
    await stop()
    const database = new DatabaseSync(file())
    database.exec('UPDATE ends SET result = zeroblob(40)')
    database.close()
    kill()
    expect(await call()).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('cannot read the answer') as string })
    expect(platform.received).toHaveLength(1)
  })
})

describe('a call whose game leaves after it was sent', () => {
  it('goes on alone, and its repeat gets the result', async () => {
    const { platform, begin, call, detached } = keyedWorld()
    const first = await begin()
    first.leave()
    expect(detached.count).toBe(1)
    platform.at(0).answer(ok)
    expect(await call()).toEqual({ id: 'x', extra: [1] })
    expect([detached.count, platform.received.length]).toEqual([0, 1])
  })

  it('ends at its deadline', async () => {
    const { begin, call, clock, detached } = keyedWorld()
    const first = await begin({ within: 10_000 })
    first.leave()
    await clock.advance(10_000)
    await first.answer
    expect([detached.count, clock.pending]).toEqual([0, ONLY_DELETION])
    expect(await call()).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('did not answer in the time') as string })
  })

  it('is cancelled where there is no room for its arguments', async () => {
    const { begin, call, detached, platform } = keyedWorld()
    detached.isFull = true
    const first = await begin()
    first.leave()
    await first.answer
    expect(await call()).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('has no room') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('goes on for a repeat that waits for it', async () => {
    const { platform, begin, detached, clock } = keyedWorld()
    const first = await begin()
    const repeat = await begin()
    first.leave()
    expect(detached.count).toBe(0)
    platform.at(0).answer(ok)
    expect(await repeat.answer).toEqual({ id: 'x', extra: [1] })
    expect(clock.pending).toBe(ONLY_DELETION)
  })
})

describe('an unknown outcome', () => {
  it.each([
    ['a server error', reply(502, 'Bad Gateway'), 'answer of the platform leaves it open', { http_status: 502 }],
    [
      'a server error that says when to retry',
      reply(503, { message: 'm', code: 7, retry_after: 2 }),
      'leaves it open',
      { http_status: 503, platform_code: 7 },
    ],
    ['a broken connection', new HttpFailure('interrupted', true), 'connection to the platform broke', {}],
  ])('is the answer after %s, because a game would make a new call, and that of a repeat', async (_, end, reason, detail) => {
    const { platform, call, kill } = keyedWorld()
    platform.answer = () => end
    const unknown = { code: UNKNOWN, message: expect.stringContaining(reason) as string }
    expect(await call()).toEqual({ ...unknown, ...detail })
    expect(await call()).toEqual(unknown)
    kill()
    expect(await call()).toEqual(unknown)
    expect(platform.received).toHaveLength(1)
  })

  it('is none of a call that took effect, and whose result cannot be read', async () => {
    const { platform, call } = keyedWorld()
    platform.answer = () => reply(200, '<html>')
    expect(await call()).toEqual({ code: NOT_KEPT, http_status: 200, message: expect.stringMatching(/took effect.*malformed/) as string })
    expect(await call()).toMatchObject({ code: NOT_KEPT })
    expect(platform.received).toHaveLength(1)
  })

  it('is what a game learns whose time is over while the request runs, and no game before', async () => {
    const { platform, clock, call } = keyedWorld()
    platform.answer = (_, index) => (index === 0 ? reply(429, { message: 'm', retry_after: 5, global: false }) : undefined)
    const [patient, early, late] = [call(), call({ within: 1000 }), call({ within: 10_000 })]
    await clock.advance(10_000)
    expect(await early).toMatchObject({ code: 1001, message: expect.stringContaining('try again') as string })
    expect(await late).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('did not answer in the time') as string })
    platform.at(1).answer(ok)
    expect(await patient).toEqual({ id: 'x', extra: [1] })
    expect(platform.received).toHaveLength(2)
  })

  it('is that of a daemon which was killed between request and answer', async () => {
    const { platform, begin, call, kill } = keyedWorld()
    await begin()
    kill()
    expect(await call()).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('the bridge ended') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('is stored when the daemon stops', async () => {
    const { platform, begin, call, stop, restart } = keyedWorld()
    const running = await begin()
    await stop()
    await running.answer
    restart()
    expect(await call()).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('the bridge stopped') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('does not keep the daemon from its end before the call was sent, also where the call waits for a file', async () => {
    const { begin, stop } = keyedWorld()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    let leaving = () => {}
    const { answer } = await begin({
      work: (_, follower) => {
        leaving = () => follower.leaving()
        return promise
      },
    })
    await stop()
    expect(leaving).toThrow('ended before it was sent')
    resolve(undefined)
    await answer
  })

  it('is what a repeat that waited learns', async () => {
    const { platform, begin } = keyedWorld()
    const first = await begin()
    const repeat = await begin()
    platform.at(0).fail(new HttpFailure('interrupted', true))
    expect([await first.answer, await repeat.answer]).toMatchObject([{ code: UNKNOWN }, { code: UNKNOWN }])
  })

  it('is that of all calls after the vault got another key', async () => {
    const { platform, call, kill } = keyedWorld()
    platform.answer = () => ok
    await call()
    kill({ vault: 'second' })
    expect(await call()).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('another key') as string })
    expect(platform.received).toHaveLength(1)
  })
})

describe('a vault that cannot be opened', () => {
  it('does not keep calls back; the daemon says so once, and repeats get the result until a restart', async () => {
    const { platform, call, kill, logged } = keyedWorld()
    platform.answer = () => ok
    kill({ vault: 'locked' })
    expect([await call(), await call(), await call({ key: keyNumber(1) })]).toEqual([
      { id: 'x', extra: [1] },
      { id: 'x', extra: [1] },
      { id: 'x', extra: [1] },
    ])
    expect([platform.received.length, logged]).toEqual([2, ['call-keys-without-vault']])
    kill()
    expect(await call()).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('another key') as string })
    expect(platform.received).toHaveLength(2)
  })

  it('leaves the results of the vault, which is opened after another start', async () => {
    const { platform, call, kill } = keyedWorld()
    platform.answer = () => ok
    await call()
    kill({ vault: 'locked' })
    expect(await call()).toMatchObject({ code: UNKNOWN })
    await call({ key: keyNumber(1) })
    kill({ vault: 'first' })
    expect(await call()).toEqual({ id: 'x', extra: [1] })
    expect(await call({ key: keyNumber(1) })).toMatchObject({ code: UNKNOWN })
    expect(platform.received).toHaveLength(2)
  })

  it('does not let a message be sent again, whose arguments cannot be compared', async () => {
    const { platform, begin, call, kill } = keyedWorld()
    await begin({ row: messageRow() })
    kill({ vault: 'locked' })
    expect(await call({ row: messageRow() })).toMatchObject({ code: UNKNOWN })
    expect(platform.received).toHaveLength(1)
  })
})
