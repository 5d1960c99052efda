/** What follows from webhook events: which connections hear of them, and what the history keeps. */
import { type EventName, EVENTS, type UserMessage } from '@sallyport/protocol'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation, MessageHistory } from '../../../../../../daemon/src/messages/history.ts'
import { storedHistory } from '../../../../../../daemon/src/messages/stored-history.ts'
import type { Session } from '../../../../../../daemon/src/sessions/session.ts'
import { follower } from '../../../../../../daemon/src/events/providers/webhook/follow.ts'
import type { WebhookEvent } from '../../../../../../daemon/src/platform/webhook/inbox.ts'
import { FakeClock } from '../../../../../support/fake-clock.ts'
import { RecordingLog } from '../../../../../support/recording-log.ts'

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
let published: { name: string; args: object; data: unknown; told: string[] }[]
/** `<user> <lobby>` that the platform lets read. */
let readable: Set<string>
let readAs: string[]
/** Connections that asked for lobby 30 by its id. */
let askers: Session[]
let keys: (string | undefined)[]
let follow: ReturnType<typeof follower>

const connection = (applicationId: string, userId?: string, scopes = ['lobbies.write']) =>
  ({ applicationId, scopes: new Set(scopes), ...(userId === undefined ? {} : { signedIn: { userId } }) }) as unknown as Session
const CONNECTIONS = {
  ada: connection(APPLICATION, '1'),
  grace: connection(APPLICATION, '2'),
  elsewhere: connection('11', '1'),
  nobody: connection(APPLICATION),
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'follow-'))
  clock = new FakeClock()
  history = storedHistory({ file: join(directory, 'history.sqlite'), platform: 'test', clock, log: new RecordingLog() })
  allowedAt = clock.now() - 60_000
  ended = []
  published = []
  readable = new Set()
  readAs = []
  askers = []
  keys = []
  follow = opened()
})
afterEach(async () => {
  await history.close()
  rmSync(directory, { recursive: true })
})

const opened = () =>
  follower({
    clock,
    history,
    allowedSince: (applicationId, userId, moment) => applicationId === APPLICATION && userId === ADA.id && moment < allowedAt,
    accounts: {
      async note(applicationId, userId, event) {
        ended.push(`${applicationId} ${userId} ${event}`)
        return { state: 'unlinked', signIn: [] }
      },
    },
    tell({ name, args, data: sent, isFor, key }) {
      const told = Object.entries(CONNECTIONS).filter(([, one]) => isFor(one))
      published.push({ name, args, data: sent, told: told.map(([who]) => who) })
      keys.push(key)
      return told.length
    },
    hub: { subscribersOf: ({ args }) => ('lobby_id' in args && args.lobby_id === '30' ? askers : []) },
    async mayReadLobby({ signedIn }, lobbyId) {
      readAs.push(`${signedIn?.userId} ${lobbyId}`)
      return readable.has(`${signedIn?.userId} ${lobbyId}`)
    },
  })
const happens = (type: WebhookEvent['type'], data: unknown, at: number | null = clock.now()) =>
  follow({ type, applicationId: APPLICATION, at: at ?? undefined, data } as WebhookEvent)

describe('an entitlement', () => {
  const OWNED = { id: '5', sku_id: '6', application_id: APPLICATION, user_id: ADA.id, type: 8 }
  test.each(['ENTITLEMENT_CREATE', 'ENTITLEMENT_UPDATE', 'ENTITLEMENT_DELETE'] as const)(
    '%s is told to the connections of its owner alone',
    async (type) => {
      await happens(type, OWNED)
      expect(published).toEqual([{ name: type, args: {}, data: { entitlement: OWNED }, told: ['ada'] }])
      expect(EVENTS[type satisfies EventName].data.safeParse(published[0]?.data).success).toBe(true)
    },
  )
  test.each([
    ['of a guild', { ...OWNED, user_id: null, guild_id: '7' }],
    ['of another application', { ...OWNED, application_id: '11' }],
  ])('%s is told to nobody', async (_, data) => {
    await happens('ENTITLEMENT_CREATE', data)
    expect(published).toEqual([])
  })
})

