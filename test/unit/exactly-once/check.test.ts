/** The judge of recorded histories: each broken promise is found, and what is allowed is not called broken. */
import { describe, expect, it } from 'vitest'
import { type History, judge, type Kill, type Operation, problemsOf } from '../../exactly-once/check.ts'

const ok = (id: string): Operation => ({ id, command: 'SEND', isSentAgain: false, end: 'ok' })
const unknown = (id: string, isSentAgain = false): Operation => ({ id, command: 'SEND', isSentAgain, end: 'unknown', reason: 'killed' })
const killUnder = (...open: readonly string[]): Kill => ({ victim: 'daemon', open })
const kills = (count: number, ...more: readonly Kill[]): readonly Kill[] => [...Array.from({ length: count }, () => killUnder()), ...more]

const problems = ({ operations = [], effects = new Map(), kills: killed = [] }: Partial<History>): readonly string[] =>
  problemsOf(judge({ operations, effects, kills: killed }), killed.length)

describe('a history', () => {
  it('is fine if each call took effect as its end says', () => {
    const operations: readonly Operation[] = [ok('a'), { ...ok('b'), end: 'failed', reason: 'no' }, unknown('c'), unknown('d')]
    const effects = new Map([
      ['a', 1],
      ['c', 1],
    ])
    const history = { operations, effects, kills: kills(38, killUnder('c'), killUnder('d', 'a')) }
    expect(problems(history)).toEqual([])
    expect(judge(history).unknown).toEqual([
      { id: 'c', command: 'SEND', reason: 'killed', tookEffect: true },
      { id: 'd', command: 'SEND', reason: 'killed', tookEffect: false },
    ])
    expect(judge(history).refused).toEqual(['no'])
  })

  it.each<readonly [string, Operation, number, string]>([
    ['twice', ok('a'), 2, 'took effect more than once: a'],
    ['twice with an unknown outcome', unknown('a'), 2, 'took effect more than once: a'],
    ['never', ok('a'), 0, 'ended well without an effect: a'],
    ['although it was refused', { ...ok('a'), end: 'failed' }, 1, 'were refused and took effect: a'],
    ['and did not end', { ...ok('a'), end: 'open' }, 1, 'never ended: a'],
  ])('is not fine if a call took effect %s', (_, operation, count, problem) => {
    expect(problems({ operations: [operation], effects: new Map([['a', count]]), kills: kills(20, killUnder('a')) })).toEqual([problem])
  })

  it('explains an unknown outcome by a kill of the daemon under that call only', () => {
    const unexplained = ['are unknown without a kill of the daemon between call and answer: a']
    expect(problems({ operations: [unknown('a')], kills: kills(20) })).toEqual(unexplained)
    expect(problems({ operations: [unknown('a')], kills: kills(20, { victim: 'game', open: ['a'] }) })).toEqual(unexplained)
    expect(problems({ operations: [unknown('a', true)], kills: kills(20, killUnder('a')) })).toEqual(unexplained)
  })

  it('has unknown outcomes after at most 5 % of kills', () => {
    const operations = [unknown('a'), unknown('b')]
    expect(problems({ operations, kills: kills(38, killUnder('a'), killUnder('b')) })).toEqual([])
    expect(problems({ operations, kills: kills(18, killUnder('a'), killUnder('b')) })).toEqual([
      '2 outcomes are unknown after 20 kills; at most 5 % may be',
    ])
  })
})
