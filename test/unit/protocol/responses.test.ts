/** Shaping of platform responses by dated rules, order and the caller's scopes. */
import {
  type ResponseContext,
  type Channel,
  CHANNEL_OBFUSCATED,
  ENDPOINTS,
  type EndpointRow,
  inClientOrder,
  listedChannels,
  listedConnections,
  lobbyHistory,
  obfuscatedChannel,
  REMOVED_CONNECTIONS,
  snowflakeTime,
  userHistory,
  withAllowedPremium,
} from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const NOW = Date.UTC(2026, 11, 1)
const HOUR = 3_600_000
const EPOCH = 1_420_070_400_000
const idAt = (ms: number, rest = 0): string => ((BigInt(ms - EPOCH) << 22n) | BigInt(rest)).toString()
const facts = (given: Partial<ResponseContext> = {}): ResponseContext => ({
  now: NOW,
  scopes: new Set(),
  removedConnections: REMOVED_CONNECTIONS,
  ...given,
})

describe('connections', () => {
  const removed = { a: ['riotgames', 'leagueoflegends'], b: ['provider-b'] }
  const all = ['github', 'riotgames', 'leagueoflegends', 'provider-b'].map((type) => ({ type }))
  const typesAt = (day: number) => listedConnections(all, removed, day).map(({ type }) => type)

  it.each([
    ['the day before 10 July 2026', Date.UTC(2026, 6, 10) - 1, ['github', 'riotgames', 'leagueoflegends', 'provider-b']],
    ['10 July 2026', Date.UTC(2026, 6, 10), ['github', 'provider-b']],
    ['the day before 22 September 2026', Date.UTC(2026, 8, 22) - 1, ['github', 'provider-b']],
    ['22 September 2026', Date.UTC(2026, 8, 22), ['github']],
    ['years later', Date.UTC(2030, 0, 1), ['github']],
  ])('on %s', { tags: ['9.2-10', '9.2-11'] }, (_, day, expected) => {
    expect(typesAt(day)).toEqual(expected)
  })

  it('of a provider without configured types are all listed', () => {
    expect(listedConnections(all, { a: [], b: [] }, NOW)).toEqual(all)
  })
})

describe('channels', () => {
  const channel = (id: string, type: number, position?: number, parent_id?: string | null): Channel => ({
    id,
    type,
    ...(position === undefined ? {} : { position }),
    ...(parent_id === undefined ? {} : { parent_id }),
  })
  const ids = (channels: readonly Channel[]) => channels.map(({ id }) => id).join(' ')

  it('are sorted in client order: without a category first, then by category, text before voice, position, age', {
    tags: ['4.3-18'],
  }, () => {
    const shuffled = [
      channel('22', 2, 0, '20'),
      channel('20', 4, 1),
      channel('10', 4, 0),
      channel('13', 0, 7, '10'),
      channel('2', 2, 0, null),
      channel('21', 0, 5, '20'),
      channel('12', 5, 3, '10'),
      channel('1', 0, 9),
      channel('23', 13, 1, '20'),
      channel('3', 0, 9),
    ]
    expect(ids(inClientOrder(shuffled))).toBe('1 3 2 10 12 13 20 21 22 23')
    expect(ids(inClientOrder(shuffled.toReversed()))).toBe('1 3 2 10 12 13 20 21 22 23')
  })

  it('with an unlisted category count as channels without a category', () => {
    expect(ids(inClientOrder([channel('10', 4, 0), channel('5', 0, 1, '99'), channel('4', 0, 0)]))).toBe('4 5 10')
  })

  const hidden = obfuscatedChannel(
    { ...channel('7', 0, 3, '10'), name: 'captains-only', topic: 'the keys', last_message_id: '9', application_id: '4', flags: 1 << 4 },
    '100',
  )

  it('that are hidden have an obfuscated form', { tags: ['2.2-3', '2.2-4', '2.2-5', '2.2-6', '3-1'] }, () => {
    expect(hidden).toEqual({
      id: '7',
      type: 0,
      guild_id: '100',
      name: '___hidden___',
      position: 3,
      parent_id: '10',
      flags: (1 << 17) | (1 << 4),
      topic: null,
      last_message_id: null,
      permission_overwrites: [{ id: '100', type: 0, allow: '0', deny: '1024' }],
    })
    expect(CHANNEL_OBFUSCATED).toBe(131_072)
    expect(ENDPOINTS.GET_GUILD_CHANNELS.response.safeParse([hidden]).success).toBe(true)
  })

  it('that are hidden are omitted from 16 November 2026, not before', { tags: ['4.1-7', '9.2-12', '4.1-6'] }, () => {
    const all = [channel('1', 0), hidden]
    expect(ids(listedChannels(all, Date.UTC(2026, 10, 16) - 1))).toBe('1 7')
    expect(ids(listedChannels(all, Date.UTC(2026, 10, 16)))).toBe('1')
    expect(ids(listedChannels(all, Date.UTC(2027, 0, 1)))).toBe('1')
  })
})

