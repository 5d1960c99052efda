/** An SDK version outside its support window is warned in the log, and served like any other. */
import { expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

function greetedWith(sdk_version: unknown) {
  const bridge = testBridge({ clock: new FakeClock(Date.UTC(2026, 7, 1)) })
  const game = Game.connected(bridge, { sdk_version })
  return { game, said: bridge.log.lines.filter(({ event }) => event === 'sdk-unsupported') }
}

test('an old one is a warning that names it and the window, never a refusal', { tags: ['9.1-4'] }, () => {
  const { game, said } = greetedWith('1.5.12345')
  expect(said).toMatchObject([{ level: 'warn', fields: { sdk: '1.5.12345', supported: { oldest: 6, newest: 10 } } }])
  expect(game.call('SET_ACTIVITY', { pid: 1, activity: { details: 'Here' } })).toMatchObject({ evt: null })
})

test.each(['1.6.1', '1.10.18687', '1.99.0', 'dockside/0.1.0', 'text', 5, undefined])('%j is no cause for a warning', (version) => {
  expect(greetedWith(version).said).toEqual([])
})
