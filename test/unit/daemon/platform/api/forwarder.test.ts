import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import { HttpFailure } from '../../../../../daemon/src/platform/api/http-failure.ts'
import { reply } from './fake-platform.ts'
import { settled } from '../../../../support/fake-clock.ts'
import { row, writeRow } from './rows.ts'
import { ok, world } from './forwarder-world.ts'

describe('one call', () => {
  it('gives the value, unknown fields included, and leaves nothing behind', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => ok
    expect(await call()).toEqual({ id: 'x', extra: [1] })
    expect(platform.at(0).request).toMatchObject({ method: 'GET', url: 'http://127.0.0.1:9/api/v10/channels/1/things' })
    expect(clock.pending).toBe(0)
  })

  it('gives null for 204', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(204, '')
    expect(await call()).toBeNull()
  })

  it.each(['<html>', '{"id":', '', '{"id":7}', '[]', 'null'])('takes %j for a malformed answer', async (body) => {
    const { platform, call } = world()
    platform.answer = () => reply(200, body)
    expect(await call()).toMatchObject({ code: 1001, http_status: 200, message: expect.stringContaining('malformed') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('takes any 2xx for success but 202, which says "not yet"', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(201, { id: 'x' })
    expect(await call()).toEqual({ id: 'x' })
    platform.answer = () => reply(202, { message: 'Index not yet available.', code: 110000, retry_after: 5 })
    expect(await call()).toMatchObject({ code: 1001, platform_code: 110000, retry_after: 5 })
  })

  it('is refused without a request when apps cannot use the operation', async () => {
    const { platform, call } = world()
    const { since, reason } = ENDPOINTS.CREATE_GUILD.unavailable ?? { since: '?', reason: '?' }
    expect(since).not.toBe('?')
    const error = await call(ENDPOINTS.CREATE_GUILD)
    expect(error).toMatchObject({ code: 1001 })
    expect((error as { message: string }).message).toContain(since)
    expect((error as { message: string }).message).toContain(reason)
    expect(platform.received).toHaveLength(0)
  })

  it.each([
    ['user', undefined],
    ['user', 'bot'],
    ['bot', 'user'],
    ['user-or-bot', undefined],
  ] as const)('of a %s row is refused with a %s token', async (auth, kind) => {
    const { platform, forwarder, clock } = world()
    const who = kind === undefined ? undefined : { kind, id: 'i', token: new Secret('token-12345') }
    const outcome = forwarder.forward(row({ auth }), { channel_id: '1' }, who, new AbortController().signal, clock.now() + 1000)
    await expect(outcome).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    expect(platform.received).toHaveLength(0)
  })

  it('reports a 401 once to whoever ends sessions, and not a 403', async () => {
    const { platform, call, unauthorized } = world()
    platform.answer = (_, index) => reply(index === 0 ? 401 : 403, { code: 0, message: 'no' })
    expect(await call()).toMatchObject({ code: 4009 })
    expect(unauthorized).toEqual(['app:ada'])
    expect(await call()).toMatchObject({ code: 4006 })
    expect(unauthorized).toEqual(['app:ada'])
  })

  it('never shows the token that the platform echoes', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(400, { code: 50035, message: 'token-of-ada', errors: { a: { _errors: [{ message: 'token-of-ada' }] } } })
    const error = await call()
    expect(error).toMatchObject({ code: 4000 })
    expect(JSON.stringify(error)).not.toContain('token-of-ada')
  })
})

describe('the end of a call', () => {
  it('is its deadline', async () => {
    const { platform, call, clock } = world()
    const outcome = call(row(), { within: 1000 })
    await clock.advance(999)
    expect(platform.received).toHaveLength(1)
    await clock.advance(1)
    expect(await outcome).toMatchObject({ code: 1001, message: expect.stringContaining('deadline') as string })
    expect(clock.pending).toBe(0)
  })

  it('is its caller leaving, before or during the request', async () => {
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

  it('is the forwarder closing', async () => {
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
  it('repeats a read after a 502 and gives what comes then', async () => {
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

  it('gives up after four and tells the last error', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => reply(503, { message: 'away' })
    const outcome = call()
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ code: 1001, http_status: 503 })
    expect(platform.received).toHaveLength(4)
  })

  it('does not wait for a repeat that would come after the deadline', async () => {
    const { platform, call } = world()
    platform.answer = () => reply(503, { message: 'away' }, { 'retry-after': '60' })
    expect(await call()).toMatchObject({ code: 1001, retry_after: 60 })
    expect(platform.received).toHaveLength(1)
  })

  it('never sends twice what may have taken effect', async () => {
    const { platform, call, clock } = world()
    platform.answer = () => new HttpFailure('interrupted', true)
    const outcome = call(writeRow())
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ code: 1001, message: expect.stringContaining('not known') as string })
    expect(platform.received).toHaveLength(1)
  })

  it('sends again what never left', async () => {
    const { platform, call, clock } = world()
    platform.answer = (_, index) => (index === 0 ? new HttpFailure('unreachable', false) : ok)
    const outcome = call(writeRow())
    await clock.advance(1000)
    expect(await outcome).toMatchObject({ id: 'x' })
  })

  it('stops waiting for a repeat when the caller leaves', async () => {
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
