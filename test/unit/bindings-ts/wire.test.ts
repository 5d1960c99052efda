/** The framing over a stream with a misbehaving peer. */
import { Duplex } from 'node:stream'
import { OPCODES } from '@sallyport/protocol/wire'
import { expect, test, vi } from 'vitest'
import { Wire } from '#bindings/ts/src/wire/wire.ts'
import { systemEnvironment } from '#bindings/ts/src/system-environment.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { jsonFrame } from './fake-server.ts'

test('a server that sends PING and does not read gets a limited number of PONG', () => {
  const stuck = new Duplex({ read() {}, write() {}, writableHighWaterMark: 4_096 })
  const ends: Error[] = []
  const wire = new Wire(stuck, new FakeClock(), { onFrame() {}, onEnd: (error) => ends.push(error) })
  const ping = jsonFrame(3, 'x'.repeat(1_000))
  for (let round = 0; round < 1_000; round += 1) stuck.emit('data', ping)
  expect(stuck.writableLength).toBeLessThan(8_192)
  expect(ends).toEqual([])
  void wire.end()
  expect(stuck.destroyed).toBe(true)
})

test('a server that does not read cannot delay the end', async () => {
  const clock = new FakeClock()
  const stuck = new Duplex({ read() {}, write() {} })
  const wire = new Wire(stuck, clock, { onFrame() {}, onEnd() {} })
  wire.send(OPCODES.FRAME, Buffer.from('{}'))
  let isOver = false
  const ended = wire.end().then(() => (isOver = true))
  clock.advance(999)
  await settled()
  expect(isOver).toBe(false)
  clock.advance(1)
  await ended
  expect([stuck.destroyed, clock.pending]).toEqual([true, 0])
})

test('an infinite delay does not fire at once', () => {
  vi.useFakeTimers()
  try {
    const due: number[] = []
    for (const ms of [Number.POSITIVE_INFINITY, 2 ** 31, 60_000]) systemEnvironment().clock.after(ms, () => due.push(ms))
    vi.advanceTimersByTime(3_600_000)
    expect(due).toEqual([60_000])
  } finally {
    vi.useRealTimers()
  }
})
