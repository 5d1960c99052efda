import { expect, test } from 'vitest'
import { ACTION_KINDS } from '../../endurance/actions.ts'
import { gamesOf, occurrences, turns } from '../../endurance/plan.ts'
import { TROUBLE_KINDS } from '../../endurance/trouble.ts'

const firstTurns = (seed: number, count: number) => turns({ seed, kinds: ACTION_KINDS, games: 50, perSecond: 100 }).take(count).toArray()

test('the same seed plays the same turns, and another one others', () => {
  expect(firstTurns(7, 200)).toEqual(firstTurns(7, 200))
  expect(firstTurns(8, 200)).not.toEqual(firstTurns(7, 200))
})

test('turns come at the pace that was asked, at every game, and of every kind', () => {
  const played = firstTurns(1, 20_000)
  expect((played.at(-1)?.atMs ?? 0) / 1000).toBeCloseTo(200, -1)
  expect(new Set(played.map(({ game }) => game)).size).toBe(50)
  expect(new Set(played.map(({ kind }) => kind))).toEqual(new Set(ACTION_KINDS.map(({ kind }) => kind)))
  const share = (name: string) => played.filter(({ kind }) => kind === name).length / played.length
  const weights = ACTION_KINDS.reduce((sum, { weight }) => sum + weight, 0)
  for (const { kind, weight } of ACTION_KINDS) expect(share(kind)).toBeCloseTo(weight / weights, 1)
})

test('each trouble comes once before one comes again, within half and one and a half of its time', () => {
  const found = occurrences(3, TROUBLE_KINDS, 1000)
    .take(TROUBLE_KINDS.length * 3)
    .toArray()
  for (let round = 0; round < 3; round++) {
    const kinds = found.slice(round * TROUBLE_KINDS.length, (round + 1) * TROUBLE_KINDS.length).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(TROUBLE_KINDS))
  }
  for (const { afterMs } of found) {
    expect(afterMs).toBeGreaterThanOrEqual(500)
    expect(afterMs).toBeLessThan(1500)
  }
})

test('fifty games are of all kinds, encodings, applications and users, and some of each kind listen', () => {
  const games = gamesOf(50)
  expect(new Set(games.map(({ name }) => name)).size).toBe(50)
  expect(new Set(games.map(({ encoding }) => encoding))).toEqual(new Set(['json', 'msgpack']))
  expect(new Set(games.map(({ applicationId, user }) => `${applicationId} ${user}`)).size).toBe(15)
  for (const kind of ['client', 'plain', 'contract'])
    for (const isListening of [true, false]) expect(games.some((game) => game.kind === kind && game.isListening === isListening)).toBe(true)
})
