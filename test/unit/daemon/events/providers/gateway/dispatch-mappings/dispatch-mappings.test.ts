import { CHANNEL_OBFUSCATED, EVENTS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { GuildCache } from '#daemon/src/events/providers/gateway/cache/guild-cache.ts'
import { UserCache } from '#daemon/src/events/providers/gateway/cache/user-cache.ts'
import type { GatewayIdentity } from '#daemon/src/platform/gateway/gateway.ts'
import { fieldsOf } from '@sallyport/core/json-read'
import { DISPATCH_MAPPINGS, mapDispatch } from '#daemon/src/events/providers/gateway/dispatch-mappings/dispatch-mappings.ts'

const USER: GatewayIdentity = { kind: 'user', applicationId: '1', userId: '5' }
const BOT: GatewayIdentity = { kind: 'bot', applicationId: '1' }
const ANN = { id: '5', username: 'ann', discriminator: '0', avatar: null, global_name: 'Ann' }
const SHOWN_ANN = { ...ANN, bot: false, flags: 0 }
const BOB = { id: '6', username: 'bob', discriminator: '0', avatar: 'b1', global_name: null }
const OFFLINE = { status: 'offline', activity: null }
const SHOWN_BOB = { ...BOB, bot: false, flags: 0 }
const TIME = '2025-11-21T12:00:00+00:00'

/** The events mapped from dispatches, in order. */
function mapped(identity: GatewayIdentity, ...dispatches: readonly (readonly [t: string, d: unknown])[]) {
  const guilds = new GuildCache()
  const people = new UserCache('1')
  return dispatches.flatMap(([t, d]) => {
    people.update(t, d)
    const guild = guilds.update(t, d)
    return mapDispatch(t, { d: fieldsOf(d), identity, guild, guilds, users: people, imageOrigin: 'https://cdn.example.test' }).map(
      ({ mapping: row, data, args, owner, scope, dedupeKey: key }) => ({
        event: row.event,
        data,
        ...(args === undefined ? {} : { args }),
        ...(owner === undefined ? {} : { owner }),
        ...(scope === undefined ? {} : { scope }),
        ...(key === undefined ? {} : { key: key('5') }),
      }),
    )
  })
}

const HARBOUR = { id: '7', name: 'Harbour', icon: null, channels: [{ id: '70', type: 0, application_id: '1' }] }
const LOADED: readonly (readonly [string, unknown])[] = [
  ['READY', { guilds: [{ id: '7' }], relationships: [{ id: '6', type: 1, user: BOB }] }],
  ['GUILD_CREATE', HARBOUR],
]
const MEMBER = { user: BOB, roles: [], joined_at: TIME, deaf: false, mute: false, flags: 0, guild_id: '7' }
const ENTITLEMENT = { id: '40', sku_id: '41', application_id: '1', user_id: '5', type: 1, ends_at: null }
const SUBSCRIPTION = {
  id: '50',
  user_id: '5',
  sku_ids: ['41'],
  entitlement_ids: ['40'],
  renewal_sku_ids: ['42'],
  current_period_start: TIME,
  current_period_end: TIME,
  status: 2,
  canceled_at: TIME,
}
const LOBBY = { id: '60', application_id: '1', metadata: null, members: [] }
const LOBBY_MEMBER = { id: '6', metadata: {}, flags: 0 }
const LOBBY_MESSAGE = { id: '61', type: 0, content: 'Ahoy', lobby_id: '60', channel_id: '60', author: BOB, flags: 0 }
const DIRECT = { id: '80', type: 0, content: 'Land', channel_id: '81', author: BOB, recipient_id: '5' }
const CHANNEL_MESSAGE = {
  id: '90',
  channel_id: '70',
  guild_id: '7',
  content: 'Ahoy',
  author: BOB,
  member: { nick: 'Bobby' },
  timestamp: TIME,
  tts: false,
  pinned: false,
  type: 0,
  nonce: 'secret of the sender',
}
const RPC_MESSAGE = {
  blocked: false,
  id: '90',
  content: 'Ahoy',
  timestamp: TIME,
  tts: false,
  pinned: false,
  type: 0,
  author: SHOWN_BOB,
  bot: false,
  nick: 'Bobby',
}
const lobbyArgs = { lobby_id: '60' }
const newsKey = expect.stringContaining('"5"') as string

const CASES: readonly (readonly [t: string, d: unknown, events: object | readonly object[] | undefined])[] = [
  ['GUILD_CREATE', { id: '8', name: 'Lighthouse', icon: 'c' }, { event: 'GUILD_CREATE', data: { id: '8', name: 'Lighthouse' } }],
  ['GUILD_CREATE', HARBOUR, undefined],
  [
    'GUILD_UPDATE',
    { id: '7', name: 'Quay', icon: 'q' },
    { event: 'GUILD_UPDATE', data: { id: '7', name: 'Quay', icon_url: 'https://cdn.example.test/icons/7/q.png' } },
  ],
  ['GUILD_UPDATE', { id: '7', name: 'Harbour' }, undefined],
  ['GUILD_DELETE', { id: '7' }, { event: 'GUILD_DELETE', data: { id: '7' } }],
  ['GUILD_DELETE', { id: '7', unavailable: true }, { event: 'GUILD_DELETE', data: { id: '7', unavailable: true } }],
  [
    'CHANNEL_CREATE',
    { id: '71', guild_id: '7', name: 'general', type: 0, topic: 'Fish' },
    { event: 'CHANNEL_CREATE', data: { id: '71', guild_id: '7', name: 'general', type: 0 } },
  ],
  [
    'CHANNEL_UPDATE',
    { id: '70', guild_id: '7', name: 'pier', type: 0 },
    { event: 'CHANNEL_UPDATE', data: { id: '70', guild_id: '7', name: 'pier', type: 0 } },
  ],
  ['CHANNEL_DELETE', { id: '70', guild_id: '7', type: 0 }, { event: 'CHANNEL_DELETE', data: { id: '70', guild_id: '7', type: 0 } }],
  ['GUILD_MEMBER_ADD', MEMBER, { event: 'GUILD_MEMBER_ADD', args: { guild_id: '7' }, data: MEMBER }],
  [
    'GUILD_MEMBER_REMOVE',
    { guild_id: '7', user: BOB },
    { event: 'GUILD_MEMBER_REMOVE', args: { guild_id: '7' }, data: { guild_id: '7', user: BOB } },
  ],
  [
    'GUILD_MEMBER_UPDATE',
    { ...MEMBER, nick: 'B' },
    { event: 'GUILD_MEMBER_UPDATE', args: { guild_id: '7' }, data: { ...MEMBER, nick: 'B' } },
  ],
  [
    'GUILD_MEMBER_UPDATE',
    { ...MEMBER, user: ANN, nick: 'Annie' },
    [
      { event: 'CURRENT_GUILD_MEMBER_UPDATE', args: { guild_id: '7' }, data: { user_id: '5', guild_id: '7', nick: 'Annie' } },
      { event: 'GUILD_MEMBER_UPDATE', args: { guild_id: '7' }, data: { ...MEMBER, user: ANN, nick: 'Annie' } },
    ],
  ],
  [
    'VOICE_CHANNEL_STATUS_UPDATE',
    { id: '72', guild_id: '7', status: 'Singing' },
    { event: 'VOICE_CHANNEL_STATUS_UPDATE', args: { guild_id: '7' }, data: { id: '72', guild_id: '7', status: 'Singing' } },
  ],
  [
    'VOICE_CHANNEL_STATUS_UPDATE',
    { id: '72', guild_id: '7' },
    { event: 'VOICE_CHANNEL_STATUS_UPDATE', args: { guild_id: '7' }, data: { id: '72', guild_id: '7', status: null } },
  ],
  [
    'VOICE_CHANNEL_START_TIME_UPDATE',
    { id: '72', guild_id: '7' },
    { event: 'VOICE_CHANNEL_START_TIME_UPDATE', args: { guild_id: '7' }, data: { id: '72', guild_id: '7', voice_start_time: null } },
  ],
  [
    'MESSAGE_CREATE',
    CHANNEL_MESSAGE,
    { event: 'MESSAGE_CREATE', args: { channel_id: '70' }, data: { channel_id: '70', message: RPC_MESSAGE }, key: newsKey },
  ],
  [
    'MESSAGE_CREATE',
    { ...CHANNEL_MESSAGE, channel_id: '73' },
    {
      event: 'MESSAGE_CREATE',
      args: { channel_id: '73' },
      data: { channel_id: '73', message: RPC_MESSAGE },
      scope: 'messages.read',
      key: newsKey,
    },
  ],
  [
    'MESSAGE_UPDATE',
    { ...CHANNEL_MESSAGE, edited_timestamp: TIME },
    {
      event: 'MESSAGE_UPDATE',
      args: { channel_id: '70' },
      data: { channel_id: '70', message: { ...RPC_MESSAGE, edited_timestamp: TIME } },
      key: newsKey,
    },
  ],
  [
    'MESSAGE_DELETE',
    { id: '90', channel_id: '70', guild_id: '7' },
    { event: 'MESSAGE_DELETE', args: { channel_id: '70' }, data: { channel_id: '70', message: { id: '90' } }, key: newsKey },
  ],
  ['MESSAGE_CREATE', DIRECT, { event: 'GAME_DIRECT_MESSAGE_CREATE', data: DIRECT, key: newsKey }],
  ['MESSAGE_UPDATE', { id: '80', content: 'Ho' }, { event: 'GAME_DIRECT_MESSAGE_UPDATE', data: { id: '80', content: 'Ho' }, key: newsKey }],
  [
    'MESSAGE_DELETE',
    { id: '80', channel_id: '81' },
    { event: 'GAME_DIRECT_MESSAGE_DELETE', data: { id: '80', channel_id: '81' }, key: newsKey },
  ],
  [
    'RELATIONSHIP_ADD',
    { id: '6', type: 1, user: BOB },
    { event: 'RELATIONSHIP_UPDATE', data: { type: 1, user: SHOWN_BOB, presence: OFFLINE } },
  ],
  ['RELATIONSHIP_UPDATE', { id: '6', type: 2 }, { event: 'RELATIONSHIP_UPDATE', data: { type: 2, user: SHOWN_BOB, presence: OFFLINE } }],
  [
    'GAME_RELATIONSHIP_ADD',
    { id: '6', application_id: '1', type: 3, since: '2026-11-28T00:00:00.000000+00:00', dm_access_type: 0, user_id: '6', user: BOB },
    {
      event: 'GAME_RELATIONSHIP_UPDATE',
      data: {
        id: '6',
        application_id: '1',
        type: 3,
        since: '2026-11-28T00:00:00.000000+00:00',
        dm_access_type: 0,
        user_id: '6',
        user: SHOWN_BOB,
      },
    },
  ],
  [
    'GAME_RELATIONSHIP_REMOVE',
    { id: '6', application_id: '1', type: 1, user_id: '6' },
    { event: 'GAME_RELATIONSHIP_UPDATE', data: { id: '6', application_id: '1', type: 0, user_id: '6' } },
  ],
  ['RELATIONSHIP_REMOVE', { id: '6', type: 1 }, { event: 'RELATIONSHIP_UPDATE', data: { type: 0, user: SHOWN_BOB, presence: OFFLINE } }],
  [
    'USER_UPDATE',
    { ...ANN, global_name: 'Annie', email: 'ann@example.test' },
    { event: 'CURRENT_USER_UPDATE', data: { ...SHOWN_ANN, global_name: 'Annie' } },
  ],
  ['USER_UPDATE', BOB, undefined],
  ['ENTITLEMENT_CREATE', ENTITLEMENT, { event: 'ENTITLEMENT_CREATE', owner: '5', data: { entitlement: ENTITLEMENT }, key: newsKey }],
  [
    'ENTITLEMENT_UPDATE',
    { ...ENTITLEMENT, ends_at: TIME },
    { event: 'ENTITLEMENT_UPDATE', owner: '5', data: { entitlement: { ...ENTITLEMENT, ends_at: TIME } }, key: newsKey },
  ],
  ['ENTITLEMENT_DELETE', ENTITLEMENT, { event: 'ENTITLEMENT_DELETE', owner: '5', data: { entitlement: ENTITLEMENT }, key: newsKey }],
  ['ENTITLEMENT_CREATE', { ...ENTITLEMENT, user_id: null, guild_id: '7' }, undefined],
  ['ENTITLEMENT_CREATE', { ...ENTITLEMENT, application_id: '2' }, undefined],
  ['SUBSCRIPTION_CREATE', SUBSCRIPTION, { event: 'SUBSCRIPTION_CREATE', owner: '5', data: { subscription: SUBSCRIPTION } }],
  ['SUBSCRIPTION_UPDATE', SUBSCRIPTION, { event: 'SUBSCRIPTION_UPDATE', owner: '5', data: { subscription: SUBSCRIPTION } }],
  ['SUBSCRIPTION_DELETE', SUBSCRIPTION, { event: 'SUBSCRIPTION_DELETE', owner: '5', data: { subscription: SUBSCRIPTION } }],
  ['LOBBY_CREATE', LOBBY, { event: 'LOBBY_CREATE', args: lobbyArgs, data: { lobby_id: '60', lobby: LOBBY } }],
  ['LOBBY_UPDATE', LOBBY, { event: 'LOBBY_UPDATE', args: lobbyArgs, data: { lobby_id: '60', lobby: LOBBY } }],
  ['LOBBY_DELETE', { id: '60' }, { event: 'LOBBY_DELETE', args: lobbyArgs, data: { lobby_id: '60' } }],
  [
    'LOBBY_MEMBER_ADD',
    { lobby_id: '60', member: LOBBY_MEMBER },
    { event: 'LOBBY_MEMBER_ADD', args: lobbyArgs, data: { lobby_id: '60', member: LOBBY_MEMBER } },
  ],
  [
    'LOBBY_MEMBER_UPDATE',
    { lobby_id: '60', member: { metadata: {}, flags: 0, user: BOB } },
    { event: 'LOBBY_MEMBER_UPDATE', args: lobbyArgs, data: { lobby_id: '60', member: { ...LOBBY_MEMBER, user: BOB } } },
  ],
  [
    'LOBBY_MEMBER_REMOVE',
    { lobby_id: '60', user_id: '6' },
    { event: 'LOBBY_MEMBER_REMOVE', args: lobbyArgs, data: { lobby_id: '60', member: { id: '6' } } },
  ],
  ['LOBBY_MESSAGE_CREATE', LOBBY_MESSAGE, { event: 'LOBBY_MESSAGE_CREATE', args: lobbyArgs, data: LOBBY_MESSAGE, key: newsKey }],
  ['LOBBY_MESSAGE_UPDATE', LOBBY_MESSAGE, { event: 'LOBBY_MESSAGE_UPDATE', args: lobbyArgs, data: LOBBY_MESSAGE, key: newsKey }],
  [
    'LOBBY_MESSAGE_DELETE',
    { id: '61', lobby_id: '60' },
    { event: 'LOBBY_MESSAGE_DELETE', args: lobbyArgs, data: { id: '61', lobby_id: '60' }, key: newsKey },
  ],
]

const SCHEDULED = {
  id: '95',
  guild_id: '7',
  channel_id: null,
  name: 'Regatta',
  scheduled_start_time: TIME,
  scheduled_end_time: TIME,
  privacy_level: 2,
  status: 1,
  entity_type: 3,
  entity_id: null,
  entity_metadata: { location: 'The pier' },
  recurrence_rule: null,
}
const INTEREST = { guild_scheduled_event_id: '95', user_id: '6', guild_id: '7' }
const EMOJIS = { guild_id: '7', emojis: [{ id: '96', name: 'anchor', roles: [], animated: false }] }
const STICKERS = { guild_id: '7', stickers: [{ id: '97', name: 'gull', description: null, tags: 'bird', type: 2, format_type: 1 }] }
const ROLE = {
  id: '98',
  name: 'Crew',
  permissions: '0',
  position: 1,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  managed: false,
  mentionable: false,
  flags: 0,
}
/** Dispatches of a guild that games receive as they are. */
const CONTENT = [
  ['GUILD_SCHEDULED_EVENT_CREATE', SCHEDULED],
  ['GUILD_SCHEDULED_EVENT_UPDATE', { ...SCHEDULED, status: 2 }],
  ['GUILD_SCHEDULED_EVENT_DELETE', SCHEDULED],
  ['GUILD_SCHEDULED_EVENT_USER_ADD', INTEREST],
  ['GUILD_SCHEDULED_EVENT_USER_REMOVE', INTEREST],
  ['GUILD_EMOJIS_UPDATE', EMOJIS],
  ['GUILD_STICKERS_UPDATE', STICKERS],
  ['GUILD_ROLE_CREATE', { guild_id: '7', role: ROLE }],
  ['GUILD_ROLE_UPDATE', { guild_id: '7', role: { ...ROLE, name: 'Pilots' } }],
  ['GUILD_ROLE_DELETE', { guild_id: '7', role_id: '98' }],
  ['GUILD_BAN_ADD', { guild_id: '7', user: BOB }],
  ['GUILD_BAN_REMOVE', { guild_id: '7', user: BOB }],
  ['INVITE_CREATE', { guild_id: '7', channel_id: '70', code: 'ahoy', created_at: TIME, max_age: 0, max_uses: 1, inviter: BOB }],
  ['INVITE_DELETE', { guild_id: '7', channel_id: '70', code: 'ahoy' }],
] as const

test.each(CONTENT)('%s is published to the subscriptions to its guild', (t, d) => {
  expect(mapped(USER, ...LOADED, [t, d])).toEqual([{ event: t, args: { guild_id: '7' }, data: d }])
  expect(mapped(USER, ...LOADED, [t, { ...d, guild_id: undefined }])).toEqual([])
})

const REACTED = { channel_id: '70', message_id: '90', guild_id: '7', user_id: '6', emoji: { id: null, name: '⚓' } }
/** Dispatches of a channel that games receive as they are. */
const ACTIVITY = [
  ['MESSAGE_REACTION_ADD', REACTED],
  ['MESSAGE_REACTION_REMOVE', REACTED],
  ['MESSAGE_REACTION_REMOVE_ALL', { channel_id: '70', message_id: '90', guild_id: '7' }],
  ['MESSAGE_REACTION_REMOVE_EMOJI', { channel_id: '70', message_id: '90', guild_id: '7', emoji: { id: '9', name: 'gull' } }],
  ['MESSAGE_POLL_VOTE_ADD', { channel_id: '70', message_id: '90', guild_id: '7', user_id: '6', answer_id: 1 }],
  ['MESSAGE_POLL_VOTE_REMOVE', { channel_id: '70', message_id: '90', guild_id: '7', user_id: '6', answer_id: 1 }],
  ['TYPING_START', { channel_id: '70', guild_id: '7', user_id: '6', timestamp: 1_763_726_400 }],
] as const

test.each(ACTIVITY)('%s is published to the subscriptions to its channel; of other channels with messages.read', (t, d) => {
  expect(mapped(USER, ...LOADED, [t, d])).toEqual([{ event: t, args: { channel_id: '70' }, data: d }])
  const elsewhere = { ...d, channel_id: '71' }
  expect(mapped(USER, ...LOADED, [t, elsewhere])).toEqual([
    { event: t, args: { channel_id: '71' }, data: elsewhere, scope: 'messages.read' },
  ])
  expect(mapped(USER, ...LOADED, [t, { ...d, guild_id: undefined }])).toEqual([])
})

test('messages that are deleted together are an event each', () => {
  const events = mapped(USER, ...LOADED, ['MESSAGE_DELETE_BULK', { ids: ['90', '91'], channel_id: '70', guild_id: '7' }])
  expect(events.map(({ event, data }) => [event, data])).toEqual([
    ['MESSAGE_DELETE', { channel_id: '70', message: { id: '90' } }],
    ['MESSAGE_DELETE', { channel_id: '70', message: { id: '91' } }],
  ])
})

describe('an interaction', () => {
  const INTERACTION = {
    id: '77',
    application_id: '1',
    type: 2,
    token: 'of-ann',
    version: 1,
    app_permissions: '0',
    entitlements: [],
    authorizing_integration_owners: { '1': '5' },
    attachment_size_limit: 10_485_760,
  }
  test('of the application reaches its games by the bot', () => {
    expect(mapped(BOT, ...LOADED, ['INTERACTION_CREATE', INTERACTION])).toEqual([{ event: 'INTERACTION_CREATE', data: INTERACTION }])
  })
  test('of another application, on a connection of a user, or without its token reaches none', () => {
    expect(mapped(BOT, ...LOADED, ['INTERACTION_CREATE', { ...INTERACTION, application_id: '2' }])).toEqual([])
    expect(mapped(USER, ...LOADED, ['INTERACTION_CREATE', INTERACTION])).toEqual([])
    expect(mapped(BOT, ...LOADED, ['INTERACTION_CREATE', { ...INTERACTION, token: undefined }])).toEqual([])
  })
})

test.each(CASES)('%s %j', { tags: ['2.2-8', '6-5', '6-7', '6-8'] }, (t, d, output) => {
  const expected = output === undefined ? [] : Array.isArray(output) ? output : [output]
  expect(mapped(USER, ...LOADED, [t, d])).toEqual(expected)
})

test('every mapping is tested above, and names an event that can be subscribed', { tags: ['6-5', '6-7', '6-8'] }, () => {
  const shown = new Set<string>([
    'INTERACTION_CREATE',
    ...ACTIVITY.map(([event]) => event),
    ...CONTENT.map(([event]) => event),
    ...CASES.flatMap(([, , events]) => (events === undefined ? [] : [events].flat().map((one) => (one as { event: string }).event))),
  ])
  const untested = DISPATCH_MAPPINGS.map(({ event }) => event).filter((event) => !shown.has(event))
  expect(untested, 'write a case for each in CASES or CONTENT of this file').toEqual([])
  expect(DISPATCH_MAPPINGS.filter(({ event }) => EVENTS[event].delivery !== 'subscription')).toEqual([])
})

describe('a hidden channel', () => {
  const hidden = { id: '71', guild_id: '7', type: 0, name: '___hidden___', flags: CHANNEL_OBFUSCATED, position: 1, parent_id: null }
  const visible = { ...hidden, name: 'general', flags: 0, topic: 'Fish' }

  test('is published in full when it becomes visible, and when it becomes hidden; not while it stays hidden', {
    tags: ['3-2', '3-3', '6-1', '6-2'],
  }, () => {
    const updates = [hidden, visible, hidden].map((d) => ['CHANNEL_UPDATE', d] as const)
    const events = mapped(USER, ...LOADED, ['CHANNEL_CREATE', hidden], ...updates)
    const { name, flags } = hidden
    expect(events.map(({ event, data }) => ({ event, data }))).toMatchObject([
      { event: 'CHANNEL_CREATE', data: { name, flags } },
      { event: 'CHANNEL_UPDATE', data: { name: 'general', flags: 0 } },
      { event: 'CHANNEL_UPDATE', data: { name, flags } },
    ])
  })
})

test('a bot publishes neither its own membership nor its own user', () => {
  expect(mapped(BOT, ...LOADED, ['GUILD_MEMBER_UPDATE', { ...MEMBER, user: ANN }], ['USER_UPDATE', ANN]).map(({ event }) => event)).toEqual(
    ['GUILD_MEMBER_UPDATE'],
  )
})
test('a message of a lobby is no direct message', () =>
  expect(mapped(USER, ...LOADED, ['MESSAGE_CREATE', { ...DIRECT, lobby_id: '9' }])).toEqual([]))
