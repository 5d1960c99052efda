/** Endpoint rows: path, query and body arguments, limits, and their commands. */
import { COMMANDS, type EndpointRow, ENDPOINTS, LIMITS, metadataProblem } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '#protocol/src/endpoints/define.ts'

const accepts = (row: EndpointRow, args: unknown): boolean => row.args.safeParse(args).success

describe('the rows', () => {
  it('name exactly the parameters of their paths', () => {
    for (const row of Object.values<EndpointRow>(ENDPOINTS)) {
      const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(row.pathParameters, row.name).toEqual(inPath)
    }
  })

  it('have a body exactly when an argument is sent nowhere else', () => {
    for (const row of Object.values<EndpointRow>(ENDPOINTS)) {
      const { shape } = row.args as z.ZodObject
      const elsewhere = [...row.pathParameters, ...row.queryParameters, row.reasonArgument, row.asBotArgument]
      expect(row.hasBody, row.name).toBe(Object.keys(shape).some((name) => !elsewhere.includes(name)))
      expect(Object.keys(shape), row.name).toEqual(expect.arrayContaining([...row.pathParameters]))
    }
  })

  it('split arguments into path, query and body', () => {
    const row = defineEndpoint({
      name: 'SAMPLE',
      summary: 'A sample.',
      method: 'PUT',
      path: '/guilds/{guild_id}/things/{thing_id}',
      params: () => ({ guild_id: z.string(), thing_id: z.string() }),
      query: () => ({ before: z.string().optional() }),
      body: () => ({ title: z.string() }),
      response: () => z.null(),
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

  it('setting a voice channel status needs a bot with SET_VOICE_CHANNEL_STATUS', { tags: ['4.1-14'] }, () => {
    expect(ENDPOINTS.SET_VOICE_CHANNEL_STATUS).toMatchObject({ auth: 'bot', permissions: ['SET_VOICE_CHANNEL_STATUS'] })
  })
})

describe('as commands', () => {
  it('include all except the token endpoints, whose fields a game must not choose', () => {
    for (const row of Object.values<EndpointRow>(ENDPOINTS)) expect(Object.hasOwn(COMMANDS, row.name), row.name).toBe(row.auth !== 'client')
    expect(COMMANDS.GET_CURRENT_USER_GUILDS.handledBy).toBe('api')
    expect(COMMANDS.GET_CURRENT_USER_GUILDS.args).toBe(ENDPOINTS.GET_CURRENT_USER_GUILDS.args)
  })

  it('require the scopes of the token, or a sign-in; unavailable rows require nothing, so every caller gets the reason', {
    tags: ['4.1-19', '5-9'],
  }, () => {
    expect(COMMANDS.GET_CURRENT_USER_CONNECTIONS.requires).toEqual([['connections']])
    expect(ENDPOINTS.GET_CURRENT_USER_GUILDS.requires).toEqual([['guilds']])
    expect(COMMANDS.SET_VOICE_CHANNEL_STATUS.requires).toEqual([['rpc.authenticated'], ['rpc.local']])
    expect(COMMANDS.GET_GUILD_CHANNELS.requires).toEqual([['guilds.channels.read'], ['rpc.local']])
    expect(COMMANDS.GET_CURRENT_AUTHORIZATION_INFORMATION.requires).toEqual([['rpc.authenticated']])
    expect(COMMANDS.CREATE_GUILD.requires).toEqual([[]])
  })
})

it('the identities of a user are below the user', { tags: ['4.3-21', '9.1-22'] }, () => {
  expect(ENDPOINTS.GET_USER_APPLICATION_IDENTITIES.path).toBe('/users/{user_id}/application-identities')
})

it('only the backend sets the second display name of a lobby member', { tags: ['2.2-56'] }, () => {
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

  it('limit the status of a voice channel, which null clears', { tags: ['2.2-9', '4.1-13', '8-5'] }, () => {
    const call = (status: unknown) => accepts(ENDPOINTS.SET_VOICE_CHANNEL_STATUS, { channel_id: '5', status })
    expect([call('x'.repeat(500)), call(''), call(null)]).toEqual([true, true, true])
    expect([call('x'.repeat(501)), call(5)]).toEqual([false, false])
  })

  it('limit the members of a bulk request', { tags: ['4.1-12', '8-4'] }, () => {
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

  it('limit lobby messages', { tags: ['4.1-10', '4.3-14', '8-2', '9.1-31'] }, () => {
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
