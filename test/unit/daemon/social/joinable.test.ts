import { expect, test } from 'vitest'
import { joinableActivityOf } from '#daemon/src/social/joinable.ts'

const ACCOUNT = { applicationId: '1', userId: '5' }
const PARTY = { id: 'crew', size: [1, 4] }
const joinable = (party: object | undefined, secrets: object | undefined): boolean => {
  const stored = { activity: { name: 'Harbour', type: 0, ...(party === undefined ? {} : { party }) }, secrets }
  const presence = { applicationId: '1', userId: '5', sessionId: 1, claimedPid: 1, stored, since: 0 }
  return joinableActivityOf({ of: () => presence as never })(ACCOUNT) !== undefined
}

test('an activity can be joined with a party, its size and a join secret, and without none of them', { tags: ['1-6'] }, () => {
  expect(joinable(PARTY, { join: 'join-the-crew' })).toBe(true)
  expect(joinable({ id: 'crew' }, { join: 'join-the-crew' })).toBe(false)
  expect(joinable({ size: [1, 4] }, { join: 'join-the-crew' })).toBe(false)
  expect(joinable(PARTY, { spectate: 'look' })).toBe(false)
  expect(joinable(PARTY, undefined)).toBe(false)
  expect(joinable(undefined, { join: 'join-the-crew' })).toBe(false)
})
