import type { Activity } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { presenceRow } from '#daemon/src/operator/state-rows.ts'

const rowOf = (activity: Activity, username?: string) =>
  presenceRow(
    { applicationId: '42', userId: '5', sessionId: 1, claimedPid: 1, stored: { activity, secrets: undefined }, since: 0 },
    username,
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
    application_id: '42',
    username: 'ada',
    type: 5,
    name: 'Dock\\u{202e}side',
    details: 'Harbour cup',
    state: 'In the finals',
    started_at: 1000,
    ends_at: 9000,
    party: { size: 2, max: 4 },
  })
})

test('missing fields are omitted', () => {
  expect(rowOf({ name: '', type: 0, details: null, timestamps: null, party: { id: 'p' } })).toEqual({ application_id: '42', type: 0 })
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
