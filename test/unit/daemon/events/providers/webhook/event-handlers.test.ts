/** The effects of webhook events: which sessions receive them, and what the history stores. */
import { type EventName, EVENTS, type Interaction, type UserMessage } from '@sallyport/protocol'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation, MessageHistory } from '#daemon/src/events/messages/history.ts'
import { storedHistory } from '#daemon/src/events/messages/stored-history.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import type { Publish } from '#daemon/src/events/outgoing-event.ts'
import { createEventHandler, publishInteraction, WEBHOOK_EVENTS } from '#daemon/src/events/providers/webhook/event-handlers.ts'
import type { WebhookEvent } from '#daemon/src/platform/webhook/delivery-handler.ts'
import { dataHealth } from '#test/support/data-health.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const APPLICATION = '10'
const ADA = { id: '1', username: 'ada', discriminator: '0', avatar: null }
const GRACE = { id: '2', username: 'grace', discriminator: '0', avatar: null }
const OF_ADA: Conversation = { applicationId: APPLICATION, userId: ADA.id, peerId: GRACE.id }
const OF_GRACE: Conversation = { applicationId: APPLICATION, userId: GRACE.id, peerId: ADA.id }
const EPOCH = 1_420_070_400_000

let directory: string
let clock: FakeClock
let history: MessageHistory
let allowedAt: number
let ended: string[]
let published: { name: string; args: object; data: unknown; recipients: string[] }[]
/** `<user> <lobby>` with read access. */
let readable: Set<string>
let readAs: string[]
/** Sessions that subscribed to lobby 30 by id. */
let subscribers: Session[]
let keys: (string | undefined)[]
let follow: ReturnType<typeof createEventHandler>

const connection = (applicationId: string, userId?: string, scopes = ['lobbies.write']) =>
  ({ applicationId, scopes: new Set(scopes), ...(userId === undefined ? {} : { signedIn: { userId } }) }) as unknown as Session
const CONNECTIONS = {
  ada: connection(APPLICATION, '1'),
  grace: connection(APPLICATION, '2'),
  elsewhere: connection('11', '1'),
  anonymous: connection(APPLICATION),
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'follow-'))
  clock = new FakeClock()
  history = storedHistory({ health: dataHealth(directory), platform: 'test', clock, log: new RecordingLog() })
  allowedAt = clock.now() - 60_000
  ended = []
  published = []
  readable = new Set()
  readAs = []
  subscribers = []
  keys = []
  follow = opened()
})
afterEach(async () => {
  await history.close()
  rmSync(directory, { recursive: true })
})

const publish: Publish = ({ name, args, data: sent, isRecipient: isFor, dedupeKey: key }) => {
  const recipients = Object.entries(CONNECTIONS).filter(([, one]) => isFor(one))
  published.push({ name, args, data: sent, recipients: recipients.map(([who]) => who) })
  keys.push(key)
  return recipients.length
}
const opened = () =>
  createEventHandler({
    clock,
    history,
    authorizedAfter: ({ applicationId, userId }, moment) => applicationId === APPLICATION && userId === ADA.id && moment < allowedAt,
    accounts: {
      async apply({ applicationId, userId }, event) {
        ended.push(`${applicationId} ${userId} ${event}`)
        return { state: 'unlinked', signIn: [] }
      },
    },
    publish,
    hub: { subscribersOf: ({ args }) => ('lobby_id' in args && args.lobby_id === '30' ? subscribers : []) },
    async canReadLobby({ signedIn }, lobbyId) {
      readAs.push(`${signedIn?.userId} ${lobbyId}`)
      return readable.has(`${signedIn?.userId} ${lobbyId}`)
    },
  })
const happens = (type: WebhookEvent['type'], data: unknown, at: number | null = clock.now()) =>
  follow({ type, applicationId: APPLICATION, at: at ?? undefined, data } as WebhookEvent)

describe('an entitlement', () => {
  const OWNED = { id: '5', sku_id: '6', application_id: APPLICATION, user_id: ADA.id, type: 8 }
  test.each(['ENTITLEMENT_CREATE', 'ENTITLEMENT_UPDATE', 'ENTITLEMENT_DELETE'] as const)(
    '%s is published only to sessions of its owner',
    async (type) => {
      await happens(type, OWNED)
      expect(published).toEqual([{ name: type, args: {}, data: { entitlement: OWNED }, recipients: ['ada'] }])
      expect(EVENTS[type satisfies EventName].data.safeParse(published[0]?.data).success).toBe(true)
    },
  )
  test.each([
    ['of a guild', { ...OWNED, user_id: null, guild_id: '7' }],
    ['of another application', { ...OWNED, application_id: '11' }],
  ])('%s is published to no session', async (_, data) => {
    await happens('ENTITLEMENT_CREATE', data)
    expect(published).toEqual([])
  })
})

