/** Requests and invites: each is answered once, within six hours, and their number is limited. */
import { beforeEach, describe, expect, it } from 'vitest'
import { readActivityMessage, type ActivityMessage } from '#daemon/src/social/activity-message.ts'
import { InviteLedger, OPEN_MS } from '#daemon/src/social/invite-ledger.ts'
import { activityMessage } from '#test/support/activity-messages.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const HOST = { applicationId: '1234567890', userId: '1' }

let clock: FakeClock
let ledger: InviteLedger
beforeEach(() => {
  clock = new FakeClock()
  ledger = new InviteLedger(clock)
})

function message(type: 1 | 5, from: string, place = 0): ActivityMessage {
  const read = readActivityMessage(activityMessage(type, { at: clock.now(), place, from }), HOST)
  if (read === undefined) throw new Error('not read')
  return read
}

describe('a request', () => {
  it('is consumed once, by the account that received it', () => {
    expect(ledger.recordRequest(HOST, message(5, '2'))).toBe(true)
    expect(ledger.consumeRequest({ ...HOST, userId: '9' }, '2')).toBeUndefined()
    expect(ledger.consumeRequest({ ...HOST, applicationId: '9' }, '2')).toBeUndefined()
    expect(ledger.consumeRequest(HOST, '2')).toMatchObject({ kind: 'request', author: { id: '2' } })
    expect(ledger.consumeRequest(HOST, '2')).toBeUndefined()
  })

  it('received twice is recorded once, and a later one replaces it', () => {
    ledger.recordRequest(HOST, message(5, '2', 1))
    expect(ledger.recordRequest(HOST, message(5, '2', 1))).toBe(false)
    expect(ledger.recordRequest(HOST, message(5, '2', 2))).toBe(true)
    expect(ledger.recordRequest(HOST, message(5, '2', 1))).toBe(false)
    ledger.consumeRequest(HOST, '2')
    expect(ledger.consumeRequest(HOST, '2')).toBeUndefined()
  })

  it('expires after six hours, without a timer', () => {
    ledger.recordRequest(HOST, message(5, '2'))
    expect(OPEN_MS).toBe(6 * 3_600_000)
    expect(clock.pending).toBe(0)
    clock.advance(OPEN_MS - 1)
    expect(ledger.consumeRequest(HOST, '2')).toBeDefined()
  })

  it('expires six hours after it was sent, however late it was received', () => {
    const [old, toCome] = [message(5, '2'), { ...message(5, '3'), messageId: '9223372036854775807' }]
    clock.advance(OPEN_MS - 1)
    ledger.recordRequest(HOST, old)
    ledger.recordRequest(HOST, toCome)
    clock.advance(1)
    expect(ledger.consumeRequest(HOST, '2')).toBeUndefined()
    clock.advance(OPEN_MS - 1)
    expect(ledger.consumeRequest(HOST, '3')).toBeUndefined()
  })

  it('is dropped when there are too many, the oldest first', () => {
    for (let asker = 0; asker <= 1_000; asker++) ledger.recordRequest(HOST, message(5, String(1000 + asker)))
    expect(ledger.consumeRequest(HOST, '1000')).toBeUndefined()
    expect(ledger.consumeRequest(HOST, '1001')).toBeDefined()
  })
})

