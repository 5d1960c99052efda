import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { type HeldImage, holdImage, keptFacts } from '#daemon/src/identity/kept-facts.ts'
import type { ProgramFacts } from '#daemon/src/identity/program.ts'

const PID = 7
const COMMAND_LINE: ProgramFacts = { uid: 1000, kind: 'script', executable: '/opt/sallyport.cjs', file: '1:2:3:4:5', session: 'tty:1:1:' }

/** A process that hides, runs another program and leaves its session as the test says. */
function world(facts: ProgramFacts = COMMAND_LINE) {
  const state = { isHidden: false, image: 1, session: facts.session ?? '', held: 0 }
  const hold = (): HeldImage => {
    const { image } = state
    state.held++
    return { isInUse: () => state.image === image, release: () => void state.held-- }
  }
  const open = keptFacts({
    read() {
      if (state.isHidden) throw new Error('EACCES')
      return facts
    },
    sessionOf: () => state.session,
    hold,
  })
  return { state, open }
}

test('a command line that hides after it was read keeps its facts', () => {
  const { state, open } = world()
  const facts = open()
  expect(facts.of(PID)).toBe(COMMAND_LINE)
  expect(facts.isHidden()).toBe(false)
  state.isHidden = true
  expect(facts.of(PID)).toEqual(COMMAND_LINE)
  expect(facts.isHidden()).toBe(true)
})
test('its session is read again', () => {
  const { state, open } = world()
  const facts = open()
  facts.of(PID)
  Object.assign(state, { isHidden: true, session: 'by:["/games/evil"]' })
  expect(facts.of(PID)).toMatchObject({ session: 'by:["/games/evil"]' })
})
test('one that hides from the start has none', () => {
  const { state, open } = world()
  state.isHidden = true
  expect(() => open().of(PID)).toThrow('was not known')
})
test('one that exited, or runs another program that hides, has none', () => {
  const { state, open } = world()
  const facts = open()
  facts.of(PID)
  Object.assign(state, { isHidden: true, image: 2 })
  expect(() => facts.of(PID)).toThrow('was not known')
  expect(() => open().of(PID)).toThrow('was not known')
  expect(facts.isHidden()).toBe(false)
})
test.each<[string, ProgramFacts]>([
  ['a game', { kind: 'native', executable: '/games/one', file: '1:2:3:4:5' }],
  ['a container', { ...COMMAND_LINE, kind: 'container', container: 'other' }],
  ['an unknown program', { ...COMMAND_LINE, kind: 'unknown' }],
])('%s that hides has none, and nothing is held of it', (_, given) => {
  const { state, open } = world(given)
  const facts = open()
  facts.of(PID)
  expect(state.held).toBe(0)
  state.isHidden = true
  expect(() => facts.of(PID)).toThrow('was not known')
})
test('later connections of the process share what is held, until the last one ends', () => {
  const { state, open } = world()
  const [first, second, third] = [open(), open(), open()]
  first.of(PID)
  state.isHidden = true
  expect(second.of(PID)).toEqual(COMMAND_LINE)
  expect(second.of(PID)).toEqual(COMMAND_LINE)
  expect(state.held).toBe(1)
  first.release()
  expect(third.of(PID)).toEqual(COMMAND_LINE)
  second.release()
  third.release()
  expect(state.held).toBe(0)
  expect(() => open().of(PID)).toThrow('was not known')
})
test('another process with the same id takes the place of the one before, which is released too', () => {
  const { state, open } = world()
  const [first, second] = [open(), open()]
  first.of(PID)
  state.image = 2
  second.of(PID)
  expect(state.held).toBe(2)
  first.release()
  state.isHidden = true
  expect(second.of(PID)).toEqual(COMMAND_LINE)
  second.release()
  expect(state.held).toBe(0)
})

describe.skipIf(process.platform !== 'linux')('the memory of a process, on Linux', () => {
  test.each([
    ['runs another program', 'exec cat'],
    ['exits', 'exit'],
  ])('is in use until the process %s', async (_, line) => {
    const child = spawn('sh', ['-c', `echo; read _; ${line}`], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const image = holdImage(child.pid ?? 0)
    try {
      expect(image.isInUse()).toBe(true)
      child.stdin.write('\n')
      await vi.waitFor(() => expect(image.isInUse()).toBe(false), SOON)
    } finally {
      image.release()
      child.kill()
      await ended(child)
    }
  })
})
