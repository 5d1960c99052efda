/** The calls and events that the page of calls keeps. */
import type { CallTrace, EventTrace } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { stepsOf } from '#daemon/src/operator/dashboard/page/call-steps.ts'
import { applicationsOf, matching, MOST_BYTES, MOST_KEPT, MOST_ROWS, TraceList } from '#daemon/src/operator/dashboard/page/trace-list.ts'

const call = (sequence: number, more: Partial<CallTrace> = {}): CallTrace => ({
  id: `c1-${sequence}`,
  kept: 'whole',
  at: sequence,
  connection: 1,
  application_id: '42',
  cmd: 'GET_GUILD',
  result: 'success',
  ms: 1,
  ...more,
})
const event = (number: number): EventTrace => ({
  id: `e${number}`,
  at: number,
  event: 'LOBBY_MESSAGE',
  args: {},
  origin: 'bridge',
  delivered: 1,
  to: [{ connection: 1, application_id: '42' }],
  withheld: [{ connection: 2, application_id: '77', reason: 'copy' }],
})
const idsOf = (list: TraceList, filter = {}) =>
  matching(list.rows, { text: '', application: undefined, result: undefined, ...filter }).map(({ id }) => id)

test('calls and events stand in the order of their times, each once, also when the daemon sends them again', () => {
  const list = new TraceList()
  list.add({ calls: [call(1), call(3)], events: [event(2)], left_out: 4 })
  list.add({ calls: [call(3), call(4)], events: [event(2)], left_out: 1 })
  expect(idsOf(list)).toEqual(['c1-4', 'c1-3', 'e2', 'c1-1'])
  expect(list.leftOut).toBe(5)
  // Another daemon counts its connections from the start.
  list.add({ calls: [call(1, { at: 9 })], events: [], left_out: 0 })
  expect(idsOf(list)).toHaveLength(5)
})

test('are found by words, application and result', () => {
  const list = new TraceList()
  const failed = call(2, { result: 'error', application_id: '77', error: { code: 4006, message: 'Sign In First' } })
  list.add({ calls: [call(1), failed], events: [event(3)], left_out: 0 })
  expect(idsOf(list, { text: 'first  SIGN' })).toEqual(['c1-2'])
  expect(idsOf(list, { application: '77' })).toEqual(['e3', 'c1-2'])
  expect(idsOf(list, { result: 'event' })).toEqual(['e3'])
  expect(idsOf(list, { result: 'error', text: 'lobby' })).toEqual([])
  expect(applicationsOf(list.rows)).toEqual(['42', '77'])
})

test('are bounded in number and bytes; the oldest go first', () => {
  const list = new TraceList()
  list.add({ calls: Array.from({ length: MOST_ROWS + 10 }, (_, sequence) => call(sequence)), events: [], left_out: 0 })
  expect([list.rows.length, list.rows[0]?.id]).toEqual([MOST_ROWS, 'c1-10'])
  const large = 'x'.repeat(MOST_BYTES / 4)
  for (let sequence = 0; sequence < 5; sequence++)
    list.add({ calls: [call(100_000 + sequence, { request: large })], events: [], left_out: 0 })
  expect(list.rows.map(({ id }) => id)).toEqual(['c1-100002', 'c1-100003', 'c1-100004'])
  list.clear()
  list.add({ calls: [call(100_004)], events: [], left_out: 0 })
  expect(idsOf(list)).toEqual(['c1-100004'])
})

test('what the user keeps stays when the list is cleared or full, and is bounded too', () => {
  const list = new TraceList()
  list.add({ calls: [call(1), call(2)], events: [], left_out: 3 })
  const [first] = list.rows
  if (first === undefined) throw new Error('nothing was added')
  list.keep(first, true)
  list.clear()
  expect([idsOf(list), list.leftOut]).toEqual([['c1-1'], 0])
  list.add({ calls: Array.from({ length: MOST_ROWS + 1 }, (_, sequence) => call(10 + sequence)), events: [], left_out: 0 })
  expect([list.rows.length, list.rows[0]?.id, list.rows[1]?.id]).toEqual([MOST_ROWS, 'c1-1', 'c1-12'])
  for (const row of list.rows) list.keep(row, true)
  expect([list.rows.filter((row) => list.isKept(row)).length, list.canKeepMore]).toEqual([MOST_KEPT, false])
  for (const row of list.rows) list.keep(row, false)
  list.clear()
  expect(idsOf(list)).toEqual([])
})

test('the steps of a call stand in the order in which they began, below the whole', () => {
  const requests = [{ method: 'GET', path: '/guilds', status: 200, after_ms: 5, ms: 2 }]
  const waits = [{ on: 'a retry', after_ms: 2, ms: 3 }]
  expect(stepsOf(call(1, { requests, waits, ms: 8 })).map(({ kind, label, from, ms }) => [kind, label, from, ms])).toEqual([
    ['whole', 'Message to response', 0, 8],
    ['wait', 'Waited for a retry', 2, 3],
    ['http', 'GET /guilds: 200', 5, 2],
  ])
})
