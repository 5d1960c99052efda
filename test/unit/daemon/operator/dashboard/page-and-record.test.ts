/** The page has what the daemon recorded: a thousand random calls and events, over the stream, in the list. */
import type { TraceBatch } from '@sallyport/core/dashboard-messages'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { TraceList } from '#daemon/src/operator/dashboard/page/trace-list.ts'
import { TraceStreams } from '#daemon/src/operator/dashboard/trace-streams.ts'
import type { CallSource } from '#daemon/src/ipc/connection/call-watcher.ts'
import type { Envelope } from '#daemon/src/ipc/connection/envelope.ts'
import { CallRecords } from '#daemon/src/rpc/call-records.ts'
import { NO_FIGURES } from '#test/support/dashboard.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { seededRandom } from '#test/e2e/support/seeded-random.ts'

const CALLS = 1000
const EVERYTHING = { applicationId: undefined, all: true } as const
const COMMANDS = ['GET_GUILD', 'SET_ACTIVITY', 'NO_SUCH_COMMAND', 'GET_CURRENT_USER_GUILDS'] as const

/** A page that reads at once. */
class Page extends EventEmitter {
  readonly writableNeedDrain = false
  readonly list = new TraceList()

  write(text: string): void {
    const [, data] = /^event: traces\ndata: (.*)\n\n$/.exec(text) ?? []
    if (data !== undefined) this.list.add(JSON.parse(data) as TraceBatch)
  }
}

test('a thousand random calls are on the page as the daemon recorded them', async () => {
  const random = seededRandom(31)
  const pick = (below: number): number => Math.floor(random() * below)
  const clock = new FakeClock()
  const records = new CallRecords(
    clock,
    (connection) => (connection % 3 === 0 ? undefined : String(connection % 3)),
    { watcher: undefined },
    1,
  )
  const page = new Page()
  const streams = new TraceStreams({ clock, traces: records, figures: () => NO_FIGURES, onUnwatched: () => {} })
  void streams.add(page as unknown as ServerResponse)
  await expect.poll(() => records.watcher).toBeDefined()
  const open: (() => void)[] = []
  for (let sequence = 1; sequence <= CALLS; sequence++) {
    const from: CallSource = { id: 1 + pick(5), peer: { trust: 'kernel', pid: 100 + pick(5) } }
    const cmd = COMMANDS[pick(COMMANDS.length)] ?? 'GET_GUILD'
    const args = { guild_id: String(pick(1e6)), secrets: { join: 'planted-secret' }, text: 'x'.repeat(pick(100)) }
    const envelope = { cmd, nonce: String(sequence), args, evt: undefined, sequence } as unknown as Envelope
    records.watcher?.began(from, envelope, pick(1000))
    open.push(() => {
      if (pick(3) === 0) records.failed(from, envelope, { code: 4006, message: `Failed ${sequence}.` }, pick(500))
      else records.watcher?.answered(from, envelope, { id: pick(1e6), token: 'planted-secret' }, pick(500))
    })
    // Several are open at a time, and end in another order.
    while (open.length > pick(8)) open.splice(pick(open.length), 1)[0]?.()
    clock.advance(1 + pick(5))
  }
  for (const end of open) end()
  clock.advance(1000)
  const recorded = records.newest(EVERYTHING, Number.POSITIVE_INFINITY).calls
  expect([recorded.length, page.list.leftOut]).toEqual([CALLS, 0])
  const shown = new Map(page.list.rows.map((row) => [row.id, row]))
  for (const call of recorded) {
    const row = shown.get(call.id)
    expect(row?.trace).toEqual({ call: JSON.parse(JSON.stringify(call)) })
    expect(row).toMatchObject({ name: call.cmd, at: call.at, ms: call.ms, result: call.result })
  }
  expect(JSON.stringify(page.list.rows)).not.toContain('planted-secret')
  page.emit('close')
})
