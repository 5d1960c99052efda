import { Signal } from '@sallyport/core/signal'
import { expect, test } from 'vitest'
import type { ConsentPrompt } from '#daemon/src/auth/consent/consent-prompts.ts'
import { untilIdle } from '#daemon/src/sessions/idle.ts'
import { LifecycleEvents } from '#daemon/src/sessions/lifecycle.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const MINUTE = 60_000

function watch(seconds: number | 'off') {
  const clock = new FakeClock()
  const lifecycle = new LifecycleEvents()
  const registry = { size: 0 }
  let open: readonly ConsentPrompt[] = []
  const changed = new Signal()
  let isIdle = false
  void untilIdle({ seconds, clock, registry, lifecycle, prompts: { pending: () => open, changed } }).then(() => {
    isIdle = true
  })
  return {
    games(count: number) {
      registry.size = count
      // The listener looks at the number only.
      lifecycle.emit('sessionChanged', {} as Session)
    },
    prompts(count: number) {
      // The number counts only.
      open = Array.from({ length: count }, () => ({}) as ConsentPrompt)
      changed.emit()
    },
    async after(minutesLater: number) {
      clock.advance(minutesLater * MINUTE)
      await Promise.resolve()
      return isIdle
    },
  }
}

test('ends after the minutes without a first game', async () => {
  const { after } = watch(3600)
  expect(await after(59)).toBe(false)
  expect(await after(1)).toBe(true)
})

test('counts from the last game on', async () => {
  const { games, after } = watch(3600)
  await after(30)
  games(1)
  games(2)
  expect(await after(600)).toBe(false)
  games(1)
  expect(await after(60)).toBe(false)
  games(0)
  expect(await after(59)).toBe(false)
  expect(await after(1)).toBe(true)
})

test('does not end while a prompt waits, also after its game has left', async () => {
  const { games, prompts, after } = watch(3600)
  games(1)
  prompts(1)
  games(0)
  expect(await after(600)).toBe(false)
  prompts(0)
  expect(await after(59)).toBe(false)
  expect(await after(1)).toBe(true)
})

test('never ends when it is off', async () => {
  expect(await watch('off').after(100_000)).toBe(false)
})