describe('the end of an authorization', () => {
  const GONE = [`${APPLICATION} ${ADA.id} deauthorized`]
  test.each([
    ['delivered at once deauthorizes the account', 0, 0, GONE],
    ['delivered late deauthorizes it', 50_000, 60_000, GONE],
    ['delivered late is ignored if the user authorized the application since', 61_000, 60_000, []],
    ['is that even if it came by the second attempt', 1_500, 1_000, []],
  ])('%s', { tags: ['5-27'] }, async (_, age, allowedAgo, expected) => {
    allowedAt = clock.now() - allowedAgo
    await happens('APPLICATION_DEAUTHORIZED', { user: { id: ADA.id } }, clock.now() - age)
    expect(ended).toEqual(expected)
  })
  test('without a time ends it', async () => {
    allowedAt = clock.now()
    await happens('APPLICATION_DEAUTHORIZED', { user: { id: ADA.id } }, null)
    expect(ended).toEqual(GONE)
  })
})

describe('an installation', () => {
  const installed = { integration_type: 1, scopes: ['identify'] }
  test('is published to the user who made it, without private fields', { tags: ['6-11'] }, async () => {
    await happens('APPLICATION_AUTHORIZED', { ...installed, user: { ...ADA, email: 'ada@example.test', premium_type: 2 } })
    const user = { ...ADA, global_name: null, bot: false, flags: 0 }
    expect(published).toEqual([{ name: 'APPLICATION_AUTHORIZED', args: {}, data: { ...installed, user }, recipients: ['ada'] }])
    expect(EVENTS.APPLICATION_AUTHORIZED.data.safeParse(published[0]?.data).success).toBe(true)
    expect(ended).toEqual([])
  })
  test('by a user who is not named is published to no session', async () => {
    await happens('APPLICATION_AUTHORIZED', { ...installed, user: { id: ADA.id } })
    expect(published).toEqual([])
  })
})

test('every event of webhooks can be subscribed', { tags: ['6-11', '6-13'] }, () => {
  const subscribable = Object.entries(EVENTS).flatMap(([name, { delivery }]) => (delivery === 'subscription' ? [name] : []))
  expect(subscribable).toEqual(expect.arrayContaining([...WEBHOOK_EVENTS]))
})

describe('an enrollment in a quest', () => {
  const at = '2025-11-21T12:00:00.000000+00:00'
  test.each([
    ['by its id', { user_id: ADA.id }],
    ['as an object', { user: ADA }],
  ])('is published to the user, named %s, and is the status of the quest', { tags: ['6-13'] }, async (_, user) => {
    await happens('QUEST_USER_ENROLLMENT', { quest_id: '5', enrolled_at: at, ...user })
    expect(published.map(({ name, data, recipients }) => [name, data, recipients])).toEqual([
      ['QUEST_USER_ENROLLMENT', { quest_id: '5', enrolled_at: at, user_id: ADA.id }, ['ada']],
      ['QUEST_ENROLLMENT_STATUS_UPDATE', { quest_id: '5', is_enrolled: true, enrolled_at: at }, ['ada']],
    ])
    for (const { name, data } of published) expect(EVENTS[name as EventName].data.safeParse(data).success).toBe(true)
  })
  test('without a quest has no status; without a user it reaches no session', async () => {
    await happens('QUEST_USER_ENROLLMENT', { user_id: ADA.id })
    await happens('QUEST_USER_ENROLLMENT', { quest_id: '5' })
    expect(published.map(({ name }) => name)).toEqual(['QUEST_USER_ENROLLMENT'])
  })
})

test('an interaction is published to every signed-in session of its application', () => {
  const interaction = { application_id: APPLICATION, id: '77' } as Interaction
  expect(publishInteraction(interaction, { publish })).toBe(2)
  expect(published).toEqual([{ name: 'INTERACTION_CREATE', args: {}, data: interaction, recipients: ['ada', 'grace'] }])
})

