/** The story of an event at a terminal; that of a call is checked with the real daemon (`e2e/trace`). */
import type { EventTrace } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { eventStoryOf, eventSummaryOf } from '#daemon/src/cli/trace-text.ts'

const AT = Date.UTC(2026, 0, 2, 12, 30, 7, 410)
const EVENT: EventTrace = {
  id: 'e5',
  at: AT,
  event: 'ACTIVITY_JOIN',
  args: {},
  origin: 'webhook',
  data: { secret: '[redacted]' },
  delivered: 7,
  to: Array.from({ length: 7 }, (_, at) => ({ connection: at + 1, application_id: '5' })),
  withheld: [{ connection: 9, reason: 'copy' }],
}

test('an event says who brought it, who got it, and why others did not', () => {
  expect(eventSummaryOf(EVENT)).toBe('12:30:07.410  e5  webhook  ACTIVITY_JOIN  to 7  not to 1')
  expect(eventStoryOf(EVENT)).toEqual([
    'event       e5 ACTIVITY_JOIN',
    'from        webhook',
    'came        12:30:07.410 UTC',
    'arguments   {}',
    'data        {"secret":"[redacted]"}',
    ...[1, 2, 3, 4, 5].map((connection) => `to          connection ${connection}, application 5`),
    'to          2 more',
    'not to      connection 9: dropped as a copy, because another origin had brought it',
  ])
})

test('an event without a subscriber, too large to keep', () => {
  const { data: _large, ...rest } = EVENT
  const story = eventStoryOf({ ...rest, delivered: 0, to: [], withheld: [] })
  expect(story).toContain('data        too large')
  expect(story.at(-1)).toBe('to          no game')
})
