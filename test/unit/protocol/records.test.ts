/** Record fields of the specification: invalid values of known fields are rejected, unknown fields pass. */
import {
  ACTIVITY_TYPES,
  ActivityInput,
  ApplicationCommand,
  Channel,
  ChannelInvite,
  CurrentApplication,
  Entitlement,
  EVENTS,
  Interaction,
  LobbyMessage,
  Member,
  Message,
  Role,
  Subscription,
  User,
  UserGuild,
  UserMessage,
} from '@sallyport/protocol'
import * as z from 'zod'
import { describe, expect, it, type TestOptions } from 'vitest'

const USER = { id: '1', username: 'ada', discriminator: '0', avatar: null }
const CHANNEL = { id: '1', type: 0 }
const ROLE = {
  id: '1',
  name: 'Crew',
  permissions: '0',
  position: 1,
  color: 1,
  colors: { primary_color: 1, secondary_color: 2, tertiary_color: null },
  hoist: false,
  managed: false,
  mentionable: false,
  flags: 0,
}
const MEMBER = { roles: [], joined_at: null, deaf: false, mute: false, flags: 0 }
const SUBSCRIPTION = {
  id: '1',
  user_id: '1',
  sku_ids: [],
  entitlement_ids: [],
  current_period_start: '2026-01-01T00:00:00+00:00',
  current_period_end: '2026-02-01T00:00:00+00:00',
  status: 1,
  canceled_at: null,
}
const ENTITLEMENT = { id: '1', sku_id: '1', application_id: '1', type: 1 }
const GUILD = { id: '1', name: 'Harbour', icon: null, banner: null, owner: false, permissions: '0', features: [] }
const APPLICATION = { id: '1', name: 'Dockside', icon: null, description: '', verify_key: 'ab', flags: 0 }
const MESSAGE = {
  id: '1',
  channel_id: '1',
  type: 0,
  author: USER,
  content: '',
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  components: [],
  timestamp: '2026-01-01T00:00:00+00:00',
  edited_timestamp: null,
  flags: 0,
  pinned: false,
  mention_everyone: false,
  tts: false,
}
const INTERACTION = {
  id: '1',
  application_id: '1',
  type: 2,
  token: 'secret',
  version: 1,
  app_permissions: '0',
  entitlements: [],
  authorizing_integration_owners: {},
  attachment_size_limit: 10_485_760,
}
const LOBBY_MESSAGE = { id: '1', type: 0, content: '', lobby_id: '2', channel_id: '2', author: USER, flags: 0 }
const USER_MESSAGE = { id: '1', type: 0, content: '', channel_id: '2', author: USER }
const COMMAND = { id: '1', application_id: '2', type: 1, name: 'map', description: '', default_member_permissions: null, version: '3' }
const INVITE_ROLE = { id: '1', name: 'Crew', position: 1, color: 1, colors: ROLE.colors, icon: null, unicode_emoji: null }
const INVITE = { type: 1, user: USER, activity: {}, channel_id: '1', message_id: '1' }