describe('the end of an authorization', () => {
  const GONE = [`${APPLICATION} ${ADA.id} deauthorized`]
  test.each([
    ['told at once ends the account', 0, 0, GONE],
    ['told late ends it', 50_000, 60_000, GONE],
    ['told late is that of a sign-in before, when the user has allowed the application since', 61_000, 60_000, []],
    ['is that even if it came by the second attempt', 1_500, 1_000, []],
  ])('%s', async (_, age, allowedAgo, expected) => {
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

test.each(['APPLICATION_AUTHORIZED', 'QUEST_USER_ENROLLMENT'] as const)('nothing follows from %s', async (type) => {
  await happens(type, { id: '5', user: ADA })
  expect([published, ended]).toEqual([[], []])
})

describe('a message in a lobby', () => {
  const message = { id: '90', lobby_id: '30', content: 'Ready?', author: GRACE, channel_id: '30', type: 0, flags: 0 }
  const TYPES = ['LOBBY_MESSAGE_CREATE', 'LOBBY_MESSAGE_UPDATE', 'LOBBY_MESSAGE_DELETE'] as const

  test.each(TYPES)('%s is told to every connection of a user who asked for the lobby and may read it', async (type) => {
    askers = [CONNECTIONS.ada, CONNECTIONS.grace]
    readable.add('1 30')
    await happens(type, message)
    expect(published).toEqual([{ name: type, args: { lobby_id: '30' }, data: message, told: ['ada'] }])
    expect(readAs.toSorted()).toEqual(['1 30', '2 30'])
    expect(EVENTS[type satisfies EventName].data.safeParse(published[0]?.data).success).toBe(true)
  })
  test('is asked about for nobody who did not name the lobby, and told to none of them', async () => {
    for (const user of ['1', '2']) readable.add(`${user} 30`)
    await happens('LOBBY_MESSAGE_CREATE', message)
    expect([readAs, published]).toEqual([[], []])
  })
  test('of another lobby is told to nobody who asked for this one', async () => {
    askers = [CONNECTIONS.ada]
    readable.add('1 30')
    await happens('LOBBY_MESSAGE_CREATE', { ...message, lobby_id: '31' })
    expect([readAs, published]).toEqual([[], []])
  })
  test('is asked about in the name of no connection of another application, without a user, or without the scope', async () => {
    askers = [CONNECTIONS.elsewhere, CONNECTIONS.nobody, connection(APPLICATION, '3', ['identify'])]
    await happens('LOBBY_MESSAGE_CREATE', message)
    expect([readAs, published]).toEqual([[], []])
  })
  test('is one question for a user with two connections', async () => {
    askers = [CONNECTIONS.ada, connection(APPLICATION, '1')]
    readable.add('1 30')
    await happens('LOBBY_MESSAGE_CREATE', message)
    expect([readAs, published.length]).toEqual([['1 30'], 1])
  })
})

test('the same news has one key for each user, and each change of one thing its own', async () => {
  askers = [CONNECTIONS.ada]
  readable.add('1 30')
  const lobby = { id: '90', lobby_id: '30', content: 'Ready?', author: GRACE }
  const direct = { id: '91', content: 'Ahoy', author: ADA, recipient_id: GRACE.id }
  const owned = { id: '5', sku_id: '6', application_id: APPLICATION, user_id: ADA.id, type: 8 }
  const tellings: readonly (readonly [WebhookEvent['type'], object])[] = [
    ['LOBBY_MESSAGE_CREATE', lobby],
    ['LOBBY_MESSAGE_UPDATE', lobby],
    ['LOBBY_MESSAGE_UPDATE', { ...lobby, content: 'Ready!' }],
    ['LOBBY_MESSAGE_UPDATE', { ...lobby, edited_timestamp: '2025-11-21T12:00:00.000000+00:00' }],
    ['LOBBY_MESSAGE_DELETE', lobby],
    ['GAME_DIRECT_MESSAGE_CREATE', direct],
    ['ENTITLEMENT_UPDATE', owned],
    ['ENTITLEMENT_UPDATE', { ...owned, ends_at: '2025-12-01T00:00:00+00:00' }],
  ]
  for (const [type, data] of tellings) await happens(type, data)
  const first = [...keys]
  expect(new Set(first).size).toBe(9)
  expect(first).not.toContain(undefined)
  keys = []
  for (const [type, data] of tellings) await happens(type, { ...data, seen_elsewhere: true })
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
  const read = async (conversation: Conversation) => (await history.recall(conversation, 5))?.map(({ content }) => content)
  let first: UserMessage
  beforeEach(async () => {
    first = message(1, 'Ahoy')
    for (const side of [OF_ADA, OF_GRACE]) await history.learn(side, history.mark(), 5, [first])
  })

  test.each(['GAME_DIRECT_MESSAGE_CREATE', 'GAME_DIRECT_MESSAGE_UPDATE', 'GAME_DIRECT_MESSAGE_DELETE'] as const)(
    '%s is told to connections of both sides, and to no others',
    async (type) => {
      const land = message(2, 'Land')
      await happens(type, land)
      expect(published.map(({ name, args, data, told }) => ({ name, args, data, told }))).toEqual([
        { name: type, args: {}, data: land, told: ['ada'] },
        { name: type, args: {}, data: land, told: ['grace'] },
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
    ['nobody, when it is one of a lobby that is linked to a channel', (land: UserMessage) => ({ ...land, lobby_id: '30' }), []],
  ])('is told to %s', async (_, part, sides) => {
    for (const type of ['GAME_DIRECT_MESSAGE_CREATE', 'GAME_DIRECT_MESSAGE_UPDATE', 'GAME_DIRECT_MESSAGE_DELETE'] as const) {
      published = []
      await happens(type, part(message(2, 'Land')))
      expect(published.map(({ name, told }) => [name, told])).toEqual(sides.length === 0 ? [] : [[type, sides]])
    }
  })
  test('that is written, edited and taken back at once is told of in that order, also when no history was opened yet', async () => {
    await history.close()
    history = storedHistory({ file: join(directory, 'new.sqlite'), platform: 'test', clock, log: new RecordingLog() })
    follow = opened()
    const land = message(2, 'Land')
    await Promise.all([
      happens('GAME_DIRECT_MESSAGE_CREATE', land, null),
      happens('GAME_DIRECT_MESSAGE_UPDATE', { ...land, content: 'Land!' }),
      happens('GAME_DIRECT_MESSAGE_DELETE', land),
    ])
    expect(published.map(({ name }) => name.slice(20))).toEqual(['CREATE', 'CREATE', 'UPDATE', 'UPDATE', 'DELETE', 'DELETE'])
  })
  test('joins the history of both sides', async () => {
    await happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'Land'))
    expect(await read(OF_ADA)).toEqual(['Land', 'Ahoy'])
    expect(await read(OF_GRACE)).toEqual(['Land', 'Ahoy'])
  })
  test('says who it is for in its channel, when nowhere else', async () => {
    const { recipient_id: _, ...rest } = message(2, 'Land')
    await happens('GAME_DIRECT_MESSAGE_CREATE', { ...rest, channel: { recipients: [ADA, GRACE] } })
    expect(await read(OF_GRACE)).toEqual(['Land', 'Ahoy'])
  })
  test('takes its new text, and loses what moderation said of the old one', async () => {
    await happens('GAME_DIRECT_MESSAGE_UPDATE', { id: first.id, content: 'Ahoy!', channel_id: '3', author: ADA, recipient_id: GRACE.id })
    const [changed] = (await history.recall(OF_GRACE, 5)) ?? []
    expect(changed).toEqual({ ...first, content: 'Ahoy!', moderation_metadata: undefined })
  })
  test('keeps its new text when the old one is told late', async () => {
    const edited = { ...first, content: 'Ahoy!', edited_timestamp: '2025-11-21T11:59:30.000000+00:00' }
    await happens('GAME_DIRECT_MESSAGE_UPDATE', edited)
    await happens('GAME_DIRECT_MESSAGE_CREATE', first)
    expect(await read(OF_ADA)).toEqual(['Ahoy!'])
  })
  test('leaves the history of both sides', async () => {
    await happens('GAME_DIRECT_MESSAGE_DELETE', { id: first.id, channel_id: '3' })
    expect(await read(OF_ADA)).toEqual([])
    expect(await read(OF_GRACE)).toEqual([])
  })
  test.each([
    [
      'that is told only in part',
      async () => happens('GAME_DIRECT_MESSAGE_UPDATE', { id: '9', content: 'x', author: ADA, recipient_id: GRACE.id }),
    ],
    ['that is told late', async () => happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'Land'), clock.now() - 30_001)],
    ['that does not say when it was written', async () => happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'Land'), null)],
    ['that is too long to be kept', async () => happens('GAME_DIRECT_MESSAGE_CREATE', message(2, 'x'.repeat(40_000)))],
  ])('%s makes the next question go to the platform', async (_, tell) => {
    await tell()
    expect(await read(OF_ADA)).toBeUndefined()
    expect(await read(OF_GRACE)).toBeUndefined()
  })
  test('changes nothing when nobody knows to whom it went', async () => {
    const { recipient_id: _, ...rest } = message(2, 'Land')
    await happens('GAME_DIRECT_MESSAGE_CREATE', rest)
    expect(await read(OF_ADA)).toEqual(['Ahoy'])
  })
  test('is not kept as if it were a history', async () => {
    await happens('GAME_DIRECT_MESSAGE_CREATE', { ...message(2, 'Land'), recipient_id: '77' })
    expect(await read({ ...OF_ADA, peerId: '77' })).toBeUndefined()
  })
})
