/** What the inspection of frames costs while an operator reads slowly, for all shapes of frames. Work is counted, not timed. */
import { blocksOf } from '#test/support/work.ts'
import { describe, expect, test } from 'vitest'
import { json } from '#daemon/src/ipc/codec/json.ts'
import type { Connection } from '#daemon/src/ipc/connection/connection.ts'
import { FrameInspector } from '#daemon/src/rpc/frame-inspector.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { OP } from '#test/support/frames.ts'

describe('the work of an inspection is linear in the bytes, for', () => {
  const KIB = 1024
  const CODE = ['/rpc/frame-inspector', '/core/src/redacted', '/core/src/secret', '/core/src/text-search']
  const GAME = { id: 1, peer: { trust: 'kernel', pid: 7 }, encoding: json } as unknown as Connection<Session>
  const times = <T>(count: number, make: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => make(index))
  const call = (args: unknown): string => JSON.stringify({ cmd: 'A', nonce: '1', args })

  /** Blocks that run while the frames come and the operator takes them. */
  function workOf(frames: readonly string[]): number {
    const inspector = new FrameInspector(
      new FakeClock(),
      () => '5',
      () => false,
    )
    for (const operator of [8, 9]) inspector.start(operator, { applicationId: undefined, commands: ['A', 'B'], direction: 'in' })
    return blocksOf(CODE, () => {
      for (const one of frames) inspector.watcher?.(GAME, 'in', OP.FRAME, Buffer.from(one))
      for (let reads = 0; reads < 64; reads += 1) void inspector.read(8, 0, 64 * KIB)
    })
  }

  test.each<[string, (bytes: number) => readonly string[]]>([
    ['tiny frames, of which the queue drops most', (bytes) => times(bytes / 32, () => '{"cmd":"A"}')],
    ['one frame with many keys', (bytes) => [call(Object.fromEntries(times(bytes / 16, (at) => [`key-${at}`, at])))]],
    ['one frame with many secrets', (bytes) => [call(times(bytes / 64, (at) => ({ token: `secret-${at}-secret`, text: `text-${at}` })))]],
    ['one long text', (bytes) => [call({ text: 'ab '.repeat(bytes / 3), token: 'abababababab' })]],
    ['one deep frame', (bytes) => [`{"cmd":"A","args":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`]],
    ['frames of no encoding', (bytes) => times(bytes / 1024, () => '{'.repeat(1000))],
    ['a large frame after small ones', (bytes) => [...times(bytes / 64, (at) => call(at)), call('x'.repeat(bytes))]],
  ])('%s', (_, ofSize) => {
    // V8 counts nothing within a function that it had compiled for speed, so the least of several ratios counts.
    const ratios = Array.from({ length: 3 }, () => {
      const [small = 0, large = 0] = [64, 1024].map((kib) => workOf(ofSize(kib * KIB)))
      expect(small).toBeGreaterThan(0)
      return large / small
    })
    // 16 times the bytes. Squares would be 256 times the work.
    expect(Math.min(...ratios)).toBeLessThan(48)
  })
})
