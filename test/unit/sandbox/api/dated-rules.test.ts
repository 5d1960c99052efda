/** Rules with a start date: before it, on it and after. */
import { PERMISSIONS } from '@sallyport/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { Operation } from '@sallyport/sandbox/api/handlers'
import { checkSlowmode } from '@sallyport/sandbox/api/slowmode'
import type { PlatformError } from '@sallyport/sandbox/platform-error'
import type { StoredChannel } from '@sallyport/sandbox/store/records'
import { BOT, refusal } from '../answers.ts'
import { APPLICATION, type Harness, ManualClock, OTHER_APPLICATION, startHarness } from '../harness.ts'

const SOUND = 'data:audio/ogg;base64,T2dnUwAC'

let open: Harness[] = []
afterEach(async () => {
  for (const harness of open) await harness.close()
  open = []
})
async function on(...day: [number, number, number]): Promise<Harness> {
  const harness = await startHarness({ clock: new ManualClock(Date.UTC(...day)) })
  open.push(harness)
  return harness
}

async function guildOf(harness: Harness, name: string): Promise<string> {
  const { json } = await harness.send('GET', '~sandbox/state')
  return (json['guilds'] as { id: string; name: string }[]).find((guild) => guild.name === name)?.id ?? ''
}

describe('the profile of a bot in a guild', () => {
  const change = async (harness: Harness, json: object) =>
    harness.send('PATCH', `/guilds/${await guildOf(harness, 'Harbour')}/members/@me`, { token: BOT, json })

  it('can be set from 10 September 2025 on; its nickname always could', { tags: ['4.1-rules-9'] }, async () => {
    const before = await on(2025, 8, 9)
    for (const json of [{ bio: 'Hello' }, { banner: null }, { avatar: null }])
      expect(refusal(await change(before, json))).toEqual([403, 20001])
    expect((await change(before, { nick: 'Harbour Master' })).status).toBe(200)
    expect((await change(await on(2025, 8, 10), { bio: 'Hello' })).status).toBe(200)
  })
})

describe('a sound of a guild', () => {
  const create = async (harness: Harness) =>
    harness.send('POST', `/guilds/${await guildOf(harness, 'Lighthouse')}/soundboard-sounds`, {
      token: BOT,
      json: { name: 'horn', sound: SOUND },
    })

  it('needs CREATE_GUILD_EXPRESSIONS from 23 February 2026 on, and MANAGE_GUILD_EXPRESSIONS before', { tags: ['9.2-7'] }, async () => {
    expect(refusal(await create(await on(2026, 1, 22)))).toEqual([403, 50013])
    expect((await create(await on(2026, 1, 23))).status).toBe(201)
  })
})

describe('the entitlement of a subscription', () => {
  const typesOn = async (harness: Harness) => {
    const { text } = await harness.send('GET', `/applications/${APPLICATION}/entitlements`, { token: BOT })
    return [...new Set((JSON.parse(text) as { type: number }[]).map(({ type }) => type))]
  }

  it('is an application subscription before the migration, and a purchase from then on', { tags: ['2.2-28', '3-6'] }, async () => {
    expect(await typesOn(await on(2024, 8, 30))).toEqual([8])
    expect(await typesOn(await on(2024, 9, 1))).toEqual([1])
    expect(await typesOn(await on(2026, 9, 1))).toEqual([1])
  })
})

describe('slowmode', () => {
  const say = async (harness: Harness, guild: string, channel: string, token = BOT) => {
    const { json } = await harness.send('GET', '~sandbox/state')
    const guilds = json['guilds'] as { name: string; channels: { id: string; name: string }[] }[]
    const id = guilds.find(({ name }) => name === guild)?.channels.find(({ name }) => name === channel)?.id
    return harness.send('POST', `/channels/${id}/messages`, { token, json: { content: 'All quiet' } })
  }

  it('holds back who has no permission to pass it, and says for how long', { tags: ['9.2-5'] }, async () => {
    const harness = await on(2026, 11, 1)
    expect((await say(harness, 'Lighthouse', 'watch')).status).toBe(200)
    expect((await say(harness, 'Lighthouse', 'watch', `Bot sandbox-bot-${OTHER_APPLICATION}`)).status).toBe(200)
    harness.clock.advance(10_000)
    const held = await say(harness, 'Lighthouse', 'watch')
    expect(refusal(held)).toEqual([429, 20_016])
    expect(held.json).toMatchObject({ retry_after: 20, global: false })
    harness.clock.advance(20_000)
    expect((await say(harness, 'Lighthouse', 'watch')).status).toBe(200)
    for (let count = 0; count < 2; count += 1) expect((await say(harness, 'Lighthouse', 'logbook')).status).toBe(200)
  })

  it.each([
    ['MANAGE_MESSAGES', [200, 429]],
    ['MANAGE_CHANNELS', [200, 429]],
    ['MANAGE_THREADS', [200, 429]],
    ['BYPASS_SLOWMODE', [429, 200]],
  ] as const)('is passed with %s before and from 23 February 2026 on: %j', { tags: ['9.2-6'] }, async (name, expected) => {
    const statuses = [Date.UTC(2026, 1, 22), Date.UTC(2026, 1, 23)].map((now) => {
      const bits = PERMISSIONS.VIEW_CHANNEL.bit | PERMISSIONS[name].bit
      const guild = { id: '1', ownerId: '9', members: {}, botPermissions: bits.toString() }
      const group = () => [{ id: ((BigInt(now - 1000) - 1_420_070_400_000n) << 22n).toString(), authorId: '5' }]
      const store = { guilds: new Map([['1', guild]]), channelMessages: { group }, roles: { group: () => [] }, botMembers: new Map() }
      const operation = {
        platform: { store, clock: new ManualClock(now) },
        caller: { kind: 'bot', id: '5', applicationId: '5' },
        files: [],
      }
      try {
        checkSlowmode(
          operation as unknown as Operation,
          { id: '2', guildId: '1', overwrites: [], slowmodeSeconds: 30 } as unknown as StoredChannel,
        )
        return 200
      } catch (failure) {
        return (failure as PlatformError).status
      }
    })
    expect(statuses).toEqual(expected)
  })
})