describe('histories', () => {
  const messages = [idAt(NOW - HOUR), idAt(NOW - 72 * HOUR - 1), idAt(NOW), idAt(NOW - 72 * HOUR), idAt(NOW - HOUR, 5)].map((id) => ({
    id,
  }))

  it.each([
    ['of lobbies', lobbyHistory],
    ['of direct messages', userHistory],
  ])('%s are sorted newest first, none older than 72 hours', (_, history) => {
    expect(history(messages, NOW).map(({ id }) => id)).toEqual([idAt(NOW), idAt(NOW - HOUR, 5), idAt(NOW - HOUR), idAt(NOW - 72 * HOUR)])
  })

  it('contain at most the newest 200', { tags: ['4.1-10', '4.3-14', '8-2'] }, () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ id: idAt(NOW - index * 1000) }))
    for (const history of [lobbyHistory(many.toReversed(), NOW), userHistory(many, NOW)]) {
      expect(history).toHaveLength(200)
      expect([history[0]?.id, history.at(-1)?.id]).toEqual([idAt(NOW), idAt(NOW - 199_000)])
    }
  })

  it('derive the time from the upper bits of an id', () => {
    expect(snowflakeTime(idAt(NOW, 4_194_303))).toBe(NOW)
  })
})

describe('premium_type', () => {
  it('is 0 without identify.premium, and unchanged with it', { tags: ['2.2-16', '5-6'] }, () => {
    expect(withAllowedPremium({ premium_type: 2 }, new Set(['identify']))).toEqual({ premium_type: 0 })
    expect(withAllowedPremium({ premium_type: 2 }, new Set(['identify', 'identify.premium']))).toEqual({ premium_type: 2 })
    expect(withAllowedPremium({}, new Set(['identify']))).toEqual({})
  })
})

describe('the rows', () => {
  const USER = { id: '1', username: 'ada', discriminator: '0', avatar: null, premium_type: 3 }
  const present = (name: keyof typeof ENDPOINTS, answer: unknown, given?: Partial<ResponseContext>) =>
    (ENDPOINTS[name] as EndpointRow).shapeResponse?.(answer, facts(given))

  it('apply these rules to their responses', () => {
    expect(present('GET_CURRENT_USER', USER)).toMatchObject({ premium_type: 0 })
    expect(present('GET_CURRENT_AUTHORIZATION_INFORMATION', { user: USER, scopes: [] })).toMatchObject({ user: { premium_type: 0 } })
    expect(present('GET_CURRENT_AUTHORIZATION_INFORMATION', { scopes: [] })).toEqual({ scopes: [] })
    expect(present('GET_CURRENT_USER_CONNECTIONS', [{ type: 'riotgames' }, { type: 'steam' }])).toEqual([{ type: 'steam' }])
    const removedConnections = { a: [], b: ['steam'] }
    expect(present('GET_CURRENT_USER_CONNECTIONS', [{ type: 'steam' }], { removedConnections })).toEqual([])
    expect(
      present('GET_GUILD_CHANNELS', [
        { id: '2', type: 2 },
        { id: '3', type: 0 },
      ]),
    ).toMatchObject([{ id: '3' }, { id: '2' }])
    for (const name of ['GET_LOBBY_MESSAGES', 'GET_USER_MESSAGES'] as const) {
      const [older, newer] = [{ id: idAt(NOW - HOUR) }, { id: idAt(NOW) }]
      expect(present(name, [older, newer, { id: '1' }])).toEqual([newer, older])
    }
  })
})
