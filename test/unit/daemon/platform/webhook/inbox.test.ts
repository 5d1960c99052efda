/** What a delivery to the webhook listener comes to: taken once, refused, ignored. */
import { WEBHOOK_EVENT_TYPES } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { Inbox, type WebhookEvent } from '../../../../../daemon/src/platform/webhook/inbox.ts'
import { publicKey } from '../../../../../daemon/src/platform/webhook/signature.ts'
import { FakeClock, settled } from '../../../../support/fake-clock.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'
import { APPLICATION, eventOf, PING, PUBLIC_KEY, signed, strangersKey } from '../../events/providers/webhook/sender.ts'

const MINUTE = 60_000
const USER = { id: '42', username: 'ada' }
const LEFT = eventOf('APPLICATION_DEAUTHORIZED', { user: USER })

let clock: FakeClock
let log: RecordingLog
let acted: WebhookEvent[]
let failure: Error | undefined
let inbox: Inbox

beforeEach(() => {
  clock = new FakeClock()
  log = new RecordingLog()
  acted = []
  failure = undefined
  const key = publicKey(PUBLIC_KEY)
  inbox = new Inbox({
    clock,
    log,
    keyOf: (applicationId) => (applicationId === APPLICATION ? key : undefined),
    async act(event) {
      acted.push(event)
      if (failure !== undefined) throw failure
    },
  })
})
const send = (message: object | string) => inbox.receive(signed(message, clock.now()))

test('a sign of life is answered, and nothing follows', async () => {
  expect(send(PING)).toBe(204)
  await settled()
  expect(acted).toEqual([])
  expect(inbox.counters).toEqual({ pings: 1, events: 0, duplicates: 0, ignored: 0, refused: 0 })
})

test('an event is answered first and carried out after', async () => {
  expect(send(LEFT)).toBe(204)
  expect(acted).toEqual([])
  await settled()
  expect(acted).toEqual([
    { type: 'APPLICATION_DEAUTHORIZED', applicationId: APPLICATION, at: Date.UTC(2025, 10, 21, 12), data: { user: USER } },
  ])
})

describe('refused with 401, and nothing follows', () => {
  const good = () => signed(LEFT, clock.now())
  test.each([
    ['no signature', () => ({ ...good(), signature: undefined })],
    ['no timestamp', () => ({ ...good(), timestamp: undefined })],
    ['a signature that cannot be one', () => ({ ...good(), signature: 'zz'.repeat(64) })],
    ['a signature with something behind it', () => ({ ...good(), signature: `${good().signature}00` })],
    ['the signature of somebody else', () => signed(LEFT, clock.now(), strangersKey)],
    ['another body', () => ({ ...good(), body: Buffer.from(JSON.stringify(PING)) })],
    ['another timestamp', () => ({ ...good(), timestamp: String(Math.floor(clock.now() / 1000) - 1) })],
    ['an application whose key is not known', () => ({ ...good(), applicationId: '223456789012345678' })],
    ['a timestamp of long ago', () => signed(LEFT, clock.now() - 5 * MINUTE - 1000)],
    ['a timestamp far ahead', () => signed(LEFT, clock.now() + 5 * MINUTE + 1000)],
  ])('%s', async (_, delivery) => {
    expect(inbox.receive(delivery())).toBe(401)
    await settled()
    expect(acted).toEqual([])
    expect(inbox.counters.refused).toBe(1)
  })
  test('but not at the edge of the window', () => {
    expect(inbox.receive(signed(PING, clock.now() - 5 * MINUTE))).toBe(204)
    expect(inbox.receive(signed(PING, clock.now() + 5 * MINUTE))).toBe(204)
  })
})

