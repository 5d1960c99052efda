import { storeActivity } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { clearedMessage, shownMessage } from '#daemon/src/presence/feed/feed-message.ts'
import type { Presence } from '#daemon/src/presence/sink.ts'

function presence(input: object, claimedPid?: number): Presence {
  const outcome = storeActivity(input, { applicationId: '42', nowMs: 1_700_000_000_000 })
  if ('error' in outcome || outcome.stored === null) throw new Error('nothing is stored')
  return { applicationId: '42', userId: undefined, sessionId: 7, claimedPid, stored: outcome.stored, since: 0 }
}

test('a message has the form that the web clients of existing presence servers read', () => {
  const buttons = [{ label: 'Site', url: 'https://example.test' }]
  expect(shownMessage(presence({ details: 'Mending nets', timestamps: { start: 1_700_000_000 }, buttons, instance: true }, 99))).toEqual({
    socketId: '42',
    pid: 99,
    activity: {
      application_id: '42',
      name: '',
      type: 0,
      details: 'Mending nets',
      timestamps: { start: 1_700_000_000_000 },
      buttons: ['Site'],
      metadata: { button_urls: ['https://example.test'] },
      flags: 1,
      instance: true,
    },
  })
})

test('fields that pages require are always present', () => {
  expect(shownMessage(presence({ details: 'x y' }))).toMatchObject({ pid: null, activity: { metadata: {}, flags: 0, name: '' } })
})

test('no message contains a secret, or the flag that there is one', () => {
  const message = shownMessage(presence({ party: { id: 'crew', size: [1, 2] }, secrets: { join: 'come-aboard', spectate: 'look-at-us' } }))
  expect(JSON.stringify(message)).not.toMatch(/come-aboard|look-at-us|secret/)
  expect(message.activity?.flags).toBe(0)
  expect(message.activity?.party).toEqual({ id: 'crew', size: [1, 2] })
})

test('a cleared activity has the same key', () =>
  expect(clearedMessage(presence({ details: 'x y' }, 99))).toEqual({ socketId: '42', pid: 99, activity: null }))
