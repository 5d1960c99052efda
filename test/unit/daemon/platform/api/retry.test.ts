import { describe, expect, it } from 'vitest'
import { HttpFailure } from '../../../../../daemon/src/platform/api/http-failure.ts'
import { isRepeatable, MAX_ATTEMPTS, retryDelayMs } from '../../../../../daemon/src/platform/api/retry.ts'
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
  it('takes a keyed call for repeatable only with its nonce enforced', () => {
    const keyed = row({ idempotency: 'keyed' })
    expect(isRepeatable(keyed, { nonce: '1', enforce_nonce: true })).toBe(true)
    expect(isRepeatable(keyed, { nonce: '1' })).toBe(false)
    expect(isRepeatable(keyed, { enforce_nonce: true })).toBe(false)
  })
})

describe('retryDelayMs', () => {
  it.each([502, 503, 504])('repeats after %i what is repeatable, nothing else', (status) => {
    expect(onReply(status, true)).toBe(200)
    expect(onReply(status, false)).toBeUndefined()
  })
  it.each([400, 401, 403, 404, 500, 501])('does not repeat after %i', (status) => {
    expect(onReply(status, true)).toBeUndefined()
  })
  it('repeats anything after 429, when its bucket says so', () => {
    expect(onReply(429, false)).toBe(0)
  })
  it('waits as long as a 503 asks', () => {
    expect(onReply(503, true, { 'retry-after': '3' })).toBe(3000)
  })
  it('repeats what is not repeatable only when it was provably not sent', () => {
    expect(onFailure(new HttpFailure('unreachable', false), false)).toBe(200)
    expect(onFailure(new HttpFailure('interrupted', true), false)).toBeUndefined()
    expect(onFailure(new Error('who knows'), false)).toBeUndefined()
    expect(onFailure(new HttpFailure('interrupted', true), true)).toBe(200)
  })
  it('never repeats what was given up or is too large', () => {
    expect(onFailure(new HttpFailure('aborted', false), true)).toBeUndefined()
    expect(onFailure(new HttpFailure('too-large', true), true)).toBeUndefined()
  })
  it('backs off further each time, spread by chance, and ends', () => {
    const at = (sendings: number, chance: number) => retryDelayMs({ kind: 'reply', reply: reply(502) }, true, sendings, chance, NOW)
    expect([at(1, 1), at(2, 1), at(3, 1)]).toEqual([200, 400, 800])
    expect(at(1, 0)).toBe(100)
    expect(at(MAX_ATTEMPTS, 1)).toBeUndefined()
  })
})
