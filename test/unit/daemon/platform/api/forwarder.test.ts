import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import { reply } from './fake-platform.ts'
import { settled } from '#test/support/fake-clock.ts'
import { row, writeRow } from './rows.ts'
import { ada, ok, world } from './forwarder-world.ts'

describe('one call', () => {
  it('returns the value with unknown fields, and leaves nothing behind', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => ok
    expect(await call()).toEqual({ id: 'x', extra: [1] })
    expect(platform.at(0).request).toMatchObject({ method: 'GET', url: 'http://127.0.0.1:9/api/v10/channels/1/things' })
    expect(clock.pending).toBe(0)
  })

  it('returns null for 204', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(204, '')
    expect(await call()).toBeNull()
  })

  it.each(['<html>', '{"id":', '', '{"id":7}', '[]', 'null'])('treats %j as a malformed response', async (body) => {
    const { platform, call } = world()
    platform.answer = () => reply(200, body)
    expect(await call()).toMatchObject({ code: 1001, http_status: 200, message: expect.stringContaining('malformed') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('treats any 2xx but 202 ("not yet") as success', { tags: ['4.1-rules-16'] }, async () => {
    const { platform, call } = world()
    platform.answer = () => reply(201, { id: 'x' })
    expect(await call()).toEqual({ id: 'x' })
    platform.answer = () => reply(202, { message: 'Index not yet available.', code: 110000, retry_after: 5 })
    expect(await call()).toMatchObject({ code: 1001, platform_code: 110000, retry_after: 5 })
  })

  it('is rejected without a request when the operation is unavailable to apps', async () => {
    const { platform, call } = world()
    const { since, reason } = ENDPOINTS.CREATE_GUILD.unavailable ?? { since: '?', reason: '?' }
    expect(since).not.toBe('?')
    const error = await call(ENDPOINTS.CREATE_GUILD)
    expect(error).toMatchObject({ code: 4002 })
    expect((error as { message: string }).message).toContain(since)
    expect((error as { message: string }).message).toContain(reason)
    expect(platform.received).toHaveLength(0)
  })

  it.each([
    ['user', undefined],
    ['user', 'bot'],
    ['bot', 'user'],
    ['user-or-bot', undefined],
  ] as const)('of a %s row is rejected with a %s token', async (auth, kind) => {
    const { platform, forwarder, clock } = world()
    const who = kind === undefined ? undefined : { kind, applicationId: 'app', userId: undefined, token: new Secret('token-12345') }
    const outcome = forwarder.forward(row({ auth }), { channel_id: '1' }, who, new AbortController().signal, clock.elapsed() + 1000)
    await expect(outcome).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    expect(platform.received).toHaveLength(0)
  })

  it('reports a 401 once to end its sessions, but not a 403', async () => {
    const { platform, call, unauthorized } = world()
    platform.answer = (_, index) => reply(index === 0 ? 401 : 403, { code: 0, message: 'no' })
    expect(await call()).toMatchObject({ code: 4009 })
    expect(unauthorized).toEqual([ada])
    expect(await call()).toMatchObject({ code: 4006 })
    expect(unauthorized).toEqual([ada])
  })

  it('never returns a token that the platform echoes', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(400, { code: 50035, message: 'token-of-ada', errors: { a: { _errors: [{ message: 'token-of-ada' }] } } })
    const error = await call()
    expect(error).toMatchObject({ code: 4000 })
    expect(JSON.stringify(error)).not.toContain('token-of-ada')
  })
})

describe('the end of a call', () => {
  it('is not its deadline: the owner of the call has the only timer, and cancels it', async () => {
    const { platform, call, clock } = world()
    const owner = new AbortController()
    const outcome = call(row(), { within: 1000, signal: owner.signal })
    await clock.advance(5000)
    expect(clock.pending).toBe(0)
    owner.abort()
    expect(await outcome).toMatchObject({ code: 1002, message: expect.stringContaining('cancelled') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('is its cancellation, before or during the request', async () => {
    const { platform, call, clock } = world()
    const leaving = new AbortController()
    const outcome = call(row(), { signal: leaving.signal })
    await settled()
    leaving.abort()
    expect(await outcome).toMatchObject({ code: 1002 })
    expect(await call(row(), { signal: leaving.signal })).toMatchObject({ code: 1002 })
    expect(platform.received).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('is the close of the forwarder', async () => {
    const { platform, call, forwarder, clock } = world()
    const outcome = call()
    await settled()
    await forwarder.close()
    expect(await outcome).toMatchObject({ code: 1002 })
    expect(await call()).toMatchObject({ code: 1002 })
    expect(platform.received).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
})

describe('retrying', () => {
  it('repeats a read after a 502 and returns the next reply', async () => {
    const { platform, call, clock } = world()
    platform.answer = (_, index) => (index < 2 ? reply(502, '<html>') : ok)
    const outcome = call()
    await clock.advance(199)
    expect(platform.received).toHaveLength(1)
    await clock.advance(1)
    expect(platform.received).toHaveLength(2)
    await clock.advance(400)
    expect(await outcome).toMatchObject({ id: 'x' })
  })

  it('stops after four attempts and returns the last error', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(503, { message: 'away' })
    const outcome = call()
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ code: 1001, http_status: 503 })
    expect(platform.received).toHaveLength(4)
  })

  it('does not wait for a retry after the deadline', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(503, { message: 'away' }, { 'retry-after': '60' })
    expect(await call()).toMatchObject({ code: 1001, retry_after: 60 })
    expect(platform.received).toHaveLength(1)
  })

  it('never repeats a call that may have taken effect', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => new HttpFailure('interrupted', true)
    const outcome = call(writeRow())
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ code: 1001, message: expect.stringContaining('may have taken effect') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('repeats a call that was never sent', async () => {
    const { platform, call, clock } = world()
    platform.answer = (_, index) => (index === 0 ? new HttpFailure('unreachable', false) : ok)
    const outcome = call(writeRow())
    await clock.advance(1000)
    expect(await outcome).toMatchObject({ id: 'x' })
  })

  it('stops waiting for a retry when the caller disconnects', async () => {
    const { platform, call, clock } = world()
    const leaving = new AbortController()
    platform.answer = () => reply(502, '')
    const outcome = call(row(), { signal: leaving.signal })
    await settled()
    leaving.abort()
    expect(await outcome).toMatchObject({ code: 1002 })
    expect(clock.pending).toBe(0)
    await clock.advance(10_000)
    expect(platform.received).toHaveLength(1)
  })
})
