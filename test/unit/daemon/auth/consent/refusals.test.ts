import { describe, expect, test } from 'vitest'
import { Refusals } from '#daemon/src/auth/consent/prompt-limits.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const MUTE_MS = 60_000
const LONG_MUTE_MS = 3_600_000
const GAME: Program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4:5', digest: 'ab'.repeat(32) }

function start() {
  const clock = new FakeClock()
  return { clock, refusals: new Refusals(clock) }
}

describe('a program that was refused', () => {
  const SAME: readonly (readonly [string, Partial<Program>])[] = [
    ['as it is', {}],
    ['touched', { file: '1:2:3:9:9' }],
    ['renamed', { executable: '/elsewhere/two', file: '1:2:3:4:9' }],
    ['renamed, its content not read', { executable: '/elsewhere/two', file: '1:2:3:4:9', digest: undefined }],
    ['copied', { executable: '/elsewhere/two', file: '1:7:3:8:8' }],
    ['replaced in its place', { file: '1:7:8:8:8', digest: 'cd'.repeat(32) }],
  ]
  test.each(SAME)('is muted for a minute: %s', (_, over) => {
    const { clock, refusals } = start()
    const now = { ...GAME, ...over }
    expect(refusals.isMuted(now)).toBe(false)
    refusals.record(GAME)
    clock.advance(MUTE_MS - 1)
    expect(refusals.isMuted(now)).toBe(true)
    clock.advance(1)
    expect(refusals.isMuted(now)).toBe(false)
  })
  test('is muted no longer when the clock is set back', () => {
    const { clock, refusals } = start()
    refusals.record(GAME)
    clock.setBack(LONG_MUTE_MS)
    clock.advance(MUTE_MS)
    expect(refusals.isMuted(GAME)).toBe(false)
  })
  test('three times is muted for an hour, in any form each time', () => {
    const { clock, refusals } = start()
    const shapes = [GAME, { ...GAME, executable: '/elsewhere/two', file: '1:7:3:8:8' }, { ...GAME, file: '1:9:3:4:5' }]
    for (const shape of shapes) {
      expect(refusals.isMuted(shape)).toBe(false)
      refusals.record(shape)
      clock.advance(MUTE_MS)
    }
    clock.advance(LONG_MUTE_MS - MUTE_MS - 1)
    expect(refusals.isMuted(GAME)).toBe(true)
    clock.advance(1)
    expect(refusals.isMuted(GAME)).toBe(false)
    refusals.record(GAME)
    clock.advance(MUTE_MS)
    expect(refusals.isMuted(GAME), 'what is an hour old counts no more').toBe(false)
  })
  test('and allowed after that starts again', () => {
    const { clock, refusals } = start()
    for (let time = 0; time < 2; time++) refusals.record(GAME)
    refusals.clear(GAME)
    refusals.record(GAME)
    clock.advance(MUTE_MS)
    expect(refusals.isMuted(GAME)).toBe(false)
  })
  test('mutes no other program', () => {
    const { refusals } = start()
    refusals.record(GAME)
    const other: Program = { ...GAME, executable: '/games/two', file: '1:7:3:4:5', digest: 'cd'.repeat(32) }
    expect(refusals.isMuted(other)).toBe(false)
    expect(refusals.isMuted({ ...GAME, kind: 'page', executable: 'https://page.example', file: undefined, digest: undefined })).toBe(false)
  })
})

test('a refusal of the command line holds for one starter only', () => {
  const refusals = new Refusals(new FakeClock())
  const of = (session: string): Program => ({ kind: 'native', uid: 1, executable: '/usr/bin/sallyport', file: '1:2:3:4:5', session })
  refusals.record(of('by:["/games/evil"]'))
  expect(refusals.isMuted(of('by:["/games/evil"]'))).toBe(true)
  expect(refusals.isMuted(of('tty:1:1'))).toBe(false)
})
