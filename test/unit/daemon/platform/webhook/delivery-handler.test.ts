/** Handling of webhook deliveries: accepted once, rejected, or ignored. */
import { type Interaction, WEBHOOK_EVENT_TYPES } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { DeliveryHandler, type WebhookEvent } from '#daemon/src/platform/webhook/delivery-handler.ts'
import { publicKey } from '#daemon/src/platform/webhook/signature.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { APPLICATION, eventOf, PING, PUBLIC_KEY, signed, strangersKey } from '../../events/providers/webhook/sender.ts'

const MINUTE = 60_000
const OTHER = '7700000000000000001'
const USER = { id: '42', username: 'ada' }
const LEFT = eventOf('APPLICATION_DEAUTHORIZED', { user: USER })

let clock: FakeClock
let log: RecordingLog
let acted: WebhookEvent[]
let interactions: Interaction[]
let failure: Error | undefined
let handler: DeliveryHandler

beforeEach(() => {
  clock = new FakeClock()
  log = new RecordingLog()
  acted = []
  interactions = []
  failure = undefined
  const key = publicKey(PUBLIC_KEY)
  handler = new DeliveryHandler({
    clock,
    log,
    publicKeyOf: (applicationId) => ([APPLICATION, OTHER].includes(applicationId) ? key : undefined),
    async onEvent(event) {
      acted.push(event)
      if (failure !== undefined) throw failure
    },
    onInteraction(interaction) {
      if (failure !== undefined) throw failure
      interactions.push(interaction)
      return 1
    },
  })
})
const send = (message: object | string) => handler.handle(signed(message, clock.now()))

test('a ping is accepted without an event', async () => {
  expect(send(PING)).toBe(204)
  await settled()
  expect(acted).toEqual([])
  expect(handler.counters).toEqual({ pings: 1, events: 0, duplicates: 0, ignored: 0, refused: 0 })
})

test('an event is handled after the response', async () => {
  expect(send(LEFT)).toBe(204)
  expect(acted).toEqual([])
  await settled()
  expect(acted).toEqual([
    { type: 'APPLICATION_DEAUTHORIZED', applicationId: APPLICATION, at: Date.UTC(2025, 10, 21, 12), data: { user: USER } },
  ])
})

describe('rejected with 401, without an event', () => {
  const good = () => signed(LEFT, clock.now())
  test.each([
    ['no signature', () => ({ ...good(), signature: undefined })],
    ['no timestamp', () => ({ ...good(), timestamp: undefined })],
    ['a signature that cannot be one', () => ({ ...good(), signature: 'zz'.repeat(64) })],
    ['a signature with something behind it', () => ({ ...good(), signature: `${good().signature}00` })],
    ['a signature with another key', () => signed(LEFT, clock.now(), strangersKey)],
    ['another body', () => ({ ...good(), body: Buffer.from(JSON.stringify(PING)) })],
    ['another timestamp', () => ({ ...good(), timestamp: String(Math.floor(clock.now() / 1000) - 1) })],
    ['an application whose key is not known', () => ({ ...good(), applicationId: '223456789012345678' })],
    ['a timestamp of long ago', () => signed(LEFT, clock.now() - 5 * MINUTE - 1000)],
    ['a timestamp far ahead', () => signed(LEFT, clock.now() + 5 * MINUTE + 1000)],
  ])('%s', async (_, delivery) => {
    expect(handler.handle(delivery())).toBe(401)
    await settled()
    expect(acted).toEqual([])
    expect(handler.counters.refused).toBe(1)
  })
  test('not at the edge of the window', () => {
    expect(handler.handle(signed(PING, clock.now() - 5 * MINUTE))).toBe(204)
    expect(handler.handle(signed(PING, clock.now() + 5 * MINUTE))).toBe(204)
  })
})

