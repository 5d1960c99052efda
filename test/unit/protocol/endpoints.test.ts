/** Endpoint rows: path, query and body arguments, limits, and their commands. */
import { COMMANDS, type EndpointRow, ENDPOINTS, LIMITS, metadataProblem } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '../../../protocol/src/endpoints/define.ts'

const accepts = (row: EndpointRow, args: unknown): boolean => row.args.safeParse(args).success

describe('the operations and their tokens', () => {
  it('have the documented methods and paths', () => {
    const operations = Object.values<EndpointRow>(ENDPOINTS).map((row) => `${row.name} ${row.method} ${row.path}`)
    expect(operations.toSorted()).toEqual([
      'ADD_LOBBY_MEMBER PUT /lobbies/{lobby_id}/members/{user_id}',
      'BEGIN_GUILD_PRUNE POST /guilds/{guild_id}/prune',
      'BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS PUT /applications/{application_id}/commands',
      'BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS PUT /applications/{application_id}/guilds/{guild_id}/commands',
      'BULK_UPDATE_LOBBY_MEMBERS POST /lobbies/{lobby_id}/members/bulk',
      'CONSUME_ENTITLEMENT POST /applications/{application_id}/entitlements/{entitlement_id}/consume',
      'CREATE_APPLICATION_EMOJI POST /applications/{application_id}/emojis',
      'CREATE_AUTO_MODERATION_RULE POST /guilds/{guild_id}/auto-moderation/rules',
      'CREATE_CHANNEL_INVITE_BY_BOT POST /channels/{channel_id}/invites',
      'CREATE_FOLLOWUP_MESSAGE POST /webhooks/{application_id}/{interaction_token}',
      'CREATE_GLOBAL_APPLICATION_COMMAND POST /applications/{application_id}/commands',
      'CREATE_GUILD POST /guilds',
      'CREATE_GUILD_APPLICATION_COMMAND POST /applications/{application_id}/guilds/{guild_id}/commands',
      'CREATE_GUILD_SOUNDBOARD_SOUND POST /guilds/{guild_id}/soundboard-sounds',
      'CREATE_HEADLESS_SESSION POST /users/@me/headless-sessions',
      'CREATE_INTERACTION_RESPONSE POST /interactions/{interaction_id}/{interaction_token}/callback',
      'CREATE_LOBBY POST /lobbies',
      'CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF POST /lobbies/{lobby_id}/members/@me/invites',
      'CREATE_LOBBY_CHANNEL_INVITE_FOR_USER POST /lobbies/{lobby_id}/members/{user_id}/invites',
      'CREATE_MESSAGE POST /channels/{channel_id}/messages',
      'CREATE_OR_JOIN_LOBBY PUT /lobbies',
      'CREATE_TEST_ENTITLEMENT POST /applications/{application_id}/entitlements',
      'DELETE_APPLICATION_EMOJI DELETE /applications/{application_id}/emojis/{emoji_id}',
      'DELETE_AUTO_MODERATION_RULE DELETE /guilds/{guild_id}/auto-moderation/rules/{rule_id}',
      'DELETE_FOLLOWUP_MESSAGE DELETE /webhooks/{application_id}/{interaction_token}/messages/{message_id}',
      'DELETE_GLOBAL_APPLICATION_COMMAND DELETE /applications/{application_id}/commands/{command_id}',
      'DELETE_GUILD_APPLICATION_COMMAND DELETE /applications/{application_id}/guilds/{guild_id}/commands/{command_id}',
      'DELETE_GUILD_SOUNDBOARD_SOUND DELETE /guilds/{guild_id}/soundboard-sounds/{sound_id}',
      'DELETE_HEADLESS_SESSION POST /users/@me/headless-sessions/delete',
      'DELETE_LOBBY DELETE /lobbies/{lobby_id}',
      'DELETE_MESSAGE DELETE /channels/{channel_id}/messages/{message_id}',
      'DELETE_ORIGINAL_INTERACTION_RESPONSE DELETE /webhooks/{application_id}/{interaction_token}/messages/@original',
      'DELETE_TEST_ENTITLEMENT DELETE /applications/{application_id}/entitlements/{entitlement_id}',
      'DELETE_USER_MESSAGE DELETE /users/{user_id}/messages/{message_id}',
      'EDIT_CURRENT_APPLICATION PATCH /applications/@me',
      'EDIT_FOLLOWUP_MESSAGE PATCH /webhooks/{application_id}/{interaction_token}/messages/{message_id}',
      'EDIT_GLOBAL_APPLICATION_COMMAND PATCH /applications/{application_id}/commands/{command_id}',
      'EDIT_GUILD_APPLICATION_COMMAND PATCH /applications/{application_id}/guilds/{guild_id}/commands/{command_id}',
      'EDIT_MESSAGE PATCH /channels/{channel_id}/messages/{message_id}',
      'EDIT_ORIGINAL_INTERACTION_RESPONSE PATCH /webhooks/{application_id}/{interaction_token}/messages/@original',
      'EDIT_USER_MESSAGE PATCH /users/{user_id}/messages/{message_id}',
      'GET_ACTIVITY_SECRET GET /users/{user_id}/sessions/{session_id}/activities/{application_id}/{action}',
      'GET_APPLICATION_EMOJI GET /applications/{application_id}/emojis/{emoji_id}',
      'GET_AUTO_MODERATION_RULE GET /guilds/{guild_id}/auto-moderation/rules/{rule_id}',
      'GET_CHANNEL_INVITES GET /channels/{channel_id}/invites',
      'GET_CHANNEL_MESSAGE GET /channels/{channel_id}/messages/{message_id}',
      'GET_CHANNEL_MESSAGES GET /channels/{channel_id}/messages',
      'GET_CHANNEL_PINS GET /channels/{channel_id}/messages/pins',
      'GET_CURRENT_APPLICATION GET /applications/@me',
      'GET_CURRENT_AUTHORIZATION_INFORMATION GET /oauth2/@me',
      'GET_CURRENT_USER GET /users/@me',
      'GET_CURRENT_USER_CONNECTIONS GET /users/@me/connections',
      'GET_CURRENT_USER_GUILDS GET /users/@me/guilds',
      'GET_CURRENT_USER_VOICE_STATE GET /guilds/{guild_id}/voice-states/@me',
      'GET_ENTITLEMENT GET /applications/{application_id}/entitlements/{entitlement_id}',
      'GET_FOLLOWUP_MESSAGE GET /webhooks/{application_id}/{interaction_token}/messages/{message_id}',
      'GET_GATEWAY GET /gateway',
      'GET_GATEWAY_BOT GET /gateway/bot',
      'GET_GLOBAL_APPLICATION_COMMAND GET /applications/{application_id}/commands/{command_id}',
      'GET_GLOBAL_APPLICATION_COMMANDS GET /applications/{application_id}/commands',
      'GET_GUILD_APPLICATION_COMMAND GET /applications/{application_id}/guilds/{guild_id}/commands/{command_id}',
      'GET_GUILD_APPLICATION_COMMANDS GET /applications/{application_id}/guilds/{guild_id}/commands',
      'GET_GUILD_AUDIT_LOG GET /guilds/{guild_id}/audit-logs',
      'GET_GUILD_CHANNELS GET /guilds/{guild_id}/channels',
      'GET_GUILD_PRUNE_COUNT GET /guilds/{guild_id}/prune',
      'GET_GUILD_ROLE GET /guilds/{guild_id}/roles/{role_id}',
      'GET_GUILD_ROLE_MEMBER_COUNTS GET /guilds/{guild_id}/roles/member-counts',
      'GET_GUILD_SOUNDBOARD_SOUND GET /guilds/{guild_id}/soundboard-sounds/{sound_id}',
      'GET_LOBBY GET /lobbies/{lobby_id}',
      'GET_LOBBY_MESSAGES GET /lobbies/{lobby_id}/messages',
      'GET_ORIGINAL_INTERACTION_RESPONSE GET /webhooks/{application_id}/{interaction_token}/messages/@original',
      'GET_PINNED_MESSAGES GET /channels/{channel_id}/pins',
      'GET_SKU_SUBSCRIPTION GET /skus/{sku_id}/subscriptions/{subscription_id}',
      'GET_TARGET_USERS GET /invites/{code}/target-users',
      'GET_TARGET_USERS_JOB_STATUS GET /invites/{code}/target-users/job-status',
      'GET_USER_MESSAGES GET /users/{user_id}/messages',
      'GET_USER_VOICE_STATE GET /guilds/{guild_id}/voice-states/{user_id}',
      'LEAVE_LOBBY DELETE /lobbies/{lobby_id}/members/@me',
      'LINK_CHANNEL_TO_LOBBY PATCH /lobbies/{lobby_id}/channel-linking',
      'LIST_APPLICATION_EMOJIS GET /applications/{application_id}/emojis',
      'LIST_AUTO_MODERATION_RULES_FOR_GUILD GET /guilds/{guild_id}/auto-moderation/rules',
      'LIST_DEFAULT_SOUNDBOARD_SOUNDS GET /soundboard-default-sounds',
      'LIST_ENTITLEMENTS GET /applications/{application_id}/entitlements',
      'LIST_GUILD_SOUNDBOARD_SOUNDS GET /guilds/{guild_id}/soundboard-sounds',
      'LIST_SKUS GET /applications/{application_id}/skus',
      'LIST_SKU_SUBSCRIPTIONS GET /skus/{sku_id}/subscriptions',
      'MODIFY_APPLICATION_EMOJI PATCH /applications/{application_id}/emojis/{emoji_id}',
      'MODIFY_AUTO_MODERATION_RULE PATCH /guilds/{guild_id}/auto-moderation/rules/{rule_id}',
      'MODIFY_CURRENT_MEMBER PATCH /guilds/{guild_id}/members/@me',
      'MODIFY_GUILD_SOUNDBOARD_SOUND PATCH /guilds/{guild_id}/soundboard-sounds/{sound_id}',
      'MODIFY_LOBBY PATCH /lobbies/{lobby_id}',
      'PIN_MESSAGE PUT /channels/{channel_id}/messages/pins/{message_id}',
      'PIN_MESSAGE_DEPRECATED PUT /channels/{channel_id}/pins/{message_id}',
      'REMOVE_LOBBY_MEMBER DELETE /lobbies/{lobby_id}/members/{user_id}',
      'REQUEST_CHILD_TOKEN POST /partner-sdk/child-token',
      'REQUEST_PROVISIONAL_ACCOUNT_UNMERGE POST /partner-sdk/provisional-accounts/unmerge',
      'REQUEST_PROVISIONAL_TOKEN POST /partner-sdk/token',
      'REQUEST_TOKEN POST /oauth2/token',
      'SEARCH_GUILD_MESSAGES GET /guilds/{guild_id}/messages/search',
      'SEND_ACTIVITY_MESSAGE POST /users/{user_id}/messages',
      'SEND_LOBBY_MESSAGE POST /lobbies/{lobby_id}/messages',
      'SEND_SOUNDBOARD_SOUND POST /channels/{channel_id}/send-soundboard-sound',
      'SEND_USER_MESSAGE POST /users/{user_id}/messages',
      'SET_VOICE_CHANNEL_STATUS PUT /channels/{channel_id}/voice-status',
      'UNLINK_CHANNEL_FROM_LOBBY PATCH /lobbies/{lobby_id}/channel-linking',
      'UNPIN_MESSAGE DELETE /channels/{channel_id}/messages/pins/{message_id}',
      'UNPIN_MESSAGE_DEPRECATED DELETE /channels/{channel_id}/pins/{message_id}',
      'UPDATE_LOBBY_MESSAGE_MODERATION_METADATA PUT /lobbies/{lobby_id}/messages/{message_id}/moderation-metadata',
      'UPDATE_TARGET_USERS PUT /invites/{code}/target-users',
      'UPDATE_USER_MESSAGE_MODERATION_METADATA PUT /partner-sdk/dms/{user_id_1}/{user_id_2}/messages/{message_id}/moderation-metadata',
    ])
  })

  it('name exactly the parameters of their paths', () => {
    for (const row of Object.values<EndpointRow>(ENDPOINTS)) {
      const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(row.pathParameters, row.name).toEqual(inPath)
    }
  })

  it('split arguments into path, query and body', () => {
    const row = defineEndpoint({
      name: 'SAMPLE',
      summary: 'A sample.',
      method: 'PUT',
      path: '/guilds/{guild_id}/things/{thing_id}',
      params: { guild_id: z.string(), thing_id: z.string() },
      query: { before: z.string().optional() },
      body: { title: z.string() },
      response: z.null(),
      auth: 'user',
      requires: [[]],
      idempotency: 'natural',
      provenance: 'sallyport',
    })
    expect(row).toMatchObject({
      pathParameters: ['guild_id', 'thing_id'],
      queryParameters: ['before'],
      majorParameter: 'guild_id',
      encoding: 'json',
    })
    expect(row.success).toEqual([200])
    expect(accepts(row, { guild_id: '1', thing_id: '2', title: 't' })).toBe(true)
    expect(accepts(row, { guild_id: '1', thing_id: '2', title: 't', other: 1 })).toBe(false)
  })

  it('have the documented responses', () => {
    expect(ENDPOINTS.SEND_LOBBY_MESSAGE.success).toEqual([201])
    expect(ENDPOINTS.SET_VOICE_CHANNEL_STATUS.success).toEqual([204])
    expect(ENDPOINTS.SET_VOICE_CHANNEL_STATUS).toMatchObject({
      auth: 'bot',
      permissions: ['SET_VOICE_CHANNEL_STATUS'],
      audited: true,
      majorParameter: 'channel_id',
    })
    expect(ENDPOINTS.BULK_UPDATE_LOBBY_MEMBERS.bodyArgument).toBe('members')
    expect(ENDPOINTS.CREATE_GUILD.unavailable?.since).toBe('2025-07-15')
    expect(ENDPOINTS.REQUEST_TOKEN).toMatchObject({ encoding: 'form', auth: 'client', idempotency: 'none' })
  })
})

