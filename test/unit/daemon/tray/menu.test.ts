/** The menu as a function of what the tray knows. */
import { describe, expect, test } from 'vitest'
import { iconOf, type Menu, type MenuItem, stateText, trayMenu } from '#daemon/src/tray/menu.ts'
import type { Overview, TrayState } from '#daemon/src/tray/state.ts'
import { EMPTY_OVERVIEW, GAME, GRANT, PROMPT } from './overview.ts'

const connected = (overview: Partial<Overview>): TrayState => ({ kind: 'connected', overview: { ...EMPTY_OVERVIEW, ...overview } })
const menuOf = (overview: Partial<Overview>): Menu => trayMenu(connected(overview))
const labels = (menu: Menu): readonly (readonly string[])[] => menu.map((group) => group.map(({ label }) => label))
const itemNamed = (menu: Menu, label: string): MenuItem => {
  const found = menu.flat().find((item) => item.label === label)
  if (found === undefined) throw new Error(`no item ${label} in ${JSON.stringify(labels(menu))}`)
  return found
}

test('a bridge that does not run can be started', () => {
  expect(labels(trayMenu({ kind: 'absent' }))).toEqual([['Sallyport is not running'], ['Start Sallyport', 'Show log'], ['Quit tray']])
  expect(iconOf({ kind: 'absent' })).toBe('off')
})

test('a bridge without games, grants and questions', () => {
  expect(labels(menuOf({}))).toEqual([
    ['Sallyport: No games connected'],
    ['No game is connected'],
    ['Link account…', 'Grants', 'Pause presence'],
    ['Open dashboard', 'Show log'],
    ['Stop Sallyport', 'Quit tray'],
  ])
  expect(itemNamed(menuOf({}), 'Link account…').action).toBeUndefined()
  expect(iconOf(connected({}))).toBe('ready')
})

test.each([
  [connected({ games: [GAME] }), 'Sallyport: 1 game connected'],
  [connected({ games: [GAME, GAME], presence_paused: true }), 'Sallyport: 2 games connected, presence paused'],
  [connected({ games: [GAME], prompts: [PROMPT] }), 'Sallyport: 1 question waits for you'],
  [connected({ prompts: [PROMPT, PROMPT] }), 'Sallyport: 2 questions wait for you'],
  [{ kind: 'resting' } as const, 'Sallyport waits for the first game'],
])('its state in a line: %#', (state, text) => expect(stateText(state)).toBe(text))

describe('a question', () => {
  test('names the program, and shows the lines of every display before the answers', () => {
    const { items = [] } = itemNamed(menuOf({ prompts: [PROMPT] }), 'Question: /games/tide')
    expect(items.map(({ label }) => label)).toEqual([
      'A program wants to sign in for a game.',
      'Application: Tide Pilot (42)',
      'May do: identify',
      'Program: /games/tide',
      'Allow',
      'Deny',
    ])
    expect(items.slice(0, 4).every(({ action }) => action === undefined)).toBe(true)
    expect(items.slice(4).map(({ action }) => action)).toEqual([
      { do: 'operate', action: 'allow', id: 'ab12' },
      { do: 'operate', action: 'deny', id: 'ab12' },
    ])
    expect(iconOf(connected({ prompts: [PROMPT] }))).toBe('question')
  })
  test('about a launch names the command; a long path keeps both ends', () => {
    const starts = `/games/${'long/'.repeat(40)}start`
    const [, [item]] = menuOf({ prompts: [{ ...PROMPT, lines: [{ label: 'Starts', text: starts }] }] }) as [unknown, [MenuItem]]
    expect(item.label).toMatch(/^Question: \/games\/long.*more\).*start$/)
    expect(item.label.length).toBeLessThan(80)
  })
})

describe('a game', () => {
  test('is named by its activity, and has its user and program', () => {
    const item = itemNamed(menuOf({ games: [{ ...GAME, activity: 'Playing Tide: Sailing', username: 'mary' }] }), 'Playing Tide: Sailing')
    expect(item.items?.map(({ label }) => label)).toEqual(['Tide Pilot', 'Signed in as mary', '/games/tide'])
  })
  test('without an activity is named by its application', () => {
    expect(labels(menuOf({ games: [GAME] }))[1]).toEqual(['Tide Pilot'])
    const { application_name: _, ...unnamed } = GAME
    expect(labels(menuOf({ games: [unnamed] }))[1]).toEqual(['Application 42'])
  })
  test('beyond what fits is on the dashboard', () => {
    expect(labels(menuOf({ games: [GAME], omitted: 3 }))[1]).toEqual(['Tide Pilot', '3 more on the dashboard'])
  })
})

describe('Link account', () => {
  const can = { ...GAME, can_link: true }
  test('is an action for one application, also with several games', () => {
    expect(itemNamed(menuOf({ games: [can, can] }), 'Link account…').action).toEqual({ do: 'operate', action: 'link', id: '42' })
  })
  test('is a choice between several', () => {
    const { items = [] } = itemNamed(menuOf({ games: [can, { ...can, application_id: '43', application_name: 'Other' }] }), 'Link account')
    expect(items.map(({ label, action }) => [label, action])).toEqual([
      ['Tide Pilot', { do: 'operate', action: 'link', id: '42' }],
      ['Other', { do: 'operate', action: 'link', id: '43' }],
    ])
  })
})

test('a grant can be revoked', () => {
  const { items: [grant] = [] } = itemNamed(menuOf({ grants: [GRANT] }), 'Grants')
  expect(grant).toMatchObject({
    label: 'Tide Pilot, mary',
    items: [{ label: '/games/tide' }, { label: 'Revoke', action: { do: 'operate', action: 'revoke', id: 'g1' } }],
  })
})

test('presence is paused and resumed by the same item', () => {
  expect(itemNamed(menuOf({}), 'Pause presence')).toMatchObject({ isChecked: false, action: { action: 'pause-presence' } })
  expect(itemNamed(menuOf({ presence_paused: true }), 'Pause presence')).toMatchObject({
    isChecked: true,
    action: { action: 'resume-presence' },
  })
})

test('warnings stand below the state', () => {
  expect(labels(menuOf({ warnings: ['The platform will soon refuse.'] }))[0]).toEqual([
    'Sallyport: No games connected',
    'The platform will soon refuse.',
  ])
})
