/** The menu as a function of what the tray knows. */
import type { BridgeState } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { iconOf, type Menu, type MenuItem, stateText, trayMenu } from '#daemon/src/tray/menu.ts'
import type { PlatformChoice, TrayState } from '#daemon/src/tray/state.ts'
import { toDisplayName } from '@sallyport/core/display-text'
import { CLIENT, EMPTY_STATE, GAME, GRANT, PROMPT, SAMPLE_STATE } from '#test/support/bridge-state.ts'

const connected = (state: Partial<BridgeState>): TrayState => ({ kind: 'connected', bridge: { ...EMPTY_STATE, ...state } })
const CHOICE: PlatformChoice = { names: ['sandbox', 'discord'], set: 'sandbox' }
const menuOf = (state: Partial<BridgeState>): Menu => trayMenu(connected(state), CHOICE)
const labels = (menu: Menu): readonly (readonly string[])[] => menu.map((group) => group.map(({ label }) => label))
const itemNamed = (menu: Menu, label: string): MenuItem => {
  const found = menu.flat().find((item) => item.label === label)
  if (found === undefined) throw new Error(`no item ${label} in ${JSON.stringify(labels(menu))}`)
  return found
}

test('a bridge that does not run can be started', () => {
  expect(labels(trayMenu({ kind: 'absent' }, CHOICE))).toEqual([
    ['Sallyport is not running'],
    ['Start Sallyport', 'Platform: sandbox', 'Show log'],
    ['Quit tray'],
  ])
  expect(iconOf({ kind: 'absent' })).toBe('off')
})

test('the platform that runs has the mark, and another one that is set is named', () => {
  const item = itemNamed(
    trayMenu(connected({ platform: 'sandbox' }), { names: ['sandbox', 'discord'], set: 'discord' }),
    'Platform: sandbox, set to discord',
  )
  expect(item.items).toEqual([
    { label: 'sandbox (offline, for tests)', isChecked: true, action: { do: 'set-platform', platform: 'sandbox' } },
    { label: 'discord', isChecked: false, action: { do: 'set-platform', platform: 'discord' } },
  ])
  const own = itemNamed(trayMenu({ kind: 'resting' }, { names: ['sandbox', 'discord'], set: 'mine' }), 'Platform: mine')
  expect(own.items?.at(-1)).toEqual({ label: 'mine', isChecked: true })
})

test('a bridge without games, grants and prompts', () => {
  expect(labels(menuOf({}))).toEqual([
    ['Sallyport: No games connected'],
    ['No game is connected'],
    ['Link account…', 'Grants', 'Pause presence'],
    ['Open dashboard', 'Platform: sandbox', 'Show log'],
    ['Stop Sallyport', 'Quit tray'],
  ])
  expect(itemNamed(menuOf({}), 'Link account…').action).toBeUndefined()
  expect(iconOf(connected({}))).toBe('ready')
})

test.each([
  [connected({ games: [GAME] }), 'Sallyport: 1 game connected'],
  [connected({ games: [GAME, GAME], presence_paused: true }), 'Sallyport: 2 games connected, presence paused'],
  [connected({ games: [GAME], prompts: [PROMPT] }), 'Sallyport: 1 prompt waits for you'],
  [connected({ prompts: [PROMPT, PROMPT] }), 'Sallyport: 2 prompts wait for you'],
  [{ kind: 'resting' } as const, 'Sallyport waits for the first game'],
])('its state in a line: %#', (state, text) => expect(stateText(state)).toBe(text))

describe('a prompt', () => {
  test('names the program, and shows the lines of every display before the answers', () => {
    const { items = [] } = itemNamed(menuOf({ prompts: [PROMPT] }), 'Prompt: /games/tide')
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
    expect(iconOf(connected({ prompts: [PROMPT] }))).toBe('prompt')
  })
  test('about a launch names the command; a long path keeps both ends', () => {
    const starts = `/games/${'long/'.repeat(40)}start`
    const [, [item]] = menuOf({ prompts: [{ ...PROMPT, lines: [{ label: 'Starts', text: starts }] }] }) as [unknown, [MenuItem]]
    expect(item.label).toMatch(/^Prompt: \/games\/long.*more\).*start$/)
    expect(item.label.length).toBeLessThan(80)
  })
})

describe('a game', () => {
  test('is named by its activity, and has its user and program', () => {
    const item = itemNamed(
      menuOf({ games: [{ ...GAME, activity: 'Playing Tide: Sailing', user: { id: '5', username: 'mary' } }] }),
      'Playing Tide: Sailing',
    )
    expect(item.items?.map(({ label }) => label)).toEqual([
      'Tide Pilot',
      'Signed in as mary',
      '/games/tide',
      'Hide now',
      'Always hide',
      'Show on',
      'Block',
    ])
  })
  test('without an activity is named by its application', () => {
    expect(labels(menuOf({ games: [GAME] }))[1]).toEqual(['Tide Pilot'])
    const { application_name: _, ...unnamed } = GAME
    expect(labels(menuOf({ games: [unnamed] }))[1]).toEqual(['Application 42'])
  })
  test('beyond what fits is on the dashboard', () => {
    expect(labels(menuOf({ games: [GAME], omitted: { games: 3 } }))[1]).toEqual(['Tide Pilot', '3 more on the dashboard'])
  })
})

