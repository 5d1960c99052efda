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
    expect(ledger.open(HOST, message(5, '2', 1))).toBe(false)
    ledger.takeRequest(HOST, '2')
    expect(ledger.takeRequest(HOST, '2')).toBeUndefined()
  })

  it('ends after six hours, without any timer', () => {
    ledger.open(HOST, message(5, '2'))
    expect(OPEN_MS).toBe(6 * 3_600_000)
    expect(clock.pending).toBe(0)
    clock.advance(OPEN_MS - 1)
    expect(ledger.takeRequest(HOST, '2')).toBeDefined()
  })

  it('ends six hours after it was made, however late it was heard', () => {
    const [old, toCome] = [message(5, '2'), { ...message(5, '3'), messageId: '9223372036854775807' }]
    clock.advance(OPEN_MS - 1)
    ledger.open(HOST, old)
    ledger.open(HOST, toCome)
    clock.advance(1)
    expect(ledger.takeRequest(HOST, '2')).toBeUndefined()
    clock.advance(OPEN_MS - 1)
    expect(ledger.takeRequest(HOST, '3')).toBeUndefined()
  })

  it('gives way when there are too many, the oldest first', () => {
    for (let asker = 0; asker <= MOST_OPEN; asker++) ledger.open(HOST, message(5, String(1000 + asker)))
    expect(ledger.takeRequest(HOST, '1000')).toBeUndefined()
    expect(ledger.takeRequest(HOST, '1001')).toBeDefined()
  })
})

describe('an ask of our own', () => {
  const open = (place = 0) => ({ party: HOST, invite: message(1, '2', place) })
  const ask = (place = 0) => message(5, HOST.userId, place)

  it('is answered by one invite in the same conversation, for the same game', () => {
    ledger.asked(HOST.userId, ask())
    expect(ledger.takeAsk({ ...open(), invite: { ...message(1, '2'), channelId: '78' } })).toBe(false)
    expect(ledger.takeAsk({ ...open(), invite: { ...message(1, '2'), applicationId: '9' } })).toBe(false)
    expect(ledger.takeAsk(open(1))).toBe(true)
    expect(ledger.takeAsk(open(2))).toBe(false)
  })

  it('that is heard of again after its answer, the answer of the call came late, is not open anew', () => {
    ledger.asked(HOST.userId, ask(1))
    expect(ledger.takeAsk(open(2))).toBe(true)
    ledger.asked(HOST.userId, ask(1))
    expect(ledger.takeAsk(open(3))).toBe(false)
    ledger.asked(HOST.userId, ask(4))
    expect(ledger.takeAsk(open(5))).toBe(true)
  })
})

describe('a request whose answer was given elsewhere', () => {
  it('is closed, and one that came after that is not', () => {
    ledger.open(HOST, message(5, '2', 1))
    ledger.open(HOST, { ...message(5, '3', 1), channelId: '78' })
    ledger.answered(HOST, message(1, HOST.userId, 2))
    expect(ledger.takeRequest(HOST, '2')).toBeUndefined()
    expect(ledger.takeRequest(HOST, '3')).toBeDefined()
    ledger.open(HOST, message(5, '2', 3))
    ledger.answered(HOST, message(1, HOST.userId, 2))
    ledger.answered({ ...HOST, userId: '9' }, message(1, HOST.userId, 4))
    expect(ledger.takeRequest(HOST, '2')).toBeDefined()
  })
})

describe('an account that is in use no more', () => {
  it('leaves nothing behind, and takes nothing of another one along', () => {
    const other = { ...HOST, userId: '11' }
    for (const party of [HOST, other]) {
      ledger.open(party, message(5, '2'))
      ledger.invited({ party, invite: message(1, '2', Number(party.userId)) })
      ledger.asked(party.userId, message(5, party.userId))
    }
    ledger.forget(HOST)
    expect(ledger.takeRequest(HOST, '2')).toBeUndefined()
    expect(ledger.takeRequest(other, '2')).toBeDefined()
    expect(ledger.openInvites().map(({ party }) => party)).toEqual([other])
    const answer = message(1, '2', 99)
    expect([HOST, other].map((party) => ledger.takeAsk({ party, invite: answer }))).toEqual([false, true])
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

  it('that leads nowhere for one account is not offered by it any more', () => {
    ledger.invited(open())
    ledger.endInvite({ ...HOST, applicationId: '42' }, open().invite.messageId)
    expect(ledger.openInvites()).toHaveLength(1)
    ledger.endInvite(HOST, open().invite.messageId)
    expect(ledger.openInvites()).toEqual([])
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
