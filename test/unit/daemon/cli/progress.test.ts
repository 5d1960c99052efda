/** A line that says what a command waits for: after a second, at a terminal only. */
import { expect, test } from 'vitest'
import { withProgress } from '#daemon/src/cli/progress.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

function start(hasTerminal = true) {
  const clock = new FakeClock()
  const lines: (string | undefined)[] = []
  const work = Promise.withResolvers<string>()
  const io = {
    after: (ms: number, action: () => void) => clock.after(ms, action),
    ...(hasTerminal ? { status: (text: string | undefined) => void lines.push(text) } : {}),
  }
  return { clock, lines, work, done: withProgress(io, 'Waiting for the bridge', () => work.promise) }
}

test('nothing is shown for a fast step', async () => {
  const { clock, lines, work, done } = start()
  clock.advance(999)
  work.resolve('done')
  expect(await done).toBe('done')
  expect(lines).toEqual([])
  expect(clock.pending).toBe(0)
})

test('seconds are counted, and the line goes when the step ends, also by a failure', async () => {
  const { clock, lines, work, done } = start()
  clock.advance(1000)
  clock.advance(1000)
  work.reject(new Error('failed'))
  await expect(done).rejects.toThrow('failed')
  expect(lines).toEqual(['Waiting for the bridge… 1 s', 'Waiting for the bridge… 2 s', undefined])
  expect(clock.pending).toBe(0)
})

test('without a terminal nothing is shown', async () => {
  const { clock, work, done } = start(false)
  expect(clock.pending).toBe(0)
  work.resolve('done')
  expect(await done).toBe('done')
})
