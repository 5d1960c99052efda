/** Rate limits as pure counting. */
import { expect, it } from 'vitest'
import { RateLimits } from '@sallyport/sandbox/rate-limits'
import { Strictness } from '@sallyport/sandbox/strict/strictness'
import { ManualClock } from './harness.ts'

const rateLimits = () => new RateLimits(new ManualClock(), new Strictness('relaxed'))

const charge = (change: Partial<{ method: string; path: string; major: string; caller: string }> = {}) => ({
  method: 'GET',
  path: '/a',
  major: '',
  caller: 'ada',
  ...change,
})

it('counts per route, major parameter and caller', () => {
  const limits = rateLimits()
  limits.set({ scope: 'user', limit: 1, windowMs: 1_000 })
  expect(limits.consume(charge()).refusal).toBeUndefined()
  expect(limits.consume(charge()).refusal?.status).toBe(429)
  for (const other of [{ method: 'PUT' }, { path: '/b' }, { major: '1' }, { caller: 'grace' }])
    expect(limits.consume(charge(other)).refusal).toBeUndefined()
})

it('names buckets by route alone', () => {
  const limits = rateLimits()
  const bucket = (change: object) => limits.consume(charge(change)).headers['x-ratelimit-bucket']
  expect(bucket({ major: '1', caller: 'x' })).toBe(bucket({ major: '2', caller: 'y' }))
  expect(bucket({ path: '/b' })).not.toBe(bucket({ path: '/a' }))
})

it('counts all callers together when shared', () => {
  const limits = rateLimits()
  limits.set({ path: '/a', scope: 'shared', limit: 1, windowMs: 1_000 })
  limits.consume(charge())
  expect(limits.consume(charge({ caller: 'grace' })).refusal?.headers).toMatchObject({ 'x-ratelimit-scope': 'shared' })
})

it('counts a caller over all routes when global, and says so', () => {
  const limits = rateLimits()
  limits.set({ scope: 'global', limit: 2, windowMs: 4_000 })
  limits.consume(charge())
  limits.consume(charge({ path: '/b' }))
  const refused = limits.consume(charge({ path: '/c' })).refusal
  expect(refused?.headers).toMatchObject({ 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global', 'retry-after': '4' })
  expect(JSON.parse(String(refused?.body))).toMatchObject({ global: true, retry_after: 4 })
  expect(limits.consume(charge({ caller: 'grace' })).refusal).toBeUndefined()
})

it('lets the newest rule for the same requests stand', () => {
  const limits = rateLimits()
  limits.set({ path: '/a', scope: 'user', limit: 0, windowMs: 1_000 })
  limits.set({ path: '/a', scope: 'user', limit: 5, windowMs: 1_000 })
  expect(limits.rules).toHaveLength(1)
  expect(limits.consume(charge()).headers['x-ratelimit-remaining']).toBe('4')
})
