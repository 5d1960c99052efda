import { expect, test } from 'vitest'
import { presenceCard } from '../../../../daemon/src/admin/snapshot.ts'

test('a card shows what the game says of itself', () => {
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

test('what is missing is left out', () => {
  expect(presenceCard('42', { name: '', type: 0, details: null, timestamps: null, party: { id: 'p' } })).toEqual({
    applicationId: '42',
    type: 0,
  })
})

test('nothing else gets through, secrets least of all', () => {
  const activity = {
    name: 'x',
    type: 0,
    secrets: { join: 'planted-value' },
    metadata: { button_urls: ['planted-value'] },
    party: { id: 'planted-value' },
  }
  expect(JSON.stringify(presenceCard('42', activity))).not.toContain('planted-value')
})
