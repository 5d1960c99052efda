import { BUDGETS } from '@sallyport/core/budgets'
import { expect, test } from 'vitest'
import { IdentifyThrottle } from '#daemon/src/platform/gateway/identify-throttle.ts'

const SPACING_MS = BUDGETS.gatewayIdentifySpacingMs.value
const DAY_MS = BUDGETS.gatewaySessionStartsMs.value
const NOW = Date.UTC(2026, 0, 1)

test('enforces a minimum interval between sessions', () => {
  const throttle = new IdentifyThrottle()
  expect(throttle.msUntilAllowed(NOW)).toBe(0)
  throttle.record(NOW)
  expect([throttle.msUntilAllowed(NOW), throttle.msUntilAllowed(NOW + SPACING_MS - 1), throttle.msUntilAllowed(NOW + SPACING_MS)]).toEqual([
    SPACING_MS,
    1,
    0,
  ])
})

test('leaves a part of the daily throttle to other programs', () => {
  const throttle = new IdentifyThrottle()
  const most = BUDGETS.gatewaySessionStarts.value * 0.9
  for (let count = 0; count < most; count++) throttle.record(NOW + count)
  expect([throttle.msUntilAllowed(NOW + DAY_MS - 1), throttle.msUntilAllowed(NOW + DAY_MS)]).toEqual([undefined, 0])
})

test('ignores future starts after the clock was set back', () => {
  const throttle = new IdentifyThrottle()
  throttle.record(NOW)
  expect(throttle.msUntilAllowed(NOW - 3_600_000)).toBe(0)
})

test('is unused a day after the last start', () => {
  const throttle = new IdentifyThrottle()
  expect(throttle.isUnused(NOW)).toBe(true)
  throttle.record(NOW)
  expect([throttle.isUnused(NOW + DAY_MS - 1), throttle.isUnused(NOW + DAY_MS)]).toEqual([false, true])
})
