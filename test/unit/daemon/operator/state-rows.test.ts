import type { Activity } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import type { GrantPresence } from '#daemon/src/auth/grants/grant.ts'
import { presenceRow } from '#daemon/src/operator/state-rows.ts'

const PROGRAM = { kind: 'native', uid: 1, executable: '/games/one', file: 'f' } as const

const rowOf = (activity: Activity, username?: string, shown: GrantPresence = 'shown') =>
  presenceRow(
    { applicationId: '42', userId: '5', sessionId: 1, claimedPid: 1, stored: { activity, secrets: undefined }, since: 0 },
    { username, program: PROGRAM, shown, shownOn: [], places: undefined, imageOf: (asset) => (asset === 'known' ? 'image-id' : undefined) },
  )

test('a presence shows the fields of the activity', () => {
  const row = rowOf(
    {
      name: 'Dock\u202eside',
      type: 5,
      details: 'Harbour cup',
      state: 'In the finals',
      timestamps: { start: 1000, end: 9000 },
      party: { id: 'p', size: [2, 4] },
    },
    'ada',
  )
  expect(row).toEqual({
    connection: 1,
    application_id: '42',
    username: 'ada',
    type: 5,
    name: 'Dock\\u{202e}side',
    details: 'Harbour cup',
    state: 'In the finals',
    started_at: 1000,
    ends_at: 9000,
    party: { size: 2, max: 4 },
    can_choose: true,
  })
})

test('pictures are those that the daemon has, and buttons keep their addresses', () => {
  const row = rowOf(
    {
      name: 'x',
      type: 0,
      assets: { large_image: 'known', large_text: 'The \u202eharbour', small_image: 'https://elsewhere.test/x.png', small_text: 'Captain' },
      buttons: ['Watch'],
      metadata: { button_urls: ['https://tide.test/watch'] },
    },
    undefined,
    'hidden-now',
  )
  expect(row).toMatchObject({
    large_picture: { image: 'image-id', text: 'The \\u{202e}harbour' },
    small_picture: { text: 'Captain' },
    buttons: [{ label: 'Watch', url: 'https://tide.test/watch' }],
    hidden: 'hidden-now',
  })
  expect(JSON.stringify(row)).not.toContain('elsewhere')
})

test('missing fields are omitted', () => {
  expect(rowOf({ name: '', type: 0, details: null, timestamps: null, party: { id: 'p' } })).toEqual({
    connection: 1,
    application_id: '42',
    type: 0,
    can_choose: true,
  })
})

test('other fields are dropped, above all secrets', () => {
  const activity = {
    name: 'x',
    type: 0,
    secrets: { join: 'planted-value' },
    metadata: { button_urls: ['planted-value'] },
    party: { id: 'planted-value' },
  }
  expect(JSON.stringify(rowOf(activity))).not.toContain('planted-value')
})
