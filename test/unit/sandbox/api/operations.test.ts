/** Every operation of the API: its success reply in the shape of its row, and its errors. */
import { ENDPOINTS, type EndpointRow, satisfies } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, ManualClock, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const list = ({ text }: Answer) => JSON.parse(text) as Record<string, unknown>[]

interface StateGuild {
  readonly id: string
  readonly name: string
  readonly channels: { readonly id: string; readonly name: string; readonly voice_status: string | null }[]
}
const guildNamed = async (name: string, from = harness): Promise<StateGuild> => {
  const { guilds } = (await from.send('GET', '~sandbox/state')).json as { guilds: StateGuild[] }
  const found = guilds.find((guild) => guild.name === name)
  if (found === undefined) throw new Error(`no guild ${name}`)
  return found
}
const channelId = async (guild: string, channel: string): Promise<string> =>
  (await guildNamed(guild)).channels.find(({ name }) => name === channel)?.id ?? ''

describe('every operation with a token', () => {
  const rows = Object.values<EndpointRow>(ENDPOINTS).filter(({ auth }) => auth === 'user' || auth === 'bot' || auth === 'user-or-bot')

  it.each(rows.map((row) => [row.name, row] as const))('%s is refused without one', async (_, row) => {
    const path = row.path.replaceAll(/\{[^}]+\}/g, '1')
    expect(refusal(await harness.send(row.method, path))).toEqual([401, 0])
    expect(refusal(await harness.send(row.method, path, { token: 'guessed' }))).toEqual([401, 0])
    expect(refusal(await harness.send(row.method, path, { token: 'Bot sandbox-bot-unknown' }))).toEqual([401, 0])
  })

  it.each(rows.filter(({ auth }) => auth === 'user').map((row) => [row.name, row] as const))('%s is refused to bots', async (_, row) => {
    expect(refusal(await harness.send(row.method, row.path.replaceAll(/\{[^}]+\}/g, '1'), { token: BOT }))).toEqual([403, 20001])
  })

  it.each(rows.filter(({ auth }) => auth === 'bot').map((row) => [row.name, row] as const))(
    '%s is refused to users',
    { tags: ['4.1-rules-22'] },
    async (_, row) => {
      const { access_token: token } = await harness.signIn('identify sdk.social_layer')
      expect(refusal(await harness.send(row.method, row.path.replaceAll(/\{[^}]+\}/g, '1'), { token }))).toEqual([403, 20002])
    },
  )

  const scoped = rows.filter(({ auth, requires }) => auth !== 'bot' && !satisfies(requires, new Set()))
  it.each(scoped.map((row) => [row.name, row] as const))('%s is refused without its scope', async (_, row) => {
    const { access_token: token } = await harness.signIn('rpc')
    expect(
      refusal(
        await harness.send(row.method, row.path.replaceAll(/\{[^}]+\}/g, '1'), { token, ...(row.method === 'GET' ? {} : { json: {} }) }),
      ),
    ).toEqual([403, 50026])
  })
})

describe('the current user', () => {
  it('shows the address only with the scope email', async () => {
    const plain = await harness.send('GET', '/users/@me', { token: (await harness.signIn('identify')).access_token })
    expectShape('GET_CURRENT_USER', plain)
    expect(plain.json).toMatchObject({
      id: harness.sandbox.defaultUser.id,
      username: 'ada',
      premium_type: 0,
      primary_guild: { tag: 'HRBR' },
    })
    expect(plain.json).not.toHaveProperty('email')
    const withEmail = await harness.send('GET', '/users/@me', { token: (await harness.signIn('identify email')).access_token })
    expect(withEmail.json).toMatchObject({ email: 'ada@sandbox.example', verified: true })
  })

  it('is the application’s bot for a bot token', async () => {
    expect((await harness.send('GET', '/users/@me', { token: BOT })).json).toMatchObject({ id: APPLICATION, bot: true })
  })

  it('is opened by an umbrella scope', { tags: ['5-5'] }, async () => {
    const { access_token: token, scope } = await harness.signIn('sdk.social_layer_presence')
    expect(scope).toBe('sdk.social_layer_presence')
    expect((await harness.send('GET', '/users/@me', { token })).status).toBe(200)
    expect((await harness.send('GET', '/users/@me/guilds', { token })).status).toBe(403)
  })
})