describe('as commands', () => {
  it('include all except the token endpoints, whose fields a game must not choose', () => {
    for (const row of Object.values<EndpointRow>(ENDPOINTS)) expect(Object.hasOwn(COMMANDS, row.name), row.name).toBe(row.auth !== 'client')
    expect(COMMANDS.GET_CURRENT_USER_GUILDS.handledBy).toBe('api')
    expect(COMMANDS.GET_CURRENT_USER_GUILDS.args).toBe(ENDPOINTS.GET_CURRENT_USER_GUILDS.args)
  })

  it('require the scopes of the token, or a sign-in; unavailable rows require nothing, so every caller gets the reason', () => {
    expect(COMMANDS.GET_CURRENT_USER_GUILDS.requires).toEqual([['guilds']])
    expect(COMMANDS.SET_VOICE_CHANNEL_STATUS.requires).toEqual([['rpc.authenticated']])
    expect(COMMANDS.GET_CURRENT_AUTHORIZATION_INFORMATION.requires).toEqual([['rpc.authenticated']])
    expect(COMMANDS.CREATE_GUILD.requires).toEqual([[]])
  })
})

it('only the backend sets the second display name of a lobby member', () => {
  const naming = Object.values<EndpointRow>(ENDPOINTS).filter(({ args }) =>
    JSON.stringify(z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' })).includes('additional_name'),
  )
  expect(naming.map(({ name, auth }) => `${name} ${auth}`).toSorted()).toEqual(['ADD_LOBBY_MEMBER bot', 'BULK_UPDATE_LOBBY_MEMBERS bot'])
})

describe('limits', () => {
  it('limit the page of guilds', () => {
    for (const limit of [1, 200]) expect(accepts(ENDPOINTS.GET_CURRENT_USER_GUILDS, { limit })).toBe(true)
    for (const limit of [0, 201, 1.5, '5']) expect(accepts(ENDPOINTS.GET_CURRENT_USER_GUILDS, { limit })).toBe(false)
  })

  it('limit the status of a voice channel, which null clears', () => {
    const call = (status: unknown) => accepts(ENDPOINTS.SET_VOICE_CHANNEL_STATUS, { channel_id: '5', status })
    expect([call('x'.repeat(500)), call(''), call(null)]).toEqual([true, true, true])
    expect([call('x'.repeat(501)), call(5)]).toEqual([false, false])
  })

  it('limit the members of a bulk request', () => {
    const call = (members: unknown) => accepts(ENDPOINTS.BULK_UPDATE_LOBBY_MEMBERS, { lobby_id: '5', members })
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index) }))
    expect([call(many(1)), call(many(25))]).toEqual([true, true])
    expect([call(many(0)), call(many(26)), call([{}])]).toEqual([false, false, false])
    expect(call([{ id: '1', flags: 1, additional_name: null, remove_member: true, metadata: { a: 'b' } }])).toBe(true)
    expect([
      call([{ id: '1', additional_name: '' }]),
      call([{ id: '1', additional_name: 'x'.repeat(81) }]),
      call([{ id: '1', flags: 0 }]),
    ]).toEqual([false, false, false])
  })

  it('limit the secret and idle timeout of a lobby', () => {
    const call = (body: object) => accepts(ENDPOINTS.CREATE_OR_JOIN_LOBBY, { secret: 's', ...body })
    expect([
      call({}),
      call({ secret: 's'.repeat(250) }),
      call({ idle_timeout_seconds: 5 }),
      call({ idle_timeout_seconds: 604_800 }),
    ]).toEqual([true, true, true, true])
    expect([
      call({ secret: '' }),
      call({ secret: 's'.repeat(251) }),
      call({ idle_timeout_seconds: 4 }),
      call({ idle_timeout_seconds: 604_801 }),
    ]).toEqual([false, false, false, false])
  })

  it('limit lobby messages', () => {
    const send = (body: object) => accepts(ENDPOINTS.SEND_LOBBY_MESSAGE, { lobby_id: '5', ...body })
    expect([send({ content: 'x'.repeat(2000) }), send({ content: '' }), send({ content: 'x'.repeat(2001) }), send({})]).toEqual([
      true,
      false,
      false,
      false,
    ])
    const read = (limit: number) => accepts(ENDPOINTS.GET_LOBBY_MESSAGES, { lobby_id: '5', limit })
    expect([read(1), read(200), read(0), read(201)]).toEqual([true, true, false, false])
    expect(accepts(ENDPOINTS.GET_LOBBY_MESSAGES, { lobby_id: '../users' })).toBe(false)
  })
})

