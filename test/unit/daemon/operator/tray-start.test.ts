/** When the bridge starts a tray. */
import { Signal } from '@sallyport/core/signal'
import { expect, test } from 'vitest'
import { startTrayForQuestions } from '#daemon/src/operator/tray-start.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

function world() {
  const clock = new FakeClock()
  const [prompts, pages] = [new Signal(), new Signal()]
  const now = { isWaiting: false, isShown: false, starts: 0 }
  startTrayForQuestions({
    clock,
    changed: [prompts, pages],
    isWaiting: () => now.isWaiting,
    isShown: () => now.isShown,
    start: () => void now.starts++,
  })
  return { clock, prompts, pages, now }
}

test('a tray is started for what waits, and not again before it can have connected', () => {
  const { clock, prompts, pages, now } = world()
  prompts.emit()
  expect(now.starts).toBe(0)
  now.isWaiting = true
  prompts.emit()
  pages.emit()
  clock.advance(29_999)
  prompts.emit()
  expect(now.starts).toBe(1)
  clock.advance(1)
  prompts.emit()
  expect(now.starts).toBe(2)
})

test('none is started while one shows what waits', () => {
  const { pages, now } = world()
  Object.assign(now, { isWaiting: true, isShown: true })
  pages.emit()
  expect(now.starts).toBe(0)
})