describe('when an event happened', () => {
  const at = async (timestamp: string, signedAt: number) => {
    expect(inbox.receive(signed(eventOf('APPLICATION_DEAUTHORIZED', { user: USER }, timestamp), signedAt))).toBe(204)
    await settled()
    return acted.at(-1)?.at
  }
  const iso = (ms: number): string => new Date(ms).toISOString()

  test.each([
    ['an offset', '2025-11-21T13:30:00.000000+02:00'],
    ['an offset without a colon', '2025-11-21T13:30:00+0200'],
    ['a Z', '2025-11-21T11:30:00.000Z'],
    ['neither', '2025-11-21T11:30:00.000000'],
  ])('is read with %s', async (_, timestamp) => {
    expect(await at(timestamp, clock.now())).toBe(clock.now() - 30 * MINUTE)
  })
  test.each(['yesterday', '2025-11-21', '', '2025-13-41T99:00:00', '9'.repeat(10_000)])('is not known by %j', async (timestamp) => {
    expect(await at(timestamp, clock.now())).toBeUndefined()
  })
  test.each([-4, 0, 4])("is said by how long before the delivery it was, though the sender's clock is %i minutes off", async (minutes) => {
    const theirs = clock.now() + minutes * MINUTE
    expect(await at(iso(theirs - 40_000), theirs)).toBe(clock.now() - 40_000)
    // Signed to the second, so that what has just happened may seem to be still to come.
    expect(await at(iso(theirs + 900), theirs)).toBe(clock.now())
  })
})

describe('trouble is told to whoever runs the bridge', () => {
  test('of a clock, or a relay, until a delivery comes in time', () => {
    expect(inbox.trouble).toBeUndefined()
    inbox.receive(signed(PING, clock.now() - 7 * MINUTE))
    expect(inbox.trouble).toContain("420 seconds before this machine's time")
    inbox.receive(signed(PING, clock.now() + 6 * MINUTE))
    expect(inbox.trouble).toContain("360 seconds after this machine's time")
    send(PING)
    expect(inbox.trouble).toBeUndefined()
  })
  test('of a key that nothing was signed with, until something is', () => {
    inbox.receive(signed(PING, clock.now(), strangersKey))
    expect(inbox.trouble).toContain(`application ${APPLICATION}`)
    send(PING)
    expect(inbox.trouble).toBeUndefined()
  })
  test('not of what platforms sign wrongly on purpose, once the key is known to be right', () => {
    send(PING)
    inbox.receive(signed(PING, clock.now(), strangersKey))
    expect(inbox.trouble).toBeUndefined()
  })
  test('not of applications that have no key, nor of an old delivery that nobody signed', () => {
    inbox.receive({ ...signed(PING, clock.now()), applicationId: '223456789012345678' })
    send(PING)
    inbox.receive(signed(PING, clock.now() - 7 * MINUTE, strangersKey))
    expect(inbox.trouble).toBeUndefined()
  })
})

describe('an event that was here before', () => {
  test('is taken and not carried out again, however it is signed anew', async () => {
    expect(send(LEFT)).toBe(204)
    expect(send(LEFT)).toBe(204)
    clock.advance(10 * MINUTE)
    expect(send(LEFT)).toBe(204)
    await settled()
    expect(acted).toHaveLength(1)
    expect(inbox.counters).toMatchObject({ events: 1, duplicates: 2 })
  })
  test('is another one when its type, its time or what it is about differs', async () => {
    send(LEFT)
    send(eventOf('APPLICATION_DEAUTHORIZED', { user: USER }, '2025-11-21T12:00:00.000001'))
    send(eventOf('APPLICATION_DEAUTHORIZED', { user: { id: '43' } }))
    send(eventOf('APPLICATION_AUTHORIZED', { user: USER, scopes: [] }))
    await settled()
    expect(acted).toHaveLength(4)
  })
  test('is known by its whole text when it says no time', async () => {
    const event = { ...LEFT, event: { type: 'APPLICATION_DEAUTHORIZED', data: { user: USER } } }
    send(event)
    send(event)
    send({ ...event, more: 1 })
    await settled()
    expect(acted.map(({ at }) => at)).toEqual([undefined, undefined])
  })
  test('is new again after twenty minutes', async () => {
    send(LEFT)
    clock.advance(20 * MINUTE)
    send(LEFT)
    await settled()
    expect(acted).toHaveLength(2)
  })
})

