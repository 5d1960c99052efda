import { ENDPOINTS, type EndpointRow } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import { isRepeatable, retryDelayMs } from '#daemon/src/platform/api/retry.ts'
import { reply } from './fake-platform.ts'
import { row } from './rows.ts'

const NOW = 1_700_000_000_000
const onReply = (status: number, repeatable: boolean, headers = {}) =>
  retryDelayMs({ kind: 'reply', reply: reply(status, {}, headers) }, repeatable, 1, 1, NOW)
const onFailure = (failure: unknown, repeatable: boolean) => retryDelayMs({ kind: 'failure', failure }, repeatable, 1, 1, NOW)

describe('isRepeatable', () => {
  it('follows the idempotency of the row', () => {
    expect(isRepeatable(row({ idempotency: 'safe' }), {})).toBe(true)
    expect(isRepeatable(row({ idempotency: 'natural' }), {})).toBe(true)
    expect(isRepeatable(row({ idempotency: 'none' }), { nonce: '1', enforce_nonce: true })).toBe(false)
  })
  it('treats a keyed call as repeatable only with an enforced nonce', { tags: ['4.1-rules-1'] }, () => {
    const keyed: EndpointRow = ENDPOINTS.CREATE_MESSAGE
    expect(isRepeatable(keyed, { nonce: '1', enforce_nonce: true })).toBe(true)
    expect(isRepeatable(keyed, { nonce: '1' })).toBe(false)
    expect(isRepeatable(keyed, { enforce_nonce: true })).toBe(false)
  })
})

describe('retryDelayMs', () => {
  it.each([502, 503, 504])('repeats only repeatable calls after %i', (status) => {
    expect(onReply(status, true)).toBe(200)
    expect(onReply(status, false)).toBeUndefined()
  })
  it.each([400, 401, 403, 404, 500, 501])('does not repeat after %i', (status) => {
    expect(onReply(status, true)).toBeUndefined()
  })
  it('repeats any call after 429, at the time of its bucket', () => {
    expect(onReply(429, false)).toBe(0)
  })
  it('waits for the Retry-After of a 503', () => {
    expect(onReply(503, true, { 'retry-after': '3' })).toBe(3000)
  })
  it('repeats other calls only if they were provably not sent', () => {
    expect(onFailure(new HttpFailure('unreachable', false), false)).toBe(200)
    expect(onFailure(new HttpFailure('interrupted', true), false)).toBeUndefined()
    expect(onFailure(new Error('who knows'), false)).toBeUndefined()
    expect(onFailure(new HttpFailure('interrupted', true), true)).toBe(200)
  })
  it('never repeats cancelled calls and oversized replies', () => {
    expect(onFailure(new HttpFailure('aborted', false), true)).toBeUndefined()
    expect(onFailure(new HttpFailure('too-large', true), true)).toBeUndefined()
  })
  it('backs off with jitter, and ends', () => {
    const at = (attempts: number, jitter: number) => retryDelayMs({ kind: 'reply', reply: reply(502) }, true, attempts, jitter, NOW)
    expect([at(1, 1), at(2, 1), at(3, 1)]).toEqual([200, 400, 800])
    expect(at(1, 0)).toBe(100)
    expect(at(4, 1)).toBeUndefined()
  })
})