describe('what a token stands for', () => {
  it('names application, scopes, expiry, and the user only with identify', async () => {
    const info = await harness.send('GET', '/oauth2/@me', { token: (await harness.signIn('identify guilds')).access_token })
    expectShape('GET_CURRENT_AUTHORIZATION_INFORMATION', info)
    expect(info.json).toMatchObject({
      application: { id: APPLICATION, rpc_origins: ['http://127.0.0.1', 'http://localhost', 'http://[::1]'] },
      scopes: ['identify', 'guilds'],
    })
    expect(Date.parse(String(info.json['expires']))).toBe(harness.clock.now() + 604_800_000)
    expect(info.json['user']).toMatchObject({ username: 'ada' })
    expect((info.json['application'] as { verify_key: string }).verify_key).toMatch(/^[0-9a-f]{64}$/)
    const bare = await harness.send('GET', '/oauth2/@me', { token: (await harness.signIn('guilds')).access_token })
    expect(bare.json).not.toHaveProperty('user')
  })
})

describe('connections', () => {
  const typesAt = async (when: number, user: string) => {
    const dated = await startHarness({ clock: new ManualClock(when) })
    const { access_token: token } = await dated.signIn('connections', { user })
    const answer = await dated.send('GET', '/users/@me/connections', { token })
    await dated.close()
    expectShape('GET_CURRENT_USER_CONNECTIONS', answer)
    return list(answer).map(({ type }) => type)
  }

  it('lists the first dropped provider until 10 July 2026', { tags: ['4.1-2'] }, async () => {
    expect(await typesAt(Date.UTC(2026, 6, 10) - 1, 'ada')).toEqual(['github', 'steam', 'riotgames', 'leagueoflegends', 'domain'])
    expect(await typesAt(Date.UTC(2026, 6, 10), 'ada')).toEqual(['github', 'steam', 'domain'])
  })

  it('lists the second dropped provider until 22 September 2026', { tags: ['4.1-3'] }, async () => {
    expect(await typesAt(Date.UTC(2026, 8, 22) - 1, 'grace')).toContain('battlenet')
    expect(await typesAt(Date.UTC(2026, 8, 22), 'grace')).toEqual(['twitch', 'youtube'])
  })
})