describe('metadata', () => {
  const pairs = (count: number, value: string) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))
  const join = (lobby_metadata: unknown) => ENDPOINTS.CREATE_OR_JOIN_LOBBY.args.safeParse({ secret: 's', lobby_metadata })

  it('has at most 25 keys', () => {
    expect(join(pairs(25, 'v')).success).toBe(true)
    expect(join(pairs(26, 'v')).error?.issues[0]).toMatchObject({ path: ['lobby_metadata'], message: expect.stringContaining('26 keys') })
  })

  it('has at most 1000 characters in keys and values, for lobbies and members', () => {
    expect(join({ key: 'v'.repeat(997) }).success).toBe(true)
    expect(join({ key: 'v'.repeat(998) }).error?.issues[0]?.message).toContain('1001 characters')
  })

  it('has values of at most 1024 characters in messages, without a total limit', () => {
    const send = (metadata: unknown) => accepts(ENDPOINTS.SEND_LOBBY_MESSAGE, { lobby_id: '5', content: 'hi', metadata })
    expect([send(pairs(25, 'v'.repeat(1024))), send({ a: 'v'.repeat(1025) }), send(pairs(26, 'v')), send({ a: 1 })]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('is checked by an exported function', () => {
    expect(metadataProblem({ ab: 'cd' }, 4)).toBeUndefined()
    expect(metadataProblem({ ab: 'cd' }, 3)).toContain('at most 3')
    expect(metadataProblem(pairs(LIMITS.lobbyMetadataKeys.value + 1, ''), 1000)).toContain('at most 25')
  })
})
