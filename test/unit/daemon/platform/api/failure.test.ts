import { type EndpointRow, ENDPOINTS } from '@sallyport/protocol'
import { secretVariants } from '@sallyport/core/secret-variants'
import { describe, expect, it } from 'vitest'
import { abortError, errorFromCodedReply, errorFromFailure, errorFromReply, rateLimitError } from '#daemon/src/platform/api/failure.ts'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import { reply } from './fake-platform.ts'

const NOW = 1_700_000_000_000
const wire = (status: number, body: unknown, headers = {}, secrets: string[] = []) =>
  errorFromReply(reply(status, body, headers), NOW, secretVariants(secrets)).toWire()

it('a lobby that the user may not reach is unknown', () => {
  const found = (row: Pick<EndpointRow, 'pathParameters'>) =>
    errorFromReply(reply(403, { code: 50_001, message: 'Missing Access' }), NOW, secretVariants([]), row).error
  expect([found(ENDPOINTS.GET_LOBBY), found(ENDPOINTS.GET_LOBBY_MESSAGES), found(ENDPOINTS.GET_GUILD_CHANNELS)]).toEqual([
    'INVALID_LOBBY',
    'INVALID_LOBBY',
    'INVALID_PERMISSIONS',
  ])
})

describe('errorFromReply', () => {
  it.each([
    [400, 50035, 4000],
    [401, 0, 4009],
    [401, 50025, 4009],
    [403, 50013, 4006],
    [403, 50001, 4006],
    [403, 0, 4006],
    [403, 50025, 4009],
    [403, 40333, 1001],
    [404, 10003, 4005],
    [404, 10004, 4003],
    [404, 10006, 4011],
    [404, 10013, 4010],
    [404, 10031, 4013],
    [404, 10029, 4015],
    [404, 10097, 4018],
    [404, 10008, 4000],
    [400, 530000, 5012],
    [400, 530001, 4009],
    [400, 530006, 1001],
    [400, 530007, 5000],
    [400, 530008, 5000],
    [400, 530010, 5000],
    [400, 530014, 5000],
    [400, 530016, 5000],
    [400, 530017, 5000],
    [400, 530020, 4009],
    [400, 530023, 5000],
    [400, 530027, 4009],
    [400, 50229, 4010],
    [403, 20012, 5012],
    [400, 20028, 5011],
    [202, 110000, 1001],
    [429, 40062, 5011],
    [429, 10003, 5011],
    [500, 0, 1001],
    [503, 130000, 1001],
    [302, 0, 1001],
  ])('HTTP %i with platform code %i maps to error %i, and keeps both', { tags: ['7-3'] }, (status, code, expected) => {
    expect(wire(status, { code, message: 'm' })).toMatchObject({ code: expected, http_status: status, platform_code: code })
  })

  it.each([400, 403, 404, 502])('an HTML page (%i) maps to an unavailable platform, and is not shown', (status) => {
    const error = wire(status, '<html>secret page</html>')
    expect(error).toMatchObject({ code: 1001, http_status: status })
    expect(error.message).not.toContain('page<')
  })

  it('names the fields of an invalid form', () => {
    const errors = {
      members: { 0: { metadata: { key: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Too long.' }] } } } },
      flags: { _errors: [{ message: 'Not a flag.' }] },
    }
    const error = wire(400, { code: 50035, message: 'Invalid Form Body', errors })
    expect(error).toMatchObject({ code: 4000, path: 'members[0].metadata.key', errors, platform_code: 50035 })
    expect(error.message).toContain('members[0].metadata.key: Too long.; flags: Not a flag.')
  })

  it('survives field errors that are deep, many or malformed', () => {
    let deep: object = { _errors: [{ message: 'x' }] }
    for (let depth = 0; depth < 5000; depth += 1) deep = { a: deep }
    expect(wire(400, { code: 50035, message: 'm', errors: { _errors: [null, 3, 'text'], deep } }).message).toContain('text')
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, { _errors: [{ message: 'bad' }] }]))
    const error = wire(400, { code: 50035, message: 'm', errors: many })
    expect(error).not.toHaveProperty('errors')
    expect(error.message.length).toBeLessThan(1000)
  })

  it('has the retry time from the body, otherwise from the header (seconds or date)', () => {
    expect(wire(429, { message: 'm', retry_after: 1.5, global: false }, { 'retry-after': '2' }).retry_after).toBe(1.5)
    expect(wire(429, { message: 'm' }, { 'retry-after': '2' }).retry_after).toBe(2)
    expect(wire(503, { message: 'm' }, { 'retry-after': new Date(NOW + 7000).toUTCString() }).retry_after).toBe(7)
  })

  it('has the linked identity from the platform, for that error only', () => {
    const whom = { user_id: '7', provider_type: 'OIDC', provider_id: null, provider_issued_user_id: 'ann' }
    const error = wire(400, { code: 530010, message: 'm', ...whom, other: 'x' })
    expect(error).toEqual({ code: 5000, message: expect.stringContaining('AUTHORIZE'), http_status: 400, platform_code: 530010, ...whom })
    expect(wire(400, { code: 530017, message: 'm', ...whom })).not.toHaveProperty('user_id')
    const secret = 'tok-1234567890'
    expect(JSON.stringify(wire(400, { code: 530010, provider_issued_user_id: secret, user_id: {} }, {}, [secret]))).not.toContain(secret)
  })

  it('accepts only a JSON code as a rejection by the platform', () => {
    const coded = (body: unknown) => errorFromCodedReply(reply(400, body), NOW, secretVariants([]))
    expect(coded({ code: 530017, message: 'm' })?.toWire()).toMatchObject({ code: 5000, platform_code: 530017 })
    for (const body of [{ error: 'invalid_grant' }, { code: 0, message: 'm' }, 'page']) expect(coded(body)).toBeUndefined()
  })

  it('maps OAuth errors', () => {
    expect(wire(400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' })).toEqual({
      code: 5000,
      message: 'OAuth2 Error: invalid_grant: Invalid "code" in request.',
      http_status: 400,
    })
  })

  it('withholds platform messages that contain a secret', () => {
    const secret = 'tok-1234567890'
    const errors = { [secret]: { _errors: [{ message: secret }] } }
    for (const body of [
      { code: 0, message: `bad ${secret}` },
      { code: 50035, message: 'm', errors },
      { error: 'invalid', error_description: secret },
    ]) {
      expect(JSON.stringify(wire(400, body, {}, [secret]))).not.toContain(secret)
    }
  })

  it('removes line breaks from platform messages and truncates them', () => {
    const { message } = wire(400, { code: 1, message: `a\n\u0007b${'x'.repeat(10_000)}` })
    expect(message).toContain('a b')
    expect(message.length).toBeLessThan(1000)
  })
})

describe('the other errors', () => {
  it('are distinct', () => {
    expect(errorFromFailure(new HttpFailure('unreachable', false)).toWire()).toMatchObject({ code: 1001 })
    expect(errorFromFailure(new Error('http://host/?token=1')).toWire().message).not.toContain('token')
    expect(abortError('cancelled').toWire().code).toBe(1002)
    expect(abortError('closed').toWire().code).toBe(1002)
    expect(rateLimitError(1500.2).toWire()).toMatchObject({ code: 5011, retry_after: 1.501 })
  })
})
