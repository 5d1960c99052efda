import { describe, expect, test } from 'vitest'
import { compare, IdPairs } from '#daemon/src/cli/replay-compare.ts'

const differences = (recorded: unknown, now: unknown, sent?: unknown, ids = new IdPairs()) =>
  compare(recorded, now, sent, ids).map(({ path }) => path)

describe('in the nature of a second run are', () => {
  test('times, in every form', () => {
    expect(differences({ at: 1_790_000_000_123, s: 1_790_000_000 }, { at: 1_790_000_999_123, s: 1_790_000_999 })).toEqual([])
    expect(differences({ at: '2026-11-01T10:00:00Z' }, { at: '2026-11-02T10:00:00+00:00' })).toEqual([])
  })
  test('ids that the platform makes, as long as each has one counterpart', () => {
    const [a, b, c] = ['1111111111111111111', '2222222222222222222', '3333333333333333333']
    expect(differences({ id: a, in: { lobby_id: a } }, { id: b, in: { lobby_id: b } })).toEqual([])
    expect(differences({ id: a, in: { lobby_id: a } }, { id: b, in: { lobby_id: c } })).toEqual(['in.lobby_id'])
    expect(differences([a, b], [c, c])).toEqual(['1'])
    expect(differences({ session_id: 'a'.repeat(32) }, { session_id: 'b'.repeat(32) })).toEqual([])
  })
  test('ports of this machine, but not of another', () => {
    expect(differences(['http://127.0.0.1:4000/api'], ['http://127.0.0.1:5000/api'])).toEqual([])
    expect(differences(['http://10.0.0.1:4000/'], ['http://10.0.0.1:5000/'])).toEqual(['0'])
    expect(differences(['http://127.0.0.1:4000/a'], ['http://127.0.0.1:5000/b'])).toEqual(['0'])
  })
  test('facts about the process', () => {
    expect(differences({ pid: 1, uptime_s: 3 }, { pid: 2, uptime_s: 4 })).toEqual([])
  })
})

test('an id that the game sent may differ when it got that id from the platform before', () => {
  const [a, b, c] = ['1111111111111111111', '2222222222222222222', '3333333333333333333']
  const ids = new IdPairs()
  ids.pair(a, b)
  expect(differences({ lobby_id: a }, { lobby_id: b }, { lobby_id: a }, ids)).toEqual([])
  expect(differences({ lobby_id: a }, { lobby_id: c }, { lobby_id: a }, ids)).toEqual(['lobby_id'])
})

describe('a difference is', () => {
  test('any other value, type, length, missing or further field, with its path', () => {
    const recorded = { a: { b: [1, 'x'] }, c: null, gone: 1 }
    const now = { a: { b: [1, 'y', 3] }, c: {}, more: 2 }
    expect(differences(recorded, now)).toEqual(['a.b.1', 'a.b.2', 'c', 'gone', 'more'])
    expect(differences({ x: 1 }, undefined)).toEqual([''])
  })
  test('a time or an id that the game itself sent', () => {
    const sent = { start: 1_790_000_000, user_id: '1111111111111111111' }
    expect(differences(sent, { start: 1_790_000_001, user_id: '2222222222222222222' }, sent)).toEqual(['start', 'user_id'])
  })
})

test('later calls carry the ids of now', () => {
  const ids = new IdPairs()
  compare({ id: '1111111111111111111' }, { id: '2222222222222222222' }, undefined, ids)
  expect(ids.translated({ lobby_id: '1111111111111111111', list: ['1111111111111111111', 'other', 5, null] })).toEqual({
    lobby_id: '2222222222222222222',
    list: ['2222222222222222222', 'other', 5, null],
  })
})
