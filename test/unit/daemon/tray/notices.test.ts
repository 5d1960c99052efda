/** What the tray notifies about, and what a notification may answer. */
import { describe, expect, test } from 'vitest'
import { noticesOf } from '#daemon/src/tray/notices.ts'
import { EMPTY_STATE, PROMPT, SAMPLE_STATE } from '#test/support/bridge-state.ts'

type Prompt = typeof PROMPT

const noticeOf = (prompt: Partial<Prompt>) =>
  noticesOf({ kind: 'connected', bridge: { ...EMPTY_STATE, prompts: [{ ...PROMPT, ...prompt }] } })[0]

const LINES: Prompt['lines'] = [
  { label: 'Application', text: 'Tide Pilot (1409811209381122048)' },
  { label: 'Account', text: 'the user who is signed in on the platform' },
  { label: 'May do', text: 'openid, sdk.social_layer' },
  { label: 'Why', text: 'You have not allowed this program before.' },
  { label: 'Process', text: '77' },
  { label: 'Program', text: '/home/mary/games/tide' },
]
const withLine = (label: string, text: string): Prompt['lines'] => [...LINES.filter((line) => line.label !== label), { label, text }]

test('a prompt whose lines fit shows program, application and permissions, and can be answered there', () => {
  expect(noticeOf({ lines: LINES })).toEqual({
    key: 'ab12',
    title: PROMPT.title,
    body: [
      'Application: Tide Pilot (1409811209381122048)',
      'May do: openid, sdk.social_layer',
      'Why: You have not allowed this program before.',
      'Program: /home/mary/games/tide',
    ].join('\n'),
    hint: expect.stringContaining('dashboard') as string,
    isAnswerable: true,
    open: { do: 'open-dashboard' },
    allow: { do: 'operate', action: 'allow', id: 'ab12' },
    deny: { do: 'operate', action: 'deny', id: 'ab12' },
  })
})

test('a known account is shown', () => {
  expect(noticeOf({ lines: withLine('Account', 'mary'), username: 'mary' })).toMatchObject({
    body: expect.stringContaining('Account: mary') as string,
    isAnswerable: true,
  })
})

describe('is only opened', () => {
  test.each<[string, Partial<Prompt>]>([
    ['a path that does not fit', { lines: withLine('Program', `/games/${'deep/'.repeat(40)}tide`) }],
    ['wide characters that do not fit', { lines: withLine('Application', '潮'.repeat(100)) }],
    ['a long list of permissions', { lines: withLine('May do', 'guilds.members.read, '.repeat(12)) }],
    ['a note that the notification does not show', { lines: withLine('Note', 'A data file was damaged.') }],
    ['another Wine than before', { lines: withLine('Wine then', '/usr/bin/wine') }],
    ['a line of a later version', { lines: withLine('Country', 'here') }],
    ['a bot', { lines: LINES, kind: 'bot' }],
    ['a launch', { lines: [{ label: 'Starts', text: '/games/tide --join' }], kind: 'launch' }],
  ])('%s', (_, prompt) => {
    const notice = noticeOf(prompt)
    expect(notice).toMatchObject({ isAnswerable: false, open: { do: 'open-dashboard' } })
    expect(notice?.allow).toBeUndefined()
    expect(notice?.deny).toBeUndefined()
    expect(notice?.body).not.toBe('')
  })
})

test('a page is notified only where no browser could be started, with its address', () => {
  const [page] = SAMPLE_STATE.pages
  if (page === undefined) throw new Error('the sample has no page')
  const pagesOf = (browser: typeof page.browser) =>
    noticesOf({ kind: 'connected', bridge: { ...EMPTY_STATE, pages: [{ ...page, browser }] } })
  expect(pagesOf('started')).toEqual([])
  expect(pagesOf('starting')).toEqual([])
  expect(pagesOf('missing')).toMatchObject([
    { body: expect.stringContaining(page.url) as string, isAnswerable: false, open: { do: 'open-page', url: page.url } },
  ])
})

test('a bridge that does not run asks nothing', () => {
  expect([...noticesOf({ kind: 'absent' }), ...noticesOf({ kind: 'resting' })]).toEqual([])
})
