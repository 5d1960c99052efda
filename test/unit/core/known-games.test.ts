/** One game for each program and application, from the lists of the state. */
import { knownGames, placesText, placeText } from '@sallyport/core/known-games'
import { expect, test } from 'vitest'
import { CLIENT, EMPTY_STATE, GAME, GRANT, PRESENCE } from '#test/support/bridge-state.ts'

const state = (more: Partial<typeof EMPTY_STATE>) => ({ ...EMPTY_STATE, ...more })

test('a game that runs and has grants of two users is one, with the choice of any', () => {
  const grants = [
    { ...GRANT, id: 'g0', basis: 'token' as const, user_id: '6' },
    { ...GRANT, presence: 'hidden' as const, chosen_places: ['account'] },
  ]
  const presences = [{ ...PRESENCE, shown_on: ['account'] }]
  const applications = [{ id: '42', name: 'Tide Pilot Deluxe', claimed_name: 'Tide' }]
  expect(knownGames(state({ games: [GAME, { ...GAME, connection: 8 }], grants, presences, applications }))).toEqual([
    {
      id: 'g1',
      application_id: '42',
      name: 'Tide Pilot Deluxe',
      program: '/games/tide',
      program_name: 'tide',
      access: 'allowed',
      running: true,
      can_choose: true,
      hidden: 'hidden',
      shown_on: ['account'],
      chosen_places: ['account'],
    },
  ])
})

test.each([
  ['a program without a grant', { games: [GAME] }, { id: '7', access: 'not-allowed', running: true }],
  ['one that was allowed once', { grants: [{ ...GRANT, lasts: 'session' as const }] }, { id: 'g1', access: 'once', running: false }],
  ['one with its own token', { grants: [{ ...GRANT, basis: 'token' as const }] }, { access: 'own-token' }],
  ['one that is blocked', { grants: [{ ...GRANT, basis: 'blocked' as const }] }, { access: 'blocked' }],
  ['one with a choice only', { grants: [{ ...GRANT, basis: 'none' as const }] }, { access: 'not-allowed' }],
])('%s', (_, lists, expected) => expect(knownGames(state(lists))).toMatchObject([expected]))

test('another application of the program is another game, and running ones are first', () => {
  const games = knownGames(state({ games: [GAME], grants: [{ ...GRANT, application_id: '43', application_name: 'Harbour' }] }))
  expect(games.map(({ name, running }) => [name, running])).toEqual([
    ['Tide Pilot', true],
    ['Harbour', false],
  ])
})

test('places have the name of their user, or say what they are', () => {
  expect(placeText(CLIENT)).toBe('mary (canary, flatpak)')
  expect(placeText({ id: '9', kind: 'client', running: false })).toBe('client 9 (not running)')
  expect(
    placesText(
      ['account', 'web', 'gone'],
      [
        { id: 'account', kind: 'account', running: true },
        { id: 'web', kind: 'web', running: false },
      ],
    ),
  ).toBe('the account of the sign-in, pages in a browser, gone')
})
