/** Messages with a key are sent again, as long as the platform takes them once for their nonce. */
import { BUDGETS } from '@sallyport/core/budgets'
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import { reply } from '../../platform/api/fake-platform.ts'
import { keyedWorld, messageRow, ok } from './world.ts'

type Clock = ReturnType<typeof keyedWorld>['clock']

const UNKNOWN = 6001

describe('a message, which the platform takes once for its nonce', () => {
  const row = messageRow()
  const bodies = (platform: ReturnType<typeof keyedWorld>['platform']) =>
    platform.received.map(({ request }) => JSON.parse(request.body ?? '') as { nonce: string; enforce_nonce: boolean })

  it('is sent again with the same nonce after a kill', async () => {
    const { platform, begin, call, kill } = keyedWorld()
    await begin({ row })
    kill()
    platform.answer = () => ok
    expect(await call({ row })).toEqual({ id: 'x', extra: [1] })
    const [one, other] = bodies(platform)
    expect(one).toEqual(other)
    expect(one).toMatchObject({ nonce: expect.stringMatching(/^[0-9a-f]{25}$/) as string, enforce_nonce: true })
    kill()
    expect(await call({ row })).toEqual({ id: 'x', extra: [1] })
    expect(platform.received).toHaveLength(2)
  })

  it('is sent again with the nonce of the game, if the game has it enforced', async () => {
    const { platform, begin, call, kill } = keyedWorld()
    const args = { channel_id: '1', nonce: 'mine', enforce_nonce: true }
    await begin({ row, args })
    kill()
    platform.answer = () => ok
    expect(await call({ row, args })).toEqual({ id: 'x', extra: [1] })
    expect(bodies(platform)).toEqual([
      { nonce: 'mine', enforce_nonce: true },
      { nonce: 'mine', enforce_nonce: true },
    ])
  })

  it.each([{ nonce: 'of every message' }, { enforce_nonce: false }])('with %j of the game is sent as it is, once', async (given) => {
    const { platform, begin, call, kill } = keyedWorld()
    const args = { channel_id: '1', ...given }
    await begin({ row, args })
    kill()
    expect(await call({ row, args })).toMatchObject({ code: UNKNOWN })
    expect(bodies(platform)).toEqual([given])
  })

  it('is not sent again once the platform may have forgotten the nonce', async () => {
    const { platform, begin, call, kill, clock } = keyedWorld()
    const first = await begin({ row, within: LIMITS.maxDeadlineMs.value })
    kill()
    await clock.advance(BUDGETS.nonceRepeatMs.value)
    expect(await call({ row })).toMatchObject({ code: UNKNOWN })
    expect(platform.received).toHaveLength(1)
    first.leave()
  })

  it('stays unknown if the repeat is refused, which says nothing about the first', async () => {
    const { platform, begin, call, kill } = keyedWorld()
    await begin({ row })
    kill()
    platform.answer = () => reply(403, { code: 50013, message: 'Missing Permissions' })
    expect(await call({ row })).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('the bridge ended') as string })
    platform.answer = () => ok
    expect(await call({ row })).toEqual({ id: 'x', extra: [1] })
  })
})

describe('the platform may have forgotten the nonce of a message', () => {
  const row = messageRow()
  const HOUR_MS = 3_600_000

  it.each([
    ['the machine slept', async (clock: Clock) => clock.sleep(HOUR_MS)],
    ['the machine started anew', async (clock: Clock) => clock.sleep(-1000)],
    [
      'the system time was set back',
      async (clock: Clock) => {
        clock.setBack(HOUR_MS)
        await clock.advance(BUDGETS.nonceRepeatMs.value)
      },
    ],
  ])('when %s, so a repeat is not sent', async (_, pass) => {
    const { platform, begin, call, kill, clock } = keyedWorld()
    const first = await begin({ row })
    kill()
    await pass(clock)
    expect(await call({ row })).toMatchObject({ code: UNKNOWN })
    expect(platform.received).toHaveLength(1)
    first.leave()
  })

  it('when the machine slept during the call, so the daemon does not send it again', async () => {
    const { platform, begin, call, clock } = keyedWorld()
    const first = await begin({ row })
    clock.sleep(HOUR_MS)
    platform.at(0).fail(new HttpFailure('interrupted', true))
    await clock.advance(1000)
    expect(await first.answer).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('broke') as string })
    expect(await call({ row })).toMatchObject({ code: UNKNOWN })
    expect(platform.received).toHaveLength(1)
  })

  it('when the repeat may leave at last', async () => {
    const { platform, begin, call, kill, clock } = keyedWorld()
    const first = await begin({ row })
    kill()
    await clock.advance(BUDGETS.nonceRepeatMs.value - 1000)
    platform.answer = () => reply(429, { message: 'm', retry_after: 5, global: false })
    const repeat = call({ row })
    await clock.advance(5000)
    expect(await repeat).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('the bridge ended') as string })
    expect(platform.received).toHaveLength(2)
    first.leave()
  })

  it('when the platform lets the daemon wait before another try', async () => {
    const { platform, call, clock } = keyedWorld()
    platform.answer = () => reply(503, '', { 'retry-after': '200' })
    const answer = call({ row, within: LIMITS.maxDeadlineMs.value })
    await clock.advance(200_000)
    expect(await answer).toMatchObject({ code: UNKNOWN, message: expect.stringContaining('leaves it open') as string })
    expect(platform.received).toHaveLength(1)
  })
})
