/** Which events the page shows with a call, and which calls with an event. */
import type { CallTrace, EventTrace } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { TraceList } from '#daemon/src/operator/dashboard/page/trace-list.ts'
import { relatedTo } from '#daemon/src/operator/dashboard/page/trace-pairs.ts'

const call = (id: string, at: number, more: Partial<CallTrace> = {}): CallTrace => ({
  id,
  kept: 'whole',
  at,
  connection: Number(id[1]),
  cmd: 'GET_GUILD',
  result: 'success',
  ms: 5,
  ...more,
})
const subscribe = (id: string, at: number, args: object, cmd = 'SUBSCRIBE') =>
  call(id, at, { cmd, request: { cmd, evt: 'LOBBY_MESSAGE', args } })
const event = (number: number, at: number, args: object, ...connections: readonly number[]): EventTrace => ({
  id: `e${number}`,
  at,
  event: 'LOBBY_MESSAGE',
  args,
  origin: 'bridge',
  delivered: connections.length,
  to: connections.map((connection) => ({ connection })),
  withheld: [],
})

function relatedIn(calls: readonly CallTrace[], events: readonly EventTrace[]) {
  const list = new TraceList()
  list.add({ calls, events, left_out: 0 })
  return (id: string) => {
    const row = list.rows.find((one) => one.id === id)
    if (row === undefined) throw new Error(`there is no row ${id}`)
    return relatedTo(row, list.rows).map(({ title, rows }) => [title, ...rows.map((one) => one.id)])
  }
}

const BROUGHT = 'Events that this subscription brought'
const WENT = 'Subscriptions that it went to'
const RAN = 'Calls that ran when it came'

test('a subscription has the events that it brought to its connection, until it ended; and each event its subscriptions', () => {
  const related = relatedIn(
    [
      subscribe('c1-1', 0, { lobby_id: '1', other: null }),
      subscribe('c2-1', 0, {}),
      subscribe('c3-1', 0, { lobby_id: '2' }),
      subscribe('c1-2', 2000, { lobby_id: '1' }, 'UNSUBSCRIBE'),
    ],
    [event(1, 1000, { lobby_id: '1' }, 1, 2), event(2, 1500, { lobby_id: '2' }, 2, 3), event(3, 4000, { lobby_id: '1' }, 1, 2)],
  )
  expect(related('c1-1')).toEqual([[BROUGHT, 'e1']])
  expect(related('c2-1')).toEqual([[BROUGHT, 'e3', 'e2', 'e1']])
  expect(related('e2')).toEqual([[WENT, 'c3-1', 'c2-1']])
})

test('a refused subscription and one whose event went to others have none', () => {
  const related = relatedIn([{ ...subscribe('c1-1', 0, {}), result: 'error' }, subscribe('c2-1', 0, {})], [event(1, 1000, {}, 3)])
  expect([related('c1-1'), related('c2-1'), related('e1')]).toEqual([[], [], []])
})

test('any other call has the events that came while it ran, or soon after, and the reverse', () => {
  const related = relatedIn([call('c1-1', 100), call('c2-1', 900)], [event(1, 102, {}, 2), event(2, 300, {}, 2), event(3, 899, {}, 2)])
  expect(related('c1-1')).toEqual([['Events that came while it ran, or soon after', 'e2', 'e1']])
  expect(related('e1')).toEqual([[RAN, 'c1-1']])
  expect(related('e3')).toEqual([])
})