describe('what a user can do with a game', () => {
  const itemsOf = (state: Partial<BridgeState>): readonly MenuItem[] =>
    itemNamed(menuOf({ games: [GAME], ...state }), 'Tide Pilot').items ?? []
  const actionOf = (items: readonly MenuItem[], label: string) => items.find((item) => item.label === label)?.action

  test('names its connection while there is no row for it, then the row', () => {
    expect(actionOf(itemsOf({}), 'Hide now')).toEqual({ do: 'operate', action: 'hide-now', id: '7' })
    expect(actionOf(itemsOf({}), 'Always hide')).toEqual({ do: 'operate', action: 'hide', id: '7' })
    expect(actionOf(itemsOf({ grants: [GRANT] }), 'Always hide')).toEqual({ do: 'operate', action: 'hide', id: 'g1' })
  })

  test('shows again what is hidden', () => {
    const of = (presence: 'hidden' | 'hidden-now') => itemsOf({ grants: [{ ...GRANT, presence }] }).map(({ label }) => label)
    expect(of('hidden')).toContain('Show again')
    expect(of('hidden-now')).toContain('Show again (hidden for now)')
    expect(of('hidden')).not.toContain('Always hide')
  })

  test('blocks it one step deeper, and lifts the block in the list of grants', () => {
    const block = itemsOf({}).find(({ label }) => label === 'Block')
    expect([block?.action, block?.items]).toEqual([
      undefined,
      [{ label: 'Block this program: it gets nothing', action: { do: 'operate', action: 'block', id: '7' } }],
    ])
    const { items: [grant] = [] } = itemNamed(menuOf({ grants: [{ ...GRANT, basis: 'blocked' }] }), 'Grants')
    expect(grant?.items?.at(-1)?.label).toBe('Lift the block')
  })

  test('adds and removes places, but not the last one', () => {
    const places: BridgeState['places'] = [CLIENT, { id: 'account', kind: 'account', running: true }]
    const on = (chosen?: string[]) =>
      itemsOf({ places, grants: [{ ...GRANT, ...(chosen === undefined ? {} : { chosen_places: chosen }) }] }).find(
        ({ label }) => label === 'Show on',
      )?.items ?? []
    const choice = (ids?: string[]) => ({ do: 'operate', action: 'choose-places', id: 'g1', ...(ids === undefined ? {} : { places: ids }) })
    expect(on()).toEqual([
      { label: 'As every game', isChecked: true, action: choice() },
      { label: 'mary (canary, flatpak)', isChecked: false, action: choice([CLIENT.id]) },
      { label: 'the account of the sign-in', isChecked: false, action: choice(['account']) },
    ])
    expect(on([CLIENT.id]).map(({ isChecked, action }) => [isChecked, action])).toEqual([
      [false, choice()],
      [true, undefined],
      [false, choice([CLIENT.id, 'account'])],
    ])
    expect(itemNamed(menuOf({ places }), 'Show games on').items?.[1]?.action).toEqual({ ...choice([CLIENT.id]), id: 'all' })
  })

  test('is nothing for a program that cannot be recognised', () => {
    const games = [{ ...GAME, can_choose: false }]
    expect(itemNamed(menuOf({ games }), 'Tide Pilot').items?.map(({ label }) => label)).toEqual([
      'Tide Pilot',
      'Not signed in',
      '/games/tide',
    ])
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

test('warnings stand below the state, with what to do', () => {
  const warning = { kind: 'provider_failing', message: 'The gateway refused.', advice: 'Store a token. Then wait.' } as const
  const [head = []] = menuOf({ warnings: [warning] })
  expect(labels([head])).toEqual([['Sallyport: No games connected', 'The gateway refused.']])
  expect(head[1]?.items?.map(({ label }) => label)).toEqual(['The gateway refused.', 'Store a token.', 'Then wait.'])
})

test('long lists are cut, and count what the state left out too', () => {
  const games = Array.from({ length: 30 }, () => GAME)
  const shown = labels(menuOf({ games, omitted: { games: 5 } }))[1] ?? []
  expect([shown.length, shown.at(-1)]).toEqual([25, '11 more on the dashboard'])
})

test('the sample state has a menu', () => {
  expect(labels(trayMenu({ kind: 'connected', bridge: SAMPLE_STATE }, CHOICE))).toEqual([
    [
      'Sallyport: 1 prompt waits for you',
      toDisplayName(SAMPLE_STATE.warnings[0]?.message ?? ''),
      'Application 42 created many lobbies.',
      '9 more on the dashboard',
    ],
    ['Prompt: /games/tide', '2 more on the dashboard'],
    ['Sign in: no browser could be started'],
    ['Playing Tide Pilot: Out at sea', 'Harbour', '1 more on the dashboard'],
    ['Link account…', 'Grants', 'Show games on', 'Pause presence'],
    ['Open dashboard', 'Platform: sandbox', 'Show log'],
    ['Stop Sallyport', 'Quit tray'],
  ])
})
