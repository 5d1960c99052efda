import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { requestBuilder } from '#daemon/src/platform/api/request.ts'
import type { Credential } from '#daemon/src/platform/api/forwarder-port.ts'
import { row, writeRow } from './rows.ts'

const BASE = 'http://127.0.0.1:9/api/v10'
const user: Credential = { kind: 'user', applicationId: 'a', userId: 'u', token: new Secret('user-token') }
const bot: Credential = { kind: 'bot', applicationId: 'a', token: new Secret('bot-token') }
const build = (...[of, args, credential]: [ReturnType<typeof row>, Record<string, unknown>, Credential?]) =>
  requestBuilder(of, BASE, 'Agent (x, 1)')(args, credential)

describe('requestBuilder', () => {
  it('fills the path and escapes the values', { tags: ['1-12'] }, () => {
    expect(build(row(), { channel_id: 'a/b?c#d %' }).url).toBe(`${BASE}/channels/a%2Fb%3Fc%23d%20%25/things`)
  })

  it.each(['', '.', '..', undefined, null, {}])('rejects %j as a path argument and names it', (value) => {
    expect(() => build(row(), { channel_id: value })).toThrow(
      expect.objectContaining({ error: 'INVALID_PAYLOAD', detail: { path: 'channel_id' } }) as Error,
    )
  })

  it('repeats the key of an array in the query, includes booleans and numbers, omits absent values and null', () => {
    const of = row({ queryParameters: ['limit', 'tag', 'with_counts', 'after', 'before'] })
    const args = { channel_id: '1', limit: 0, tag: ['a b', 'c&d'], with_counts: true, after: undefined, before: null }
    expect(build(of, args).url).toBe(`${BASE}/channels/1/things?limit=0&tag=a+b&tag=c%26d&with_counts=true`)
  })

  it('sends no body and no content type for an operation without body arguments', () => {
    const request = build(row(), { channel_id: '1' })
    expect(request).not.toHaveProperty('body')
    expect(request.headers).not.toHaveProperty('content-type')
  })

  it('sends other arguments as a JSON body, with nulls and without undefined', () => {
    const of = writeRow({ args: z.strictObject({ channel_id: z.string(), content: z.string(), nick: z.null(), gone: z.undefined() }) })
    const request = build(of, { channel_id: '1', content: 'ü', nick: null, gone: undefined })
    expect(request.headers['content-type']).toBe('application/json')
    expect(JSON.parse(request.body ?? '')).toEqual({ content: 'ü', nick: null })
  })

  it('sends an empty object without body arguments', () => {
    expect(build(writeRow(), { channel_id: '1' }).body).toBe('{}')
  })

  it('sends the one body argument as the whole body', () => {
    const of = writeRow({ bodyArgument: 'members', args: z.strictObject({ channel_id: z.string(), members: z.array(z.unknown()) }) })
    expect(build(of, { channel_id: '1', members: [{ id: '2' }] }).body).toBe('[{"id":"2"}]')
  })

  it('encodes a form body', () => {
    const of = writeRow({ encoding: 'form', args: z.strictObject({ channel_id: z.string(), code: z.string(), n: z.array(z.string()) }) })
    const request = build(of, { channel_id: '1', code: 'a+b&c', n: ['1', '2'] })
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(request.body).toBe('code=a%2Bb%26c&n=1&n=2')
  })

  it('sends the reason for the audit log percent-encoded in its header, never in body or query', () => {
    const reasoned = (over: object) => ({ reasonArgument: 'audit_log_reason', ...over })
    const write = writeRow(
      reasoned({ args: z.strictObject({ channel_id: z.string(), content: z.string(), audit_log_reason: z.string() }) }),
    )
    const request = build(write, { channel_id: '1', content: 'x', audit_log_reason: 'Über\r\nX-Other: 1 %' })
    expect(request.headers['x-audit-log-reason']).toBe('%C3%9Cber%0D%0AX-Other%3A%201%20%25')
    expect(request.body).toBe('{"content":"x"}')
    expect(build(write, { channel_id: '1', content: 'x' }).headers).not.toHaveProperty('x-audit-log-reason')
    const args = z.strictObject({ channel_id: z.string(), audit_log_reason: z.string() })
    const remove = writeRow(reasoned({ method: 'DELETE', hasBody: false, args }))
    const bare = build(remove, { channel_id: '1', audit_log_reason: 'x' })
    expect(bare).not.toHaveProperty('body')
    expect(bare.url).toBe(`${BASE}/channels/1/things`)
    expect(() => build(remove, { channel_id: '1', audit_log_reason: '\ud800' })).toThrow(
      expect.objectContaining({ error: 'INVALID_PAYLOAD', detail: { path: 'audit_log_reason' } }) as Error,
    )
  })

  it('has the authorization scheme of the token kind, and always the user agent', { tags: ['5-11', '5-13', '1-12'] }, () => {
    expect(build(row(), { channel_id: '1' }, user).headers.authorization).toBe('Bearer user-token')
    expect(build(row(), { channel_id: '1' }, bot).headers.authorization).toBe('Bot bot-token')
    expect(build(row(), { channel_id: '1' }).headers).toEqual({ 'user-agent': 'Agent (x, 1)', accept: 'application/json' })
  })

  it('does not leak the token of one call to another', () => {
    const builder = requestBuilder(row(), BASE, 'a')
    builder({ channel_id: '1' }, user)
    expect(builder({ channel_id: '1' }, undefined).headers).not.toHaveProperty('authorization')
  })
})
