/** Of dispatched messages, only invites and requests are parsed. */
import { describe, expect, it } from 'vitest'
import { readActivityMessage } from '#daemon/src/social/activity-message.ts'
import { activityMessage } from '#test/support/activity-messages.ts'

const PARTY = { applicationId: '1234567890', userId: '1' }
const NOW = Date.UTC(2026, 10, 21)

describe('a message', () => {
  it('with an invite is parsed with all fields needed to join', () => {
    const read = readActivityMessage(
      activityMessage(1, { at: NOW, from: '5', application: { id: '42', name: 'Harbour', parent_id: '41' }, application_id: '42' }),
      PARTY,
    )
    expect(read).toMatchObject({
      kind: 'invite',
      channelId: '77',
      applicationId: '42',
      applicationName: 'Harbour',
      parentApplicationId: '41',
      partyId: 'pier',
      sessionId: 'session-of-the-host',
      author: { id: '5', username: 'user 5', discriminator: '0', avatar: null, bot: false },
    })
  })

  it('with a request is parsed, with the own application by default', () => {
    const read = readActivityMessage(activityMessage(5, { at: NOW, from: '5', application_id: null }), PARTY)
    expect(read).toMatchObject({ kind: 'request', applicationId: PARTY.applicationId, sessionId: undefined })
  })

  it.each([
    ['no message', null],
    ['text', 'activity'],
    ['a list', []],
    ['no activity', { ...activityMessage(1, { at: NOW, from: '5' }), activity: null }],
    ['an activity that is listened to', activityMessage(3, { at: NOW, from: '5' })],
    ['no author', activityMessage(1, { at: NOW, from: '5', author: undefined })],
    ['an author without an id', activityMessage(1, { at: NOW, from: '5', author: { id: {}, username: 'x' } })],
    ['an id that is none', activityMessage(1, { at: NOW, from: '5', id: '../../etc' })],
    ['no channel', activityMessage(1, { at: NOW, from: '5', channel_id: 7 })],
  ])('with %s is ignored', (_, message) => {
    expect(readActivityMessage(message, PARTY)).toBeUndefined()
  })

  it('loses fields that are too long', () => {
    const read = readActivityMessage(
      activityMessage(1, { at: NOW, from: '5', activity: { type: 1, party_id: 'p'.repeat(10_000), session_id: 7 } }),
      PARTY,
    )
    expect(read).toMatchObject({ partyId: undefined, sessionId: undefined })
  })
})