describe('the time of an event', () => {
  const at = async (timestamp: string, signedAt: number) => {
    expect(handler.handle(signed(eventOf('APPLICATION_DEAUTHORIZED', { user: USER }, timestamp), signedAt))).toBe(204)
    await settled()
    return acted.at(-1)?.at
  }
  const iso = (ms: number): string => new Date(ms).toISOString()

  test.each([
    ['an offset', '2025-11-21T13:30:00.000000+02:00'],
    ['an offset without a colon', '2025-11-21T13:30:00+0200'],
    ['a Z', '2025-11-21T11:30:00.000Z'],
    ['neither', '2025-11-21T11:30:00.000000'],
  ])('is parsed with %s', async (_, timestamp) => {
    expect(await at(timestamp, clock.now())).toBe(clock.now() - 30 * MINUTE)
  })
  test.each(['yesterday', '2025-11-21', '', '2025-13-41T99:00:00', '9'.repeat(10_000)])('is unknown for %j', async (timestamp) => {
    expect(await at(timestamp, clock.now())).toBeUndefined()
  })
  test.each([-4, 0, 4])("is relative to the delivery, with the sender's clock %i minutes off", async (minutes) => {
    const theirs = clock.now() + minutes * MINUTE
    expect(await at(iso(theirs - 40_000), theirs)).toBe(clock.now() - 40_000)
    // The signature has a resolution of one second, so a recent event may appear to be in the future.
    expect(await at(iso(theirs + 900), theirs)).toBe(clock.now())
  })
})

describe('problems are reported to the user', () => {
  test('for a clock or a relay, until a delivery arrives in time', () => {
    expect(handler.problem).toBeUndefined()
    handler.handle(signed(PING, clock.now() - 7 * MINUTE))
    expect(handler.problem).toContain('420 seconds older')
    handler.handle(signed(PING, clock.now() + 6 * MINUTE))
    expect(handler.problem).toContain('360 seconds newer')
    send(PING)
    expect(handler.problem).toBeUndefined()
  })
  test('for a key without a valid signature, until one arrives', () => {
    handler.handle(signed(PING, clock.now(), strangersKey))
    expect(handler.problem).toContain(`application ${APPLICATION}`)
    send(PING)
    expect(handler.problem).toBeUndefined()
  })
  test('not for deliberately wrong signatures, once the key is verified', () => {
    send(PING)
    handler.handle(signed(PING, clock.now(), strangersKey))
    expect(handler.problem).toBeUndefined()
  })
  test('not for applications without a key, nor for an old unsigned delivery', () => {
    handler.handle({ ...signed(PING, clock.now()), applicationId: '223456789012345678' })
    send(PING)
    handler.handle(signed(PING, clock.now() - 7 * MINUTE, strangersKey))
    expect(handler.problem).toBeUndefined()
  })
})

describe('a duplicate event', () => {
  test('is accepted and not handled again, even with a new signature', async () => {
    expect(send(LEFT)).toBe(204)
    expect(send(LEFT)).toBe(204)
    clock.advance(10 * MINUTE)
    expect(send(LEFT)).toBe(204)
    await settled()
    expect(acted).toHaveLength(1)
    expect(handler.counters).toMatchObject({ events: 1, duplicates: 2 })
  })
  test('is a different event if its type, time or subject differs', async () => {
    send(LEFT)
    send(eventOf('APPLICATION_DEAUTHORIZED', { user: USER }, '2025-11-21T12:00:00.000001'))
    send(eventOf('APPLICATION_DEAUTHORIZED', { user: { id: '43' } }))
    send(eventOf('APPLICATION_AUTHORIZED', { user: USER, scopes: [] }))
    await settled()
    expect(acted).toHaveLength(4)
  })
  test('is a different event of another application', async () => {
    send(LEFT)
    handler.handle({ ...signed({ ...LEFT, application_id: OTHER }, clock.now()), applicationId: OTHER })
    await settled()
    expect(acted.map(({ applicationId }) => applicationId)).toEqual([APPLICATION, OTHER])
  })
  test('is identified by its body without a timestamp', async () => {
    const event = { ...LEFT, event: { type: 'APPLICATION_DEAUTHORIZED', data: { user: USER } } }
    send(event)
    send(event)
    send({ ...event, more: 1 })
    await settled()
    expect(acted.map(({ at }) => at)).toEqual([undefined, undefined])
  })
  test('is handled again after twenty minutes', async () => {
    send(LEFT)
    clock.advance(20 * MINUTE)
    send(LEFT)
    await settled()
    expect(acted).toHaveLength(2)
  })
})

