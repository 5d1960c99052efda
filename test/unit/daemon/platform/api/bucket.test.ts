import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  block,
  type Bucket,
  estimateMs,
  releaseUnanswered,
  isIdle,
  update,
  newBucket,
  take,
  waitMs,
} from '#daemon/src/platform/api/bucket.ts'

/** Calls at once while the platform's limit is unknown. */
const PROBES = 8
const T = 1_700_000_000_000
const window = (limit: number, remaining: number, resetAfterMs: number, endsAtMs = T + resetAfterMs) => ({
  limit,
  remaining,
  resetAfterMs,
  endsAtMs,
})
const back = (bucket: Bucket, ...[reading, now]: Parameters<typeof update> extends [Bucket, ...infer Rest] ? Rest : never) => {
  bucket.inFlight -= 1
  update(bucket, reading, now)
}

describe('a bucket', () => {
  it('allows a few concurrent calls before the first reply, then waits for it', () => {
    const bucket = newBucket()
    for (let index = 0; index < PROBES; index += 1) {
      expect(waitMs(bucket, T)).toBe(0)
      take(bucket)
    }
    expect(waitMs(bucket, T)).toBe(Infinity)
  })

  it('does not limit a route whose replies have no limit', () => {
    const bucket = newBucket()
    take(bucket)
    back(bucket, undefined, T)
    for (let index = 0; index < 10_000; index += 1) take(bucket)
    expect(waitMs(bucket, T)).toBe(0)
  })

  it('allows the remaining calls, then waits for the reset', () => {
    const bucket = newBucket()
    take(bucket)
    back(bucket, window(3, 2, 5000), T)
    take(bucket)
    expect(waitMs(bucket, T)).toBe(0)
    take(bucket)
    expect(waitMs(bucket, T + 1000)).toBe(4000)
    // Both are still in flight at the reset, and may count in the next window.
    expect(waitMs(bucket, T + 5000)).toBe(0)
    take(bucket)
    expect(waitMs(bucket, T + 5000)).toBe(Infinity)
  })

  it('uses the lowest remaining value of a window, in any order of the replies', () => {
    const bucket = newBucket()
    for (let index = 0; index < 3; index += 1) take(bucket)
    back(bucket, window(5, 2, 5000), T)
    back(bucket, window(5, 4, 5000), T)
    back(bucket, window(5, 3, 5000), T)
    expect(waitMs(bucket, T)).toBe(0)
    take(bucket)
    take(bucket)
    expect(waitMs(bucket, T)).toBe(5000)
  })

  it('ignores a late reply of an earlier window', () => {
    const bucket = newBucket()
    take(bucket)
    take(bucket)
    back(bucket, window(5, 4, 5000, T + 10_000), T + 5000)
    back(bucket, window(5, 0, 100, T + 5000), T + 5001)
    expect(waitMs(bucket, T + 5001)).toBe(0)
  })

  it('counts a failed call as used', () => {
    const bucket = newBucket()
    take(bucket)
    back(bucket, window(2, 1, 5000), T)
    take(bucket)
    releaseUnanswered(bucket)
    expect(waitMs(bucket, T)).toBe(5000)
  })

  it('stays blocked after a 429 until the given time', () => {
    const bucket = newBucket()
    take(bucket)
    back(bucket, undefined, T)
    block(bucket, { retryAfterMs: 700, scope: 'user' }, T)
    expect(waitMs(bucket, T + 600)).toBe(100)
    expect(waitMs(bucket, T + 700)).toBe(0)
    expect(isIdle(bucket, T + 600)).toBe(false)
    expect(isIdle(bucket, T + 700)).toBe(true)
  })

  it('estimates the number of windows before a queue position', () => {
    const bucket = newBucket()
    take(bucket)
    back(bucket, window(5, 0, 5000), T)
    expect(estimateMs(bucket, 0, T)).toBe(5000)
    expect(estimateMs(bucket, 4, T)).toBe(5000)
    expect(estimateMs(bucket, 5, T)).toBe(10_000)
    expect(estimateMs(bucket, 12, T + 1000)).toBe(14_000)
  })

  it('never exceeds a fixed-window limit by more than the probes, and always progresses', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 5, maxLength: 80 }),
        (limit, latencies) => {
          const bucket = newBucket()
          const WINDOW = 2000
          let now = T
          let [windowEnd, used, refused, done] = [0, 0, 0, 0]
          let inFlight: { at: number; reading: ReturnType<typeof window> }[] = []
          for (let steps = 0; done < 200; steps += 1) {
            if (steps > 20_000) throw new Error('stuck')
            const wait = waitMs(bucket, now)
            if (wait === 0) {
              take(bucket)
              if (now >= windowEnd) [windowEnd, used] = [now + WINDOW, 0]
              used += 1
              if (used > limit) refused += 1
              const latency = latencies[done % latencies.length] ?? 1
              done += 1
              inFlight.push({ at: now + latency, reading: window(limit, Math.max(0, limit - used), windowEnd - now, windowEnd) })
              continue
            }
            const next = Math.min(now + wait, ...inFlight.map(({ at }) => at))
            expect(next).toBeLessThan(Infinity)
            now = Math.max(next, now)
            for (const { reading } of inFlight.filter(({ at }) => at <= now)) back(bucket, reading, now)
            inFlight = inFlight.filter(({ at }) => at > now)
          }
          expect(refused).toBeLessThanOrEqual(PROBES)
        },
      ),
      { numRuns: 60, seed: 7 },
    )
  })
})
