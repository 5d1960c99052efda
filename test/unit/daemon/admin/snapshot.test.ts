import { expect, test } from 'vitest'
import { presenceCard } from '#daemon/src/admin/snapshot.ts'

test('a card shows the fields of the activity', () => {
  const card = presenceCard('42', {
    name: 'Dockside',
    type: 5,
    details: 'Harbour cup',
    state: 'In the finals',
    timestamps: { start: 1000, end: 9000 },
    party: { id: 'p', size: [2, 4] },
  })
  expect(card).toEqual({
    applicationId: '42',
    type: 5,
    name: 'Dockside',
    details: 'Harbour cup',
    state: 'In the finals',
    startedAt: 1000,
    endsAt: 9000,
    party: { size: 2, max: 4 },
  })
})

test('missing fields are omitted', () => {
  expect(presenceCard('42', { name: '', type: 0, details: null, timestamps: null, party: { id: 'p' } })).toEqual({
    applicationId: '42',
    type: 0,
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
  expect(JSON.stringify(presenceCard('42', activity))).not.toContain('planted-value')
})