describe('ignored and counted', () => {
  test.each([
    ['a type that nobody knows', eventOf('MOON_LANDING', {})],
    ['a name of every object', eventOf('constructor', {})],
    ['data that does not fit its type', eventOf('APPLICATION_DEAUTHORIZED', { user: {} })],
    ['a kind that nobody knows', { ...PING, type: 7 }],
    ['an event without an event', { ...PING, type: 1 }],
  ])('%s', async (_, message) => {
    expect(send(message)).toBe(204)
    await settled()
    expect(acted).toEqual([])
    expect(inbox.counters).toMatchObject({ events: 0, ignored: 1 })
  })
  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['the envelope of another application', { ...PING, application_id: '223456789012345678' }],
  ])('as not to be read: %s', (_, message) => {
    expect(send(message)).toBe(400)
    expect(inbox.counters).toMatchObject({ pings: 0, ignored: 1 })
  })
})

const ENTITLEMENT = { id: '1', sku_id: '2', application_id: APPLICATION, user_id: '42', type: 8, gift_code_flags: 0, promotion_id: null }
const LINES: Readonly<Record<(typeof WEBHOOK_EVENT_TYPES)[number], unknown>> = {
  APPLICATION_AUTHORIZED: { integration_type: 0, user: USER, scopes: ['identify'], guild: { id: '5', name: 'Harbour' } },
  APPLICATION_DEAUTHORIZED: { user: USER },
  ENTITLEMENT_CREATE: ENTITLEMENT,
  ENTITLEMENT_UPDATE: ENTITLEMENT,
  ENTITLEMENT_DELETE: ENTITLEMENT,
  GAME_DIRECT_MESSAGE_CREATE: {
    id: '1',
    type: 0,
    content: 'Ahoy',
    author: USER,
    flags: 65_536,
    application_id: APPLICATION,
    channel: { id: '9' },
  },
  GAME_DIRECT_MESSAGE_UPDATE: { id: '1', content: 'Ahoy!', channel_id: '9', author: USER, recipient_id: '43' },
  GAME_DIRECT_MESSAGE_DELETE: { id: '1', channel_id: '9' },
  LOBBY_MESSAGE_CREATE: { id: '1', type: 0, content: 'Ahoy', lobby_id: '7', channel_id: '7', author: USER, flags: 0 },
  LOBBY_MESSAGE_UPDATE: {
    id: '1',
    type: 0,
    content: 'Ahoy',
    lobby_id: '7',
    channel_id: '7',
    author: USER,
    flags: 0,
    edited_timestamp: null,
  },
  LOBBY_MESSAGE_DELETE: { id: '1', lobby_id: '7' },
  QUEST_USER_ENROLLMENT: undefined,
}

test.each(WEBHOOK_EVENT_TYPES)('%s is read, with what it has besides', async (type) => {
  expect(send(eventOf(type, LINES[type]))).toBe(204)
  await settled()
  expect(acted.map((event) => [event.type, event.data])).toEqual([[type, LINES[type]]])
})

test('what fails after the answer is told in the log; nothing that was sent is', async () => {
  failure = new Error('no disk')
  send(eventOf('LOBBY_MESSAGE_CREATE', { ...(LINES.LOBBY_MESSAGE_CREATE as object), content: 'under the anchor' }))
  inbox.receive({ ...signed(LEFT, clock.now()), signature: 'ab'.repeat(64) })
  await settled()
  expect(log.problems.map(({ event }) => event)).toEqual(['webhook-failed'])
  expect(log.text).not.toMatch(/under the anchor|abab/)
})
