import { LIMITS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { IdentifyLimit } from '../../../../../daemon/src/platform/gateway/identify-limit.ts'

const SPACING_MS = LIMITS.gatewayIdentifySpacingMs.value
const DAY_MS = LIMITS.gatewayIdentifiesMs.value
const NOW = Date.UTC(2026, 0, 1)

test('leaves time between two sessions', () => {
  const limit = new IdentifyLimit()
  expect(limit.inMs(NOW)).toBe(0)
  limit.note(NOW)
  expect([limit.inMs(NOW), limit.inMs(NOW + SPACING_MS - 1), limit.inMs(NOW + SPACING_MS)]).toEqual([SPACING_MS, 1, 0])
})

test('allows so many in a day that others may begin some too', () => {
  const limit = new IdentifyLimit()
  const most = LIMITS.gatewayIdentifies.value * 0.9
  for (let count = 0; count < most; count++) limit.note(NOW + count)
  expect([limit.inMs(NOW + DAY_MS - 1), limit.inMs(NOW + DAY_MS)]).toEqual([undefined, 0])
})

test('counts nothing that lies in the future after the clock was set back', () => {
  const limit = new IdentifyLimit()
  limit.note(NOW)
  expect(limit.inMs(NOW - 3_600_000)).toBe(0)
})

test('is worth keeping for a day after it was used last', () => {
  const limit = new IdentifyLimit()
  expect(limit.isUnused(NOW)).toBe(true)
  limit.note(NOW)
  expect([limit.isUnused(NOW + DAY_MS - 1), limit.isUnused(NOW + DAY_MS)]).toEqual([false, true])
})