describe('an outgoing request', () => {
  const open = (place = 0) => ({ account: HOST, invite: message(1, '2', place) })
  const ask = (place = 0) => message(5, HOST.userId, place)

  it('is answered by one invite in the same conversation, for the same game', () => {
    ledger.recordOutgoingRequest(HOST.userId, ask())
    expect(ledger.consumeOutgoingRequest({ ...open(), invite: { ...message(1, '2'), channelId: '78' } })).toBe(false)
    expect(ledger.consumeOutgoingRequest({ ...open(), invite: { ...message(1, '2'), applicationId: '9' } })).toBe(false)
    expect(ledger.consumeOutgoingRequest(open(1))).toBe(true)
    expect(ledger.consumeOutgoingRequest(open(2))).toBe(false)
  })

  it('received again after its answer is not open again', () => {
    ledger.recordOutgoingRequest(HOST.userId, ask(1))
    expect(ledger.consumeOutgoingRequest(open(2))).toBe(true)
    ledger.recordOutgoingRequest(HOST.userId, ask(1))
    expect(ledger.consumeOutgoingRequest(open(3))).toBe(false)
    ledger.recordOutgoingRequest(HOST.userId, ask(4))
    expect(ledger.consumeOutgoingRequest(open(5))).toBe(true)
  })
})

describe('a request that was answered on another device', () => {
  it('is closed, and a later one is not', () => {
    ledger.recordRequest(HOST, message(5, '2', 1))
    ledger.recordRequest(HOST, { ...message(5, '3', 1), channelId: '78' })
    ledger.closeAnsweredRequests(HOST, message(1, HOST.userId, 2))
    expect(ledger.consumeRequest(HOST, '2')).toBeUndefined()
    expect(ledger.consumeRequest(HOST, '3')).toBeDefined()
    ledger.recordRequest(HOST, message(5, '2', 3))
    ledger.closeAnsweredRequests(HOST, message(1, HOST.userId, 2))
    ledger.closeAnsweredRequests({ ...HOST, userId: '9' }, message(1, HOST.userId, 4))
    expect(ledger.consumeRequest(HOST, '2')).toBeDefined()
  })
})

describe('a deleted account', () => {
  it('leaves no entries, and keeps those of other accounts', () => {
    const other = { ...HOST, userId: '11' }
    for (const account of [HOST, other]) {
      ledger.recordRequest(account, message(5, '2'))
      ledger.recordInvite({ account, invite: message(1, '2', Number(account.userId)) })
      ledger.recordOutgoingRequest(account.userId, message(5, account.userId))
    }
    ledger.deleteAccount(HOST)
    expect(ledger.consumeRequest(HOST, '2')).toBeUndefined()
    expect(ledger.consumeRequest(other, '2')).toBeDefined()
    expect(ledger.openInvites().map(({ account }) => account)).toEqual([other])
    const answer = message(1, '2', 99)
    expect([HOST, other].map((account) => ledger.consumeOutgoingRequest({ account, invite: answer }))).toEqual([false, true])
  })
})

describe('an invite', () => {
  const open = () => ({ account: HOST, invite: message(1, '2') })

  it('is open until it is accepted, and again when that failed', () => {
    const { invite } = open()
    expect(ledger.recordInvite(open())).toBe(true)
    expect(ledger.recordInvite(open())).toBe(false)
    expect(ledger.openInvites()).toHaveLength(1)
    ledger.accept(HOST.userId, invite.messageId)
    expect(ledger.openInvites()).toEqual([])
    ledger.revertAccept(HOST.userId, invite.messageId)
    expect(ledger.openInvites()).toHaveLength(1)
  })

  it('that one account cannot accept is no longer open for it', () => {
    ledger.recordInvite(open())
    ledger.deleteInvite({ ...HOST, applicationId: '42' }, open().invite.messageId)
    expect(ledger.openInvites()).toHaveLength(1)
    ledger.deleteInvite(HOST, open().invite.messageId)
    expect(ledger.openInvites()).toEqual([])
  })

  it('received by several games of a user counts once, and is accepted for all', () => {
    const sibling = { ...open(), account: { ...HOST, applicationId: '42' } }
    ledger.recordInvite(open())
    expect(ledger.recordInvite(sibling)).toBe(true)
    expect(ledger.openInvites()).toHaveLength(1)
    ledger.accept(HOST.userId, open().invite.messageId)
    expect(ledger.recordInvite({ ...open(), account: { ...HOST, applicationId: '43' } })).toBe(false)
  })
})