/** Lines of the ledger, title, record, other fields, field, valid value, invalid value. */
const FIELDS: readonly (readonly [TestOptions, string, z.ZodType, object, string, unknown, unknown])[] = [
  [{ tags: ['2.2-1'] }, 'Channel knows application_id', Channel(), CHANNEL, 'application_id', null, 5],
  [{ tags: ['2.2-3'] }, 'Channel knows flags', Channel(), CHANNEL, 'flags', 1 << 17, '131072'],
  [{}, 'Channel knows name', Channel(), CHANNEL, 'name', '___hidden___', 5],
  [{ tags: ['4.3-19', '9.1-20'] }, 'Channel knows position', Channel(), CHANNEL, 'position', 3, '3'],
  [{ tags: ['4.3-19'] }, 'Channel knows parent_id', Channel(), CHANNEL, 'parent_id', '5', 5],
  [{ tags: ['2.2-14'] }, 'Channel knows permissions_new', Channel(), CHANNEL, 'permissions_new', '18014398509481984', 5],
  [
    { tags: ['2.2-15'] },
    'Channel knows permission_overwrites',
    Channel(),
    CHANNEL,
    'permission_overwrites',
    [{ id: '1', type: 0, allow: '0', deny: '1024', allow_new: '0', deny_new: '1' }],
    [{ id: '1', type: 0, allow: '0', deny: '0', deny_new: 1 }],
  ],
  [
    { tags: ['2.2-15'] },
    'Channel knows allow_new',
    Channel(),
    CHANNEL,
    'permission_overwrites',
    [{ id: '1', type: 0, allow: '0', deny: '0', allow_new: '1' }],
    [{ id: '1', type: 0, allow: '0', deny: '0', allow_new: 1 }],
  ],
  [{}, 'User knows premium_type', User(), USER, 'premium_type', 2, '2'],
  [
    { tags: ['2.2-17'] },
    'User knows primary_guild',
    User(),
    USER,
    'primary_guild',
    { identity_guild_id: '1', identity_enabled: true, tag: 'HRBR', badge: null },
    { tag: 5 },
  ],
  [{ tags: ['2.2-19'] }, 'Role knows color', Role(), ROLE, 'color', 5, '5'],
  [
    { tags: ['2.2-20'] },
    'Role knows colors',
    Role(),
    ROLE,
    'colors',
    { primary_color: 1, secondary_color: null, tertiary_color: null },
    { primary_color: 'red' },
  ],
  [
    { tags: ['2.2-20'] },
    'Role knows the colors of a gradient',
    Role(),
    ROLE,
    'colors',
    { primary_color: 1, secondary_color: 2, tertiary_color: 3 },
    { primary_color: 1, secondary_color: 'red', tertiary_color: null },
  ],
  [{ tags: ['2.2-14'] }, 'Role knows permissions_new', Role(), ROLE, 'permissions_new', '1125899906842624', 1],
  [{ tags: ['2.2-23'] }, 'Member knows banner', Member(), MEMBER, 'banner', 'abc', 5],
  [{ tags: ['2.2-14'] }, 'Member knows permissions_new', Member(), MEMBER, 'permissions_new', '1', 1],
  [{ tags: ['4.1-18'] }, 'UserGuild knows banner', UserGuild(), GUILD, 'banner', 'abc', 5],
  [{ tags: ['2.2-14'] }, 'UserGuild knows permissions_new', UserGuild(), GUILD, 'permissions_new', '1', 1],
  [{ tags: ['2.2-24'] }, 'Subscription knows renewal_sku_ids', Subscription(), SUBSCRIPTION, 'renewal_sku_ids', ['1'], ['x']],
  [
    { tags: ['2.2-22', '4.1-rules-6'] },
    'ChannelInvite knows roles',
    ChannelInvite(),
    { code: 'abc' },
    'roles',
    [INVITE_ROLE],
    [{ ...INVITE_ROLE, id: 5 }],
  ],
  [{}, 'Subscription knows status', Subscription(), SUBSCRIPTION, 'status', 2, 'ENDING'],
  [{ tags: ['2.2-26'] }, 'Subscription knows canceled_at', Subscription(), SUBSCRIPTION, 'canceled_at', '2026-01-01T00:00:00+00:00', 5],
  [{ tags: ['2.2-27', '3-4'] }, 'Entitlement knows ends_at', Entitlement(), ENTITLEMENT, 'ends_at', null, 5],
  [{}, 'Entitlement knows type', Entitlement(), ENTITLEMENT, 'type', 8, 'PURCHASE'],
  [{ tags: ['2.2-11'] }, 'CurrentApplication knows flags_new', CurrentApplication(), APPLICATION, 'flags_new', '4611686018427387904', 5],
  [
    { tags: ['2.2-12'] },
    'CurrentApplication knows integration_types_config',
    CurrentApplication(),
    APPLICATION,
    'integration_types_config',
    { '0': {}, '1': { oauth2_install_params: { scopes: [], permissions: '0' } } },
    { '1': 5 },
  ],
  [
    { tags: ['2.2-13'] },
    'CurrentApplication knows approximate_user_install_count',
    CurrentApplication(),
    APPLICATION,
    'approximate_user_install_count',
    5,
    '5',
  ],
  [{ tags: ['2.2-10'] }, 'CurrentApplication knows flags', CurrentApplication(), APPLICATION, 'flags', 5, '5'],
  [
    { tags: ['2.2-35', '2.2-36'] },
    'Message knows interaction_metadata',
    Message(),
    MESSAGE,
    'interaction_metadata',
    { id: '1', type: 2, user: USER, authorizing_integration_owners: { '1': '1' } },
    { id: '1', type: 2, user_id: '1' },
  ],
  [{ tags: ['2.2-34'] }, 'Message knows message_snapshots', Message(), MESSAGE, 'message_snapshots', [{ message: {} }], [{ message: 5 }]],
  [
    { tags: ['2.2-42'] },
    'Interaction knows the permissions of the bot in a resolved channel',
    Interaction(),
    INTERACTION,
    'data',
    { resolved: { channels: { '1': { ...CHANNEL, app_permissions: '8' } } } },
    { resolved: { channels: { '1': { ...CHANNEL, app_permissions: 8 } } } },
  ],
  [{ tags: ['2.2-38'] }, 'Interaction knows context', Interaction(), INTERACTION, 'context', 2, 'guild'],
  [
    { tags: ['2.2-39'] },
    'Interaction knows authorizing_integration_owners',
    Interaction(),
    INTERACTION,
    'authorizing_integration_owners',
    { '0': '0', '1': '5' },
    { '1': 5 },
  ],
  [
    { tags: ['2.2-40'] },
    'Interaction knows app_permissions',
    Interaction(),
    INTERACTION,
    'app_permissions',
    '18014398509481984',
    undefined,
  ],
  [
    { tags: ['2.2-41'] },
    'Interaction knows attachment_size_limit',
    Interaction(),
    INTERACTION,
    'attachment_size_limit',
    104_857_600,
    '100 MiB',
  ],
  [{ tags: ['2.2-44'] }, 'ApplicationCommand knows dm_permission', ApplicationCommand(), COMMAND, 'dm_permission', true, 'yes'],
  [{ tags: ['2.2-54'] }, 'LobbyMessage knows application_id', LobbyMessage(), LOBBY_MESSAGE, 'application_id', '5', 5],
  [{ tags: ['2.2-54'] }, 'UserMessage knows application_id', UserMessage(), USER_MESSAGE, 'application_id', '5', 5],
  [
    { tags: ['2.2-55', '9.1-12'] },
    'LobbyMessage knows the second name of its author',
    LobbyMessage(),
    LOBBY_MESSAGE,
    'lobby_member',
    { additional_name: 'Captain' },
    { additional_name: 5 },
  ],
  [
    { tags: ['2.2-57', '9.1-18'] },
    'LobbyMessage knows moderation_metadata',
    LobbyMessage(),
    LOBBY_MESSAGE,
    'moderation_metadata',
    { verdict: 'fine' },
    { verdict: 5 },
  ],
  [{ tags: ['2.2-53'] }, 'activity invite knows application_id', EVENTS.ACTIVITY_INVITE.data, INVITE, 'application_id', '5', 5],
]

