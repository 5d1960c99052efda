import { describe, expect, test } from 'vitest'
import { QUIET_MS, Refusals, SILENT_MS } from '../../../../../daemon/src/auth/grants/refusals.ts'
import type { Program } from '../../../../../daemon/src/identity/program.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'

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
  test.each(SAME)('is quiet for a minute: %s', (_, over) => {
    const { clock, refusals } = start()
    const now = { ...GAME, ...over }
    expect(refusals.isQuiet(now)).toBe(false)
    refusals.note(GAME)
    clock.advance(QUIET_MS - 1)
    expect(refusals.isQuiet(now)).toBe(true)
    clock.advance(1)
    expect(refusals.isQuiet(now)).toBe(false)
  })
  test('three times is silent for an hour, in whatever shape each time', () => {
    const { clock, refusals } = start()
    const shapes = [GAME, { ...GAME, executable: '/elsewhere/two', file: '1:7:3:8:8' }, { ...GAME, file: '1:9:3:4:5' }]
    for (const shape of shapes) {
      expect(refusals.isQuiet(shape)).toBe(false)
      refusals.note(shape)
      clock.advance(QUIET_MS)
    }
    clock.advance(SILENT_MS - QUIET_MS - 1)
    expect(refusals.isQuiet(GAME)).toBe(true)
    clock.advance(1)
    expect(refusals.isQuiet(GAME)).toBe(false)
    refusals.note(GAME)
    clock.advance(QUIET_MS)
    expect(refusals.isQuiet(GAME), 'what is an hour old counts no more').toBe(false)
  })
  test('and allowed after that begins anew', () => {
    const { clock, refusals } = start()
    for (let time = 0; time < 2; time++) refusals.note(GAME)
    refusals.forget(GAME)
    refusals.note(GAME)
    clock.advance(QUIET_MS)
    expect(refusals.isQuiet(GAME)).toBe(false)
  })
  test('makes no other program quiet', () => {
    const { refusals } = start()
    refusals.note(GAME)
    const other: Program = { ...GAME, executable: '/games/two', file: '1:7:3:4:5', digest: 'cd'.repeat(32) }
    expect(refusals.isQuiet(other)).toBe(false)
    expect(refusals.isQuiet({ ...GAME, kind: 'page', executable: 'https://page.example', file: undefined, digest: undefined })).toBe(false)
  })
})

test('what the command line was refused for one who started it holds for nobody else', () => {
  const refusals = new Refusals(new FakeClock())
  const of = (session: string): Program => ({ kind: 'native', uid: 1, executable: '/usr/bin/sallyport', file: '1:2:3:4:5', session })
  refusals.note(of('by:["/games/evil"]'))
  expect(refusals.isQuiet(of('by:["/games/evil"]'))).toBe(true)
  expect(refusals.isQuiet(of('tty:1:1'))).toBe(false)
})