describe('guilds of the user', () => {
  it('come by ascending id, with banner, and counts on request', { tags: ['4.1-18'] }, async () => {
    const { access_token: token } = await harness.signIn('guilds')
    const all = await harness.send('GET', '/users/@me/guilds', { token })
    expectShape('GET_CURRENT_USER_GUILDS', all)
    const ids = list(all).map(({ id }) => String(id))
    expect(ids).toEqual([...ids].sort((a, b) => Number(BigInt(a) - BigInt(b))))
    const harbour = list(all).find(({ name }) => name === 'Harbour')
    expect(harbour).toMatchObject({ owner: true, banner: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(harbour).not.toHaveProperty('approximate_member_count')
    expect(list(all).find(({ name }) => name === 'Lighthouse')).toHaveProperty('banner', null)
    const counted = list(await harness.send('GET', '/users/@me/guilds?with_counts=True', { token }))
    expect(counted.find(({ name }) => name === 'Harbour')).toMatchObject({ approximate_member_count: 3, approximate_presence_count: 2 })
  })

  it('come a page at a time', { tags: ['4.3-20'] }, async () => {
    const { access_token: token } = await harness.signIn('guilds', { user: 'grace' })
    const page = async (query: string) =>
      list(await harness.send('GET', `/users/@me/guilds?${query}`, { token })).map(({ id }) => String(id))
    const [first, second, third, ...none] = await page('limit=200')
    expect([third === undefined, none]).toEqual([false, []])
    expect(await page('limit=1')).toEqual([first])
    expect(await page(`limit=1&after=${first}`)).toEqual([second])
    expect(await page(`limit=1&before=${third}`)).toEqual([second])
  })

  it.each(['limit=0', 'limit=201', 'limit=abc', 'with_counts=perhaps', 'before=x'])('refuse %s, naming the field', async (query) => {
    const { access_token: token } = await harness.signIn('guilds')
    const refused = await harness.send('GET', `/users/@me/guilds?${query}`, { token })
    expect(refusal(refused)).toEqual([400, 50035])
    const field = query.split('=')[0] ?? ''
    expect(refused.json['errors']).toHaveProperty([field, '_errors', '0', 'code'])
  })
})

describe('channels of a guild', () => {
  const names = (answer: Answer) => list(answer).map(({ name }) => name)

  it('carry position and parent; the hidden one shows to its members only', { tags: ['4.3-19', '9.1-20'] }, async () => {
    const { id } = await guildNamed('Harbour')
    const asAda = await harness.send('GET', `/guilds/${id}/channels`, {
      token: (await harness.signIn('guilds.channels.read')).access_token,
    })
    expectShape('GET_GUILD_CHANNELS', asAda)
    expect(names(asAda)).toContain('captains-only')
    const quay = list(asAda).find(({ name }) => name === 'Quay')
    expect(list(asAda).find(({ name }) => name === 'screenshots')).toMatchObject({ parent_id: quay?.['id'], position: 1, type: 0 })
    const grace = await harness.signIn('guilds.channels.read', { user: 'grace' })
    expect(names(await harness.send('GET', `/guilds/${id}/channels`, { token: grace.access_token }))).not.toContain('captains-only')
    expect(names(await harness.send('GET', `/guilds/${id}/channels`, { token: BOT }))).not.toContain('captains-only')
  })

  it('showed the hidden one to all members before 16 November 2026', { tags: ['4.1-6'] }, async () => {
    const earlier = await startHarness({ clock: new ManualClock(Date.UTC(2026, 10, 16) - 1) })
    const { id } = await guildNamed('Harbour', earlier)
    expect(names(await earlier.send('GET', `/guilds/${id}/channels`, { token: BOT }))).toContain('captains-only')
    earlier.clock.advance(1)
    expect(names(await earlier.send('GET', `/guilds/${id}/channels`, { token: BOT }))).not.toContain('captains-only')
    await earlier.close()
  })

  it('are for members', async () => {
    const { id } = await guildNamed('Dry Dock')
    const { access_token: token } = await harness.signIn('guilds.channels.read')
    expect(refusal(await harness.send('GET', `/guilds/${id}/channels`, { token }))).toEqual([403, 50001])
    expect(refusal(await harness.send('GET', '/guilds/1/channels', { token }))).toEqual([404, 10004])
    expect(refusal(await harness.send('GET', '/guilds/abc/channels', { token }))).toEqual([400, 50035])
  })
})

describe('the status of a voice channel', () => {
  const put = async (guild: string, channel: string, status: unknown) =>
    harness.send('PUT', `/channels/${await channelId(guild, channel)}/voice-status`, { token: BOT, json: { status } })
  const stored = async (guild: string, channel: string) =>
    (await guildNamed(guild)).channels.find(({ name }) => name === channel)?.voice_status

  it('can be set and cleared', { tags: ['4.1-13', '2.2-9'] }, async () => {
    const set = await put('Harbour', 'Engine Room', 'Full steam')
    expectShape('SET_VOICE_CHANNEL_STATUS', set)
    expect(set.text).toBe('')
    expect(await stored('Harbour', 'Engine Room')).toBe('Full steam')
    for (const cleared of [null, '']) {
      await put('Harbour', 'Engine Room', 'Full steam')
      expect((await put('Harbour', 'Engine Room', cleared)).status).toBe(204)
      expect(await stored('Harbour', 'Engine Room')).toBeNull()
    }
  })

  it('needs MANAGE_CHANNELS where the bot is not connected', { tags: ['4.1-15'] }, async () => {
    expect((await put('Lighthouse', 'Lamp Room', 'on')).status).toBe(204)
    expect(refusal(await put('Lighthouse', 'Stairs', 'on'))).toEqual([403, 50013])
  })

  it('is refused elsewhere', { tags: ['2.2-9', '4.1-13'] }, async () => {
    expect(refusal(await put('Dry Dock', 'Workshop', 'x'))).toEqual([403, 50001])
    expect(refusal(await put('Harbour', 'captains-only', 'x'))).toEqual([403, 50001])
    expect(refusal(await put('Harbour', 'general', 'x'))).toEqual([400, 50024])
    expect(refusal(await put('Harbour', 'Bridge', 'x'.repeat(501)))).toEqual([400, 50035])
    expect((await put('Harbour', 'Bridge', 'x'.repeat(500))).status).toBe(204)
    expect(refusal(await harness.send('PUT', '/channels/1/voice-status', { token: BOT, json: { status: null } }))).toEqual([404, 10003])
  })
})

it('guilds cannot be created by applications', { tags: ['9.2-1'] }, async () => {
  const refused = await harness.send('POST', '/guilds', { token: BOT, json: { name: 'New' } })
  expect(refusal(refused)).toEqual([403, 20001])
  expect(refused.json['message']).toContain('15 July 2025')
})

describe('bodies', () => {
  it('must be JSON objects', async () => {
    const { access_token: token } = await harness.signIn('sdk.social_layer')
    expect(refusal(await harness.send('PUT', '/lobbies', { token, raw: '{"secret":' }))).toEqual([400, 50109])
    expect(refusal(await harness.send('PUT', '/lobbies', { token, raw: '[]' }))).toEqual([400, 50035])
    expect(refusal(await harness.send('PUT', '/lobbies', { token, raw: 'secret=x', headers: { 'content-type': 'text/plain' } }))).toEqual([
      400, 50035,
    ])
  })

  it('get a tree of errors, and unknown fields are ignored', async () => {
    const { access_token: token } = await harness.signIn('sdk.social_layer')
    const refused = await harness.send('PUT', '/lobbies', { token, json: { idle_timeout_seconds: 1, lobby_metadata: { a: 1 } } })
    expect(refused.json).toMatchObject({
      code: 50035,
      message: 'Invalid Form Body',
      errors: {
        secret: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] },
        idle_timeout_seconds: { _errors: [{ code: 'BASE_TYPE_MIN' }] },
        lobby_metadata: { a: { _errors: [{ code: 'BASE_TYPE_BAD_TYPE' }] } },
      },
    })
    expect((await harness.send('PUT', '/lobbies', { token, json: { secret: 's', unheard_of: 1 } })).status).toBe(200)
  })
})