describe('ignored and counted', () => {
  test.each([
    ['an unknown type', eventOf('MOON_LANDING', {})],
    ['a name of every object', eventOf('constructor', {})],
    ['data that does not fit its type', eventOf('APPLICATION_DEAUTHORIZED', { user: {} })],
    ['an unknown kind', { ...PING, type: 7 }],
    ['an event without an event', { ...PING, type: 1 }],
  ])('%s', async (_, message) => {
    expect(send(message)).toBe(204)
    await settled()
    expect(acted).toEqual([])
    expect(handler.counters).toMatchObject({ events: 0, ignored: 1 })
  })
  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['the envelope of another application', { ...PING, application_id: '223456789012345678' }],
  ])('as unreadable: %s', (_, message) => {
    expect(send(message)).toBe(400)
    expect(handler.counters).toMatchObject({ pings: 0, ignored: 1 })
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
  QUEST_USER_ENROLLMENT: { quest_id: '5', user_id: '42', enrolled_at: null, extra: 1 },
}

test.each(WEBHOOK_EVENT_TYPES)('%s is parsed, with its extra fields', { tags: ['6-11', '6-13', '9.1-37'] }, async (type) => {
  expect(send(eventOf(type, LINES[type]))).toBe(204)
  await settled()
  expect(acted.map((event) => [event.type, event.data])).toEqual([[type, LINES[type]]])
})

test('a failure after the response is logged, without delivered data', async () => {
  failure = new Error('no disk')
  send(eventOf('LOBBY_MESSAGE_CREATE', { ...(LINES.LOBBY_MESSAGE_CREATE as object), content: 'under the anchor' }))
  handler.handle({ ...signed(LEFT, clock.now()), signature: 'ab'.repeat(64) })
  await settled()
  expect(log.problems.map(({ event }) => event)).toEqual(['webhook-failed'])
  expect(log.text).not.toMatch(/under the anchor|abab/)
})

describe('an interaction', () => {
  const TOKEN = 'aW50ZXJhY3Rpb24-of-ada'
  const INTERACTION = {
    id: '77',
    application_id: APPLICATION,
    type: 2,
    token: TOKEN,
    version: 1,
    data: { id: '9', name: 'play', type: 1 },
    app_permissions: '0',
    entitlements: [],
    authorizing_integration_owners: { '1': '42' },
    attachment_size_limit: 10_485_760,
  }
  const interact = (message: object) => handler.handle({ ...signed(message, clock.now()), kind: 'interactions' })

  test('is accepted with 202, because a game responds, and passed on once', async () => {
    expect([interact(INTERACTION), interact(INTERACTION)]).toEqual([202, 202])
    expect(interactions).toEqual([])
    await settled()
    expect(interactions).toEqual([INTERACTION])
    expect(handler.counters).toMatchObject({ events: 1, duplicates: 1 })
  })

  test('that is a ping is answered with 200, and reaches no game', async () => {
    expect(interact({ id: '1', application_id: APPLICATION, type: 1, token: TOKEN, version: 1 })).toBe(200)
    await settled()
    expect([interactions, handler.counters.pings]).toEqual([[], 1])
  })

  test.each([
    ['a wrong signature', 401, () => ({ ...signed(INTERACTION, clock.now(), strangersKey) })],
    ['another application in it', 400, () => signed({ ...INTERACTION, application_id: '5' }, clock.now())],
    ['the body of an event', 400, () => signed(LEFT, clock.now())],
    ['missing fields', 400, () => signed({ ...INTERACTION, entitlements: undefined }, clock.now())],
  ])('with %s is refused with %i', async (_, status, delivery) => {
    expect(handler.handle({ ...delivery(), kind: 'interactions' })).toBe(status)
    await settled()
    expect(interactions).toEqual([])
  })

  test('is no event at the webhook address', async () => {
    expect(send(INTERACTION)).toBe(204)
    await settled()
    expect([acted, interactions]).toEqual([[], []])
  })

  test('leaves no token in the log, also when a game cannot be reached', async () => {
    failure = new Error('no game')
    interact(INTERACTION)
    await settled()
    expect(log.problems.map(({ event }) => event)).toEqual(['webhook-failed'])
    expect(log.text).not.toContain(TOKEN)
  })
})
