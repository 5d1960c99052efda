import { expect, test } from 'vitest'
import { guildStatus } from '#daemon/src/events/providers/poll/guild-status.ts'

const GUILD = { id: '7', name: 'Harbour', icon: 'a1', banner: null, owner: false, permissions: '0', features: [] }
const statusOf = (changes: object = {}) => guildStatus({ ...GUILD, ...changes }, 'https://cdn.example.test')

test('contains the guild, its icon, and the number of online members', () => {
  expect(statusOf({ approximate_presence_count: 3 })).toEqual({
    guild: { id: '7', name: 'Harbour', icon_url: 'https://cdn.example.test/icons/7/a1.png' },
    online: 3,
  })
  expect(statusOf({ icon: null })).toEqual({ guild: { id: '7', name: 'Harbour', icon_url: null }, online: 0 })
})

test.each([[{ name: 'Quay' }], [{ icon: 'b2' }], [{ approximate_presence_count: 4 }]])('%j changes the status', (change) => {
  expect(statusOf(change)).not.toEqual(statusOf())
})

test('fields outside of the event change nothing', () => {
  expect(statusOf({ owner: true, permissions: '8', approximate_member_count: 9 })).toEqual(statusOf())
})