it('is the same with any version that is served, or none, and refuses the others', async () => {
  const { access_token } = await harness.signIn('identify')
  const at = (base: string) => harness.send('GET', `~${base}/users/@me`, { token: access_token })
  for (const base of ['api/v10', 'api/v9', 'api']) expect((await at(base)).status).toBe(200)
  for (const base of ['api/v8', 'api/v3', 'api/v11']) expect(refusal(await at(base))).toEqual([400, 50041])
})

it('does not know other paths, nor other methods', async () => {
  expect(refusal(await harness.send('GET', '/users/@me/billing', { token: BOT }))).toEqual([404, 0])
  expect(refusal(await harness.send('DELETE', '/users/@me', { token: BOT }))).toEqual([405, 0])
})

it('keeps applications apart', async () => {
  const ours = await harness.signIn('sdk.social_layer')
  const theirs = await harness.signIn('sdk.social_layer', { application: OTHER_APPLICATION })
  const first = await harness.send('PUT', '/lobbies', { token: ours.access_token, json: { secret: 'same' } })
  const second = await harness.send('PUT', '/lobbies', { token: theirs.access_token, json: { secret: 'same' } })
  expect(first.json['id']).not.toBe(second.json['id'])
  expect(refusal(await harness.send('GET', `/lobbies/${String(first.json['id'])}/messages`, { token: theirs.access_token }))).toEqual([
    404, 10031,
  ])
})