for (const [options, name, record, rest, field, good, bad] of FIELDS)
  it(name, options, () => {
    const parsed = record.safeParse({ ...rest, [field]: good, added_later: 1 })
    expect(parsed.error, name).toBeUndefined()
    expect(parsed.data).toMatchObject({ [field]: good, added_later: 1 })
    expect(record.safeParse({ ...rest, [field]: bad }).success).toBe(false)
  })

describe('an activity', () => {
  it.each([
    ['name', 'Dockside'],
    ['state_url', 'https://dockside.example/berths'],
    ['details_url', 'https://dockside.example/cargo'],
    ['assets', { large_url: 'https://a.example', small_url: 'https://b.example', invite_cover_image: 'harbour' }],
  ])('accepts %s', { tags: ['9.2-20'] }, (field, value) => {
    expect(ActivityInput().safeParse({ [field]: value }).success).toBe(true)
  })
  it('is playing, listening, watching or competing', { tags: ['2.2-52'] }, () => {
    expect(ACTIVITY_TYPES).toEqual([0, 2, 3, 5])
    expect([0, 1, 2, 3, 4, 5, 6].filter((type) => ActivityInput().safeParse({ type }).success)).toEqual([0, 2, 3, 5])
  })
})

it('the description of a guild tag contains its limit', { tags: ['2.2-18', '8-6'] }, () => {
  expect(JSON.stringify(z.toJSONSchema(User()))).toContain('"1 to 4 characters')
})
