import { BridgeError } from '@sallyport/core/errors'
import { describe, expect, test } from 'vitest'
import { frame, OP } from '#test/support/frames.ts'
import { afterReady, call, turn } from './harness.ts'

describe('the meter', () => {
  const metered = (answer: Parameters<typeof afterReady>[0]) => {
    const made = afterReady(answer)
    made.answered.length = 0
    made.clock.advance(3)
    return made
  }

  test('gets each call once, by command and code: with the end of the read, or with its beginning if the answer came later', async () => {
    const made = metered(({ args }) => {
      if (args === 'refuse') throw new BridgeError('INVALID_USER', 'No.')
      if (args === 'late') return Promise.resolve(1)
      if (args === 'fail') return Promise.reject(new Error('a bug'))
      if (args === 'large') return 'x'.repeat(70_000)
      return null
    })
    made.give(call('1'), call('2', 'refuse'), call('3', 'late'), call('4', 'fail'), call('5', 'large'), frame(OP.FRAME, []))
    made.clock.advance(4)
    await turn()
    made.give(call('6'))
    const read = { cmd: 'ECHO', startedAt: undefined }
    expect(made.answered).toEqual([
      { ...read, code: undefined },
      { ...read, code: 4010 },
      { ...read, code: 6000 },
      { cmd: 'DISPATCH', startedAt: undefined, code: 4000 },
      { readSince: 3000 },
      { cmd: 'ECHO', startedAt: 3000, code: undefined },
      { cmd: 'ECHO', startedAt: 3000, code: 1000 },
      { ...read, code: undefined },
      { readSince: 7000 },
    ])
  })
  test('gets the end of a read that ended the connection', () => {
    const made = metered(() => null)
    made.give(call('1'), frame(99, {}))
    expect(made.answered).toEqual([{ cmd: 'ECHO', startedAt: undefined, code: undefined }, { readSince: 3000 }])
  })
  test('gets no call of a game that left before the response', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const made = metered(() => promise)
    made.give(call('1'))
    made.stream.onClose()
    resolve()
    await turn()
    expect(made.answered).toEqual([{ readSince: 3000 }])
  })
})