describe('a message in a lobby', () => {
  const message = { id: '90', lobby_id: '30', content: 'Ready?', author: GRACE, channel_id: '30', type: 0, flags: 0 }
  const TYPES = ['LOBBY_MESSAGE_CREATE', 'LOBBY_MESSAGE_UPDATE', 'LOBBY_MESSAGE_DELETE'] as const

  test.each(TYPES)('%s is published to every session of a user who subscribed to the lobby and may read it', async (type) => {
    subscribers = [CONNECTIONS.ada, CONNECTIONS.grace]
    readable.add('1 30')
    await happens(type, message)
    expect(published).toEqual([{ name: type, args: { lobby_id: '30' }, data: message, recipients: ['ada'] }])
    expect(readAs.toSorted()).toEqual(['1 30', '2 30'])
    expect(EVENTS[type satisfies EventName].data.safeParse(published[0]?.data).success).toBe(true)
  })
  test('is neither checked for nor published to users who did not subscribe to the lobby by id', async () => {
    for (const user of ['1', '2']) readable.add(`${user} 30`)
    await happens('LOBBY_MESSAGE_CREATE', message)
    expect([readAs, published]).toEqual([[], []])
  })
  test('of another lobby is not published to subscribers of this one', async () => {
    subscribers = [CONNECTIONS.ada]
    readable.add('1 30')
    await happens('LOBBY_MESSAGE_CREATE', { ...message, lobby_id: '31' })
    expect([readAs, published]).toEqual([[], []])
  })
  test('is not checked on behalf of a session of another application, without a user, or without the scope', async () => {
    subscribers = [CONNECTIONS.elsewhere, CONNECTIONS.anonymous, connection(APPLICATION, '3', ['identify'])]
    await happens('LOBBY_MESSAGE_CREATE', message)
    expect([readAs, published]).toEqual([[], []])
  })
  test('is one read for a user with two sessions', async () => {
    subscribers = [CONNECTIONS.ada, connection(APPLICATION, '1')]
    readable.add('1 30')
    await happens('LOBBY_MESSAGE_CREATE', message)
    expect([readAs, published.length]).toEqual([['1 30'], 1])
  })
})

test('the same event has one dedupe key per user, and each update its own', async () => {
  subscribers = [CONNECTIONS.ada]
  readable.add('1 30')
  const lobby = { id: '90', lobby_id: '30', content: 'Ready?', author: GRACE }
  const direct = { id: '91', content: 'Ahoy', author: ADA, recipient_id: GRACE.id }
  const owned = { id: '5', sku_id: '6', application_id: APPLICATION, user_id: ADA.id, type: 8 }
  const events: readonly (readonly [WebhookEvent['type'], object])[] = [
    ['LOBBY_MESSAGE_CREATE', lobby],
    ['LOBBY_MESSAGE_UPDATE', lobby],
    ['LOBBY_MESSAGE_UPDATE', { ...lobby, content: 'Ready!' }],
    ['LOBBY_MESSAGE_UPDATE', { ...lobby, edited_timestamp: '2025-11-21T12:00:00.000000+00:00' }],
    ['LOBBY_MESSAGE_DELETE', lobby],
    ['GAME_DIRECT_MESSAGE_CREATE', direct],
    ['ENTITLEMENT_UPDATE', owned],
    ['ENTITLEMENT_UPDATE', { ...owned, ends_at: '2025-12-01T00:00:00+00:00' }],
  ]
  for (const [type, data] of events) await happens(type, data)
  const first = [...keys]
  expect(new Set(first).size).toBe(9)
  expect(first).not.toContain(undefined)
  keys = []
  for (const [type, data] of events) await happens(type, { ...data, seen_elsewhere: true })
  expect(keys).toEqual(first)
})