describe('channels that the bot may not see', () => {
  const channels = async (harness: Harness) => {
    const { text } = await harness.send('GET', `/guilds/${await guildOf(harness, 'Harbour')}/channels`, { token: BOT })
    return JSON.parse(text) as { name: string; flags: number; topic?: string | null; permission_overwrites: unknown[] }[]
  }
  const optIn = (harness: Harness, application_id = APPLICATION) =>
    harness.send('POST', '~sandbox/applications', { json: { application_id, private_channel_obfuscation: true } })

  it('are obfuscated for an application with the setting, until they are left out', { tags: ['2.2-4', '3-1', '5-33'] }, async () => {
    const harness = await on(2026, 10, 15)
    await optIn(harness, OTHER_APPLICATION)
    expect((await channels(harness)).map(({ name }) => name)).toContain('captains-only')
    expect((await optIn(harness)).status).toBe(204)
    const hidden = (await channels(harness)).filter(({ flags }) => (flags & (1 << 17)) !== 0)
    expect(hidden).toMatchObject([
      { name: '___hidden___', topic: null, permission_overwrites: [{ id: await guildOf(harness, 'Harbour'), deny: '1024', allow: '0' }] },
    ])
    expect(JSON.stringify(await channels(harness))).not.toContain('captains-only')
    harness.clock.advance(86_400_000)
    expect((await channels(harness)).filter(({ flags }) => flags !== 0)).toEqual([])
  })

  it('are in the order of the client', { tags: ['9.1-20'] }, async () => {
    expect((await channels(await on(2026, 11, 1))).map(({ name }) => name)).toEqual([
      'Quay',
      'general',
      'screenshots',
      'Decks',
      'Bridge',
      'Engine Room',
    ])
  })
})

describe('the intent to read messages', () => {
  const search = async (harness: Harness) =>
    harness.send('GET', `/guilds/${await guildOf(harness, 'Harbour')}/messages/search`, { token: BOT })
  const setFlags = (harness: Harness, flags: number) => harness.send('PATCH', '/applications/@me', { token: BOT, json: { flags } })

  it('is needed to search, and an application can give it up and take it again', { tags: ['4.1-rules-12', '5-34'] }, async () => {
    const harness = await on(2026, 11, 1)
    expect((await harness.send('GET', '/applications/@me', { token: BOT })).json).toMatchObject({
      flags: 1 << 19,
      flags_new: String(1 << 19),
    })
    expect(refusal(await search(harness))).toEqual([202, 110_000])
    await setFlags(harness, 0)
    expect(refusal(await search(harness))).toEqual([403, 50001])
    expect((await search(harness)).json['message']).toContain('MESSAGE_CONTENT')
    await setFlags(harness, 1 << 19)
    expect(refusal(await search(harness))).toEqual([202, 110_000])
  })
})

describe('premium_type', () => {
  it('is 0 without identify.premium', { tags: ['2.2-16'] }, async () => {
    const harness = await on(2026, 11, 1)
    const typeWith = async (scope: string) => {
      const { access_token: token } = await harness.signIn(scope)
      return (await harness.send('GET', '/users/@me', { token })).json['premium_type']
    }
    const approve = (premium: boolean) => harness.send('POST', '~sandbox/applications', { json: { application_id: APPLICATION, premium } })
    await approve(true)
    expect([await typeWith('identify'), await typeWith('identify identify.premium')]).toEqual([0, 2])
  })

  it('is 0 again when the application loses its approval', { tags: ['5-6'] }, async () => {
    const harness = await on(2026, 11, 1)
    const approve = (premium: boolean) => harness.send('POST', '~sandbox/applications', { json: { application_id: APPLICATION, premium } })
    await approve(true)
    const { access_token: token } = await harness.signIn('identify identify.premium')
    await approve(false)
    expect((await harness.send('GET', '/users/@me', { token })).json['premium_type']).toBe(0)
  })
})

it('a subscription that does not exist is an unknown SKU', async () => {
  const harness = await on(2026, 11, 1)
  const { text } = await harness.send('GET', `/applications/${APPLICATION}/skus`, { token: BOT })
  const sku = (JSON.parse(text) as { id: string; type: number }[]).find(({ type }) => type === 5)
  expect(refusal(await harness.send('GET', `/skus/${sku?.id}/subscriptions/5`, { token: BOT }))).toEqual([404, 10027])
})

it('tags of guilds have 1 to 4 characters', { tags: ['2.2-17', '2.2-18', '8-6'] }, async () => {
  const harness = await on(2026, 11, 1)
  const { access_token: token } = await harness.signIn('identify')
  const { primary_guild } = (await harness.send('GET', '/users/@me', { token })).json as { primary_guild: { tag: string } }
  expect(primary_guild.tag).toMatch(/^.{1,4}$/)
  const { access_token: untagged } = await harness.signIn('identify', { user: 'linus' })
  expect((await harness.send('GET', '/users/@me', { token: untagged })).json['primary_guild']).toBeNull()
})
