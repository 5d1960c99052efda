/** Requests, asks and invites: each is answered once, for six hours, and so many are kept. */
import { beforeEach, describe, expect, it } from 'vitest'
import { readActivityMessage, type ActivityMessage } from '../../../../daemon/src/social/activity-message.ts'
import { JoinLedger, MOST_OPEN, OPEN_MS } from '../../../../daemon/src/social/join-ledger.ts'
import { activityMessage } from '../../../support/activity-messages.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const HOST = { applicationId: '1234567890', userId: '1' }

let clock: FakeClock
let ledger: JoinLedger
beforeEach(() => {
  clock = new FakeClock()
  ledger = new JoinLedger(clock)
})

function message(type: 1 | 5, from: string, place = 0): ActivityMessage {
  const read = readActivityMessage(activityMessage(type, { at: clock.now(), place, from }), HOST)
  if (read === undefined) throw new Error('not read')
  return read
}

describe('a request', () => {
  it('is taken once, by the account it was made to', () => {
    expect(ledger.open(HOST, message(5, '2'))).toBe(true)
    expect(ledger.takeRequest({ ...HOST, userId: '9' }, '2')).toBeUndefined()
    expect(ledger.takeRequest({ ...HOST, applicationId: '9' }, '2')).toBeUndefined()
    expect(ledger.takeRequest(HOST, '2')).toMatchObject({ kind: 'request', author: { id: '2' } })
    expect(ledger.takeRequest(HOST, '2')).toBeUndefined()
  })

  it('that is heard twice is one, and one that is made anew is news', () => {
    ledger.open(HOST, message(5, '2', 1))
    expect(ledger.open(HOST, message(5, '2', 1))).toBe(false)
    expect(ledger.open(HOST, message(5, '2', 2))).toBe(true)
    ledger.takeRequest(HOST, '2')
    expect(ledger.takeRequest(HOST, '2')).toBeUndefined()
  })

  it('ends after six hours, without any timer', () => {
    ledger.open(HOST, message(5, '2'))
    expect(OPEN_MS).toBe(6 * 3_600_000)
    expect(clock.pending).toBe(0)
    clock.advance(OPEN_MS - 1)
    expect(ledger.takeRequest(HOST, '2')).toBeDefined()
    ledger.open(HOST, message(5, '2'))
    clock.advance(OPEN_MS)
    expect(ledger.takeRequest(HOST, '2')).toBeUndefined()
  })

  it('gives way when there are too many, the oldest first', () => {
    for (let asker = 0; asker <= MOST_OPEN; asker++) ledger.open(HOST, message(5, String(1000 + asker)))
    expect(ledger.takeRequest(HOST, '1000')).toBeUndefined()
    expect(ledger.takeRequest(HOST, '1001')).toBeDefined()
  })
})

describe('an ask of our own', () => {
  const open = (place = 0) => ({ party: HOST, invite: message(1, '2', place) })

  it('is answered by one invite in the same conversation, for the same game', () => {
    ledger.asked(HOST.applicationId, HOST.userId, '77')
    expect(ledger.takeAsk({ ...open(), invite: { ...message(1, '2'), channelId: '78' } })).toBe(false)
    expect(ledger.takeAsk({ ...open(), invite: { ...message(1, '2'), applicationId: '9' } })).toBe(false)
    expect(ledger.takeAsk(open())).toBe(true)
    expect(ledger.takeAsk(open(1))).toBe(false)
  })
})

describe('an invite', () => {
  const open = () => ({ party: HOST, invite: message(1, '2') })

  it('is open until it is taken, and again when that failed', () => {
    const { invite } = open()
    expect(ledger.invited(open())).toBe(true)
    expect(ledger.invited(open())).toBe(false)
    expect(ledger.openInvites()).toHaveLength(1)
    ledger.take(HOST.userId, invite.messageId)
    expect(ledger.openInvites()).toEqual([])
    ledger.untake(HOST.userId, invite.messageId)
    expect(ledger.openInvites()).toHaveLength(1)
  })

  it('that several games of its receiver saw is one, and taken for all of them', () => {
    const sibling = { ...open(), party: { ...HOST, applicationId: '42' } }
    ledger.invited(open())
    expect(ledger.invited(sibling)).toBe(true)
    expect(ledger.openInvites()).toHaveLength(1)
    ledger.take(HOST.userId, open().invite.messageId)
    expect(ledger.invited({ ...open(), party: { ...HOST, applicationId: '43' } })).toBe(false)
  })
})