describe('a direct message', () => {
  const message = (seconds: number, content: string): UserMessage => ({
    id: (BigInt(clock.now() - 60_000 + seconds * 1000 - EPOCH) << 22n).toString(),
    content,
    channel_id: '3',
    author: ADA,
    recipient_id: GRACE.id,
    timestamp: '2025-11-21T11:59:00.000000+00:00',
    edited_timestamp: null,
    moderation_metadata: { verdict: 'fine' },
  })
  const read = async (conversation: Conversation) => (await history.load(conversation, 5))?.map(({ content }) => content)
  let first: UserMessage
  beforeEach(async () => {
    first = message(1, 'Ahoy')
    for (const side of [OF_ADA, OF_GRACE]) await history.store(side, history.mark(), 5, [first])
  })

  test.each(['GAME_DIRECT_MESSAGE_CREATE', 'GAME_DIRECT_MESSAGE_UPDATE', 'GAME_DIRECT_MESSAGE_DELETE'] as const)(
    '%s is published only to sessions of both participants',
    async (type) => {
      const land = message(2, 'Land')
      await happens(type, land)
      expect(published.map(({ name, args, data, recipients }) => ({ name, args, data, recipients }))).toEqual([
        { name: type, args: {}, data: land, recipients: ['ada'] },
        { name: type, args: {}, data: land, recipients: ['grace'] },
      ])
      expect(EVENTS[type satisfies EventName].data.safeParse(land).success).toBe(true)
      await happens(type, { id: land.id })
      expect(published).toHaveLength(2)
    },
  )
  test.each([
    ['its author, when it does not say to whom it went', ({ recipient_id: _, ...rest }: UserMessage) => rest, ['ada']],
    ['its recipient, when it does not say by whom', ({ author: _, ...rest }: UserMessage) => rest, ['grace']],
    [
      'its author, when several may be meant',
      ({ recipient_id: _, ...rest }: UserMessage) => ({ ...rest, channel: { recipients: [GRACE, { id: '3' }] } }),
      ['ada'],
    ],
    ['no session if it is a lobby message of a linked channel', (land: UserMessage) => ({ ...land, lobby_id: '30' }), []],
  ])('is published to %s', async (_, part, sides) => {
    for (const type of ['GAME_DIRECT_MESSAGE_CREATE', 'GAME_DIRECT_MESSAGE_UPDATE', 'GAME_DIRECT_MESSAGE_DELETE'] as const) {
      published = []
      await happens(type, part(message(2, 'Land')))
      expect(published.map(({ name, recipients }) => [name, recipients])).toEqual(sides.length === 0 ? [] : [[type, sides]])
    }
  })
  test('that is sent, edited and deleted at once is published in that order, also before the history is open', async () => {
    await history.close()
    mkdirSync(join(directory, 'new'), { mode: 0o700 })
    history = storedHistory({ health: dataHealth(join(directory, 'new')), platform: 'test', clock, log: new RecordingLog() })
    follow = opened()
    const land = message(2, 'Land')
    await Promise.all([
      happens('GAME_DIRECT_MESSAGE_CREATE', land, null),
      happens('GAME_DIRECT_MESSAGE_UPDATE', { ...land, content: 'Land!' }),
      happens('GAME_DIRECT_MESSAGE_DELETE', land),
    ])
    expect(published.map(({ name }) => name.slice(20))).toEqual(['CREATE', 'CREATE', 'UPDATE', 'UPDATE', 'DELETE', 'DELETE'])
  })
  test('is added to the history of both participants', async () => {
    await happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'Land'))
    expect(await read(OF_ADA)).toEqual(['Land', 'Ahoy'])
    expect(await read(OF_GRACE)).toEqual(['Land', 'Ahoy'])
  })
  test('may name its recipient only in its channel', async () => {
    const { recipient_id: _, ...rest } = message(2, 'Land')
    await happens('GAME_DIRECT_MESSAGE_CREATE', { ...rest, channel: { recipients: [ADA, GRACE] } })
    expect(await read(OF_GRACE)).toEqual(['Land', 'Ahoy'])
  })
  test('gets its new text, and loses the moderation result of the old one', async () => {
    await happens('GAME_DIRECT_MESSAGE_UPDATE', { id: first.id, content: 'Ahoy!', channel_id: '3', author: ADA, recipient_id: GRACE.id })
    const [changed] = (await history.load(OF_GRACE, 5)) ?? []
    expect(changed).toEqual({ ...first, content: 'Ahoy!', moderation_metadata: undefined })
  })
  test('keeps its new text when the old one arrives late', async () => {
    const edited = { ...first, content: 'Ahoy!', edited_timestamp: '2025-11-21T11:59:30.000000+00:00' }
    await happens('GAME_DIRECT_MESSAGE_UPDATE', edited)
    await happens('GAME_DIRECT_MESSAGE_CREATE', first)
    expect(await read(OF_ADA)).toEqual(['Ahoy!'])
  })
  test('is deleted from the history of both participants', async () => {
    await happens('GAME_DIRECT_MESSAGE_DELETE', { id: first.id, channel_id: '3' })
    expect(await read(OF_ADA)).toEqual([])
    expect(await read(OF_GRACE)).toEqual([])
  })
  test.each([
    ['that is partial', async () => happens('GAME_DIRECT_MESSAGE_UPDATE', { id: '9', content: 'x', author: ADA, recipient_id: GRACE.id })],
    ['that arrives late', async () => happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'Land'), clock.now() - 30_001)],
    ['that does not say when it was written', async () => happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'Land'), null)],
    ['that is too long to be kept', async () => happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'x'.repeat(40_000)))],
  ])('%s makes the next read go to the platform', async (_, deliver) => {
    await deliver()
    expect(await read(OF_ADA)).toBeUndefined()
    expect(await read(OF_GRACE)).toBeUndefined()
  })
  test('has no effect without a known recipient', async () => {
    const { recipient_id: _, ...rest } = message(2, 'Land')
    await happens('GAME_DIRECT_MESSAGE_CREATE', rest)
    expect(await read(OF_ADA)).toEqual(['Ahoy'])
  })
  test('does not start a history', async () => {
    await happens('GAME_DIRECT_MESSAGE_CREATE', { ...message(2, 'Land'), recipient_id: '77' })
    expect(await read({ ...OF_ADA, peerId: '77' })).toBeUndefined()
  })
})
