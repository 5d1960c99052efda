/** What a page of calls is sent, how often, and what is left out. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { CallTrace } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { type TraceSource, TraceStreams } from '#daemon/src/operator/dashboard/trace-streams.ts'
import { NO_FIGURES } from '#test/support/dashboard.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'

type Listener = Parameters<TraceSource['follow']>[0]

const call = (sequence: number): CallTrace => ({
  id: `c1-${sequence}`,
  kept: 'whole',
  at: sequence,
  connection: 1,
  cmd: 'GET_GUILD',
  result: 'success',
})

/** A page that reads, or does not. */
class Page extends EventEmitter {
  writableNeedDrain = false
  figures = 0
  readonly sent: { calls: { id: string }[]; left_out: number }[] = []

  write(text: string): void {
    if (text.startsWith('event: figures\n')) return void this.figures++
    const [, data = ''] = /^event: traces\ndata: (.*)\n\n$/.exec(text) ?? []
    this.sent.push(JSON.parse(data) as Page['sent'][number])
  }
}

async function open() {
  const clock = new FakeClock()
  const listeners = new Set<Listener>()
  const unwatched = { count: 0 }
  const streams = new TraceStreams({
    clock,
    traces: {
      follow: async (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      newest: () => ({ calls: [call(2), call(1)], events: [] }),
    },
    figures: () => NO_FIGURES,
    onUnwatched: () => unwatched.count++,
  })
  const page = new Page()
  const ended = streams.add(page as unknown as ServerResponse)
  await settled()
  const make = (...sequences: readonly number[]) => {
    for (const sequence of sequences) for (const listener of listeners) listener.onCall(call(sequence))
  }
  return { clock, streams, page, ended, make, listeners, unwatched }
}
const idsOf = ({ calls }: Page['sent'][number]) => calls.map(({ id }) => id)

test('what is kept comes at once, oldest first, and later calls together', async () => {
  const { clock, page, make } = await open()
  expect(page.sent.map(idsOf)).toEqual([['c1-1', 'c1-2']])
  make(3, 4)
  expect(page.sent).toHaveLength(1)
  clock.advance(100)
  expect(page.sent.slice(1).map(idsOf)).toEqual([['c1-3', 'c1-4']])
  clock.advance(1000)
  expect(page.sent).toHaveLength(2)
})

test('more than a thousand a second are left out and counted, and so is all while the page does not read', async () => {
  const { clock, page, make } = await open()
  make(...Array.from({ length: 130 }, (_, sequence) => sequence))
  clock.advance(100)
  expect(page.sent[1]).toMatchObject({ left_out: 30, calls: { length: 100 } })
  page.writableNeedDrain = true
  make(1, 2, 3)
  page.writableNeedDrain = false
  clock.advance(100)
  expect(page.sent[2]).toEqual({ calls: [], events: [], left_out: 3 })
})

test('figures come at once and every second, and not to a page that does not read', async () => {
  const { clock, page } = await open()
  expect(page.figures).toBe(1)
  clock.advance(1000)
  page.writableNeedDrain = true
  clock.advance(1000)
  page.writableNeedDrain = false
  clock.advance(1000)
  expect(page.figures).toBe(3)
})

test('nothing is traced for a page that has left', async () => {
  const { clock, page, ended, make, listeners, unwatched } = await open()
  make(3)
  expect(unwatched.count).toBe(0)
  page.emit('close')
  await ended
  expect([listeners.size, clock.pending, unwatched.count]).toEqual([0, 0, 1])
})

test('a fifth page is refused', async () => {
  const { streams } = await open()
  for (let count = 1; count < 4; count++) void streams.add(new Page() as unknown as ServerResponse)
  expect(streams.isFull).toBe(true)
})
