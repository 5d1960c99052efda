/** Gateway events of guilds, channels and members, with the obfuscated form of hidden channels. */
import { CHANNEL_OBFUSCATED, PERMISSIONS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, ManualClock, startHarness } from '../harness.ts'
import { bot, BOT_TOKEN, GUILDS, MEMBERS, open, order, user, VOICE_STATES } from './client.ts'

/** Before hidden channels are obfuscated for all sessions. */
const EARLIER = Date.UTC(2026, 5, 1)
const OBFUSCATION = 1 << 15

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ clock: new ManualClock(EARLIER) })
})
afterEach(() => harness.close())

const change = (what: string, json: object) => harness.send('POST', `~sandbox/${what}`, { json })
const byBot = (method: string, path: string, json?: unknown) =>
  harness.send(method, path, { token: `Bot ${BOT_TOKEN}`, ...(json === undefined ? {} : { json }) })
interface StateGuild {
  readonly id: string
  readonly name: string
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}
const guilds = async () => (await harness.send('GET', '~sandbox/state')).json['guilds'] as readonly StateGuild[]
const guildId = async (named: string) => (await guilds()).find(({ name }) => name === named)?.id ?? ''
const channelId = async (named: string) => (await guilds()).flatMap(({ channels }) => channels).find(({ name }) => name === named)?.id ?? ''
const allowMembers = () => byBot('PATCH', '/applications/@me', { flags: (1 << 15) | (1 << 13) | (1 << 19) })

/** Roles have events of their own. */
const isOfNoRole = ({ t }: { readonly t?: string | null }): boolean => t?.startsWith('GUILD_ROLE_') !== true

describe('a guild', () => {
  it('arrives complete: roles, channels, and for a bot without presences itself and who is in voice', async () => {
    const client = await open(harness)
    await client.identify({ token: BOT_TOKEN, intents: GUILDS | VOICE_STATES })
    const both = [await client.event('GUILD_CREATE'), await client.event('GUILD_CREATE')]
    const harbour = both.find(({ name }) => name === 'Harbour') ?? {}
    const grace = await harness.idOf('grace')
    expect(harbour).toMatchObject({
      id: await guildId('Harbour'),
      unavailable: false,
      large: false,
      member_count: 3,
      approximate_presence_count: 2,
      threads: [],
      presences: [],
      soundboard_sounds: [],
      voice_states: [{ user_id: grace, channel_id: await channelId('Bridge') }],
      members: [{ user: { id: grace } }, { user: { id: APPLICATION } }],
    })
    expect((harbour['voice_states'] as readonly object[])[0]).not.toHaveProperty('guild_id')
    expect((harbour['roles'] as readonly { name: string }[]).map(({ name }) => name)).toEqual(['@everyone', 'Crew', 'Bots', 'Captain'])
    expect(harbour['channels']).toHaveLength(7)
  })

  it('sends its changes to its members only', async () => {
    const { client } = await bot(harness)
    const mary = await user(harness, 'mary')
    await change('guilds', { guild: 'Harbour', name: 'Old Harbour', online_count: 7 })
    expect(await client.event('GUILD_UPDATE')).toMatchObject({ name: 'Old Harbour', approximate_presence_count: 7 })
    expect(await mary.client.heardUntilNow(harness)).toEqual([])
  })

  it('is sent only to its shard', async () => {
    const id = await guildId('Harbour')
    const place = Number((BigInt(id) >> 22n) % 2n)
    const there = await bot(harness, GUILDS, { shard: [place, 2] })
    const elsewhere = await bot(harness, GUILDS, { shard: [1 - place, 2] })
    await change('guilds', { guild: 'Harbour', name: 'Old Harbour' })
    await there.client.event('GUILD_UPDATE')
    expect(await elsewhere.client.heardUntilNow(harness)).toEqual([])
    expect((there.ready['guilds'] as readonly { id: string }[]).map((one) => one.id)).toContain(id)
    expect((elsewhere.ready['guilds'] as readonly { id: string }[]).map((one) => one.id)).not.toContain(id)
  })

  it('is not sent to a bot without the intent', async () => {
    const { client } = await bot(harness, 0)
    await change('guilds', { guild: 'Harbour', name: 'Old Harbour' })
    await change('channels', { guild: 'Harbour', name: 'pier' })
    expect(await client.heardUntilNow(harness)).toEqual([])
  })
})

describe('members', () => {
  it('are added, changed and removed for users and with the intent; the affected member gets the guild event', async () => {
    await allowMembers()
    const { client } = await bot(harness, GUILDS | MEMBERS)
    const blind = await bot(harness, GUILDS)
    const mary = await user(harness, 'mary')
    const ada = await user(harness, 'ada')
    const about = { guild_id: await guildId('Harbour'), user: { id: await harness.idOf('mary') } }
    await change('members', { guild: 'Harbour', user: 'mary', member: true })
    expect(await client.event('GUILD_MEMBER_ADD')).toMatchObject({ ...about, roles: [], joined_at: expect.any(String) })
    expect(await ada.client.event('GUILD_MEMBER_ADD')).toMatchObject(about)
    expect(await mary.client.event('GUILD_CREATE')).toMatchObject({ id: about.guild_id })
    await change('members', { guild: 'Harbour', user: 'mary', member: false })
    expect(await client.event('GUILD_MEMBER_REMOVE')).toMatchObject(about)
    expect(await mary.client.event('GUILD_DELETE')).toEqual({ id: about.guild_id })
    await byBot('PATCH', `/guilds/${about.guild_id}/members/@me`, { nick: 'Master' })
    const own = { guild_id: about.guild_id, nick: 'Master', user: { id: APPLICATION } }
    expect(await blind.client.event('GUILD_MEMBER_UPDATE')).toMatchObject(own)
    expect(await blind.client.heardUntilNow(harness)).toEqual([])
  })

  it('get roles', async () => {
    await allowMembers()
    const { client } = await bot(harness, GUILDS | MEMBERS)
    const general = await channelId('general')
    const crew = Object.keys((await byBot('GET', `/guilds/${await guildId('Harbour')}/roles/member-counts`)).json)[0] ?? ''
    const invite = (await byBot('POST', `/channels/${general}/invites`, { role_ids: [crew] })).json
    await change('invites', { user: 'linus', code: invite['code'] })
    expect(await client.event('GUILD_MEMBER_UPDATE')).toMatchObject({ user: { id: await harness.idOf('linus') }, roles: [crew] })
    // A new member's roles are part of its event.
    const second = (await byBot('POST', `/channels/${general}/invites`, { role_ids: [crew] })).json
    await change('invites', { user: 'mary', code: second['code'] })
    expect(await client.event('GUILD_MEMBER_ADD')).toMatchObject({ user: { id: await harness.idOf('mary') }, roles: [crew] })
    expect(await client.heardUntilNow(harness)).toEqual([])
  })

  it('cannot be without their owner', async () => {
    expect((await change('members', { guild: 'Harbour', user: 'ada', member: false })).status).toBe(400)
    expect((await change('members', { guild: 'Nowhere', user: 'ada', member: true })).status).toBe(404)
  })
})

describe('channels', () => {
  it('are created, updated and deleted', async () => {
    const { client } = await bot(harness)
    const { id } = (await change('channels', { guild: 'Harbour', name: 'pier', parent: 'Quay' })).json
    const place = { id, guild_id: await guildId('Harbour'), parent_id: await channelId('Quay') }
    expect(await client.event('CHANNEL_CREATE')).toMatchObject({ ...place, name: 'pier', type: 0, flags: 0 })
    await change('channels', { channel: id as string, name: 'jetty' })
    expect(await client.event('CHANNEL_UPDATE')).toMatchObject({ ...place, name: 'jetty' })
    await change('channels', { channel: 'jetty', deleted: true })
    expect(await client.event('CHANNEL_DELETE')).toMatchObject(place)
    expect(await client.heardUntilNow(harness)).toEqual([])
    expect((await change('channels', { channel: 'jetty', name: 'again' })).status).toBe(404)
    expect((await change('channels', { guild: 'Harbour' })).status).toBe(400)
  })

  const hidden = { name: '___hidden___', topic: null }

  it('are shown and hidden by a change of roles, once for all roles and for the affected viewers only', {
    tags: ['3-2', '3-3'],
  }, async () => {
    const { client } = await bot(harness, GUILDS, { capabilities: OBFUSCATION })
    const linus = await user(harness, 'linus')
    await change('roles', { guild: 'Harbour', name: 'Keepers' })
    await change('channels', {
      channel: 'captains-only',
      overwrites: [
        { role: '@everyone', deny: ['VIEW_CHANNEL'] },
        { role: 'Keepers', allow: ['VIEW_CHANNEL'] },
      ],
    })
    await linus.client.event('CHANNEL_UPDATE')
    expect((await client.heardUntilNow(harness)).filter(isOfNoRole)).toEqual([])
    await change('roles', { guild: 'Harbour', role: 'Keepers', members: [null] })
    expect(await client.event('CHANNEL_UPDATE')).toMatchObject({ name: 'captains-only', flags: 0 })
    await change('roles', { guild: 'Harbour', role: 'Keepers', members: [] })
    expect(await client.event('CHANNEL_UPDATE')).toMatchObject({ ...hidden, flags: CHANNEL_OBFUSCATED })
    await change('roles', { guild: 'Harbour', role: '@everyone', permissions: [] })
    expect(await client.event('GUILD_UPDATE')).toMatchObject({ name: 'Harbour' })
    expect(await linus.client.event('GUILD_UPDATE')).toMatchObject({ name: 'Harbour' })
    expect((await linus.client.heardUntilNow(harness)).filter(isOfNoRole)).toEqual([])
  })

  it('that are hidden are obfuscated for a session with the capability', { tags: ['5-32', '3-2', '6-2'] }, async () => {
    const { client } = await bot(harness, GUILDS, { capabilities: OBFUSCATION })
    const id = await channelId('general')
    await change('channels', { channel: 'general', hidden: true })
    const event = await client.event('CHANNEL_UPDATE')
    expect(event).toMatchObject({ ...hidden, id, type: 0, position: 0, parent_id: await channelId('Quay') })
    expect(Number(event['flags']) & CHANNEL_OBFUSCATED).toBe(CHANNEL_OBFUSCATED)
    expect(event['permission_overwrites']).toEqual([
      expect.objectContaining({ id: await guildId('Harbour'), type: 0, allow: '0', deny: PERMISSIONS.VIEW_CHANNEL.bit.toString() }),
    ])
    // A change of a hidden channel sends none of its content.
    await change('channels', { channel: id, name: 'secret plans' })
    expect(await client.heardUntilNow(harness)).toEqual([])
    await change('channels', { channel: id, hidden: false })
    expect(await client.event('CHANNEL_UPDATE')).toMatchObject({ id, name: 'secret plans', topic: 'Ships, cargo, weather', flags: 0 })
  })

  it('that are shown show the hidden category above them too', async () => {
    const { client } = await bot(harness, GUILDS, { capabilities: OBFUSCATION })
    await change('channels', { channel: 'Quay', hidden: true })
    await change('channels', { channel: 'general', hidden: true })
    await client.event('CHANNEL_UPDATE')
    await client.event('CHANNEL_UPDATE')
    await change('channels', { channel: 'general', hidden: false })
    const names = [await client.event('CHANNEL_UPDATE'), await client.event('CHANNEL_UPDATE')].map(({ name }) => name)
    expect(names).toEqual(['Quay', 'general'])
  })

  const shownTo = async (capabilities: object) => {
    const { client } = await bot(harness, GUILDS, capabilities)
    await change('channels', { guild: 'Harbour', name: 'vault', hidden: true })
    return (await client.event('CHANNEL_CREATE'))['name']
  }

  it('that are hidden are complete for other sessions until obfuscation applies to all', async () => {
    expect(await shownTo({})).toBe('vault')
    harness.clock.advance(Date.UTC(2026, 10, 16) - harness.clock.now())
    expect(await shownTo({})).toBe('___hidden___')
  })

  it('that are hidden are obfuscated for an application with the setting', { tags: ['5-33'] }, async () => {
    await change('applications', { application_id: APPLICATION, private_channel_obfuscation: true })
    expect(await shownTo({})).toBe('___hidden___')
  })

  it('that are hidden stay visible to users who may see them', async () => {
    harness.clock.advance(Date.UTC(2026, 10, 16) - harness.clock.now())
    const ada = await user(harness, 'ada')
    const grace = await user(harness, 'grace')
    await change('channels', { channel: 'captains-only', name: 'captains' })
    expect(await ada.client.event('CHANNEL_UPDATE')).toMatchObject({ name: 'captains' })
    expect(await grace.client.heardUntilNow(harness)).toEqual([])
  })

  it('for voice are visible to connected members', async () => {
    const { client } = await bot(harness, GUILDS, { capabilities: OBFUSCATION })
    await change('channels', { channel: 'Lamp Room', hidden: true })
    expect(await client.event('CHANNEL_UPDATE')).toMatchObject({ name: 'Lamp Room' })
    await change('channels', { channel: 'Lamp Room', connected: [] })
    expect(await client.event('CHANNEL_UPDATE')).toMatchObject({ name: '___hidden___', type: 2 })
    await change('channels', { channel: 'Lamp Room', name: 'Dark Room' })
    expect(await client.heardUntilNow(harness)).toEqual([])
  })
})

describe('voice channels', () => {
  it('send their status, without a change of the channel', async () => {
    const { client } = await bot(harness)
    const id = await channelId('Engine Room')
    await byBot('PUT', `/channels/${id}/voice-status`, { status: 'Full steam' })
    const place = { id, guild_id: await guildId('Harbour') }
    expect(await client.event('VOICE_CHANNEL_STATUS_UPDATE')).toEqual({ ...place, status: 'Full steam' })
    await byBot('PUT', `/channels/${id}/voice-status`, { status: '' })
    expect(await client.event('VOICE_CHANNEL_STATUS_UPDATE')).toEqual({ ...place, status: null })
    expect(await client.heardUntilNow(harness)).toEqual([])
  })

  it('send joins, leaves and the start time', async () => {
    const { client } = await bot(harness, GUILDS | VOICE_STATES)
    const deaf = await bot(harness, GUILDS)
    const place = { id: await channelId('Engine Room'), guild_id: await guildId('Harbour') }
    const linus = await harness.idOf('linus')
    await change('channels', { channel: 'Engine Room', connected: ['linus'] })
    const now = Math.floor(harness.clock.now() / 1000)
    expect(await client.event('VOICE_CHANNEL_START_TIME_UPDATE')).toEqual({ ...place, voice_start_time: now })
    expect(await client.event('VOICE_STATE_UPDATE')).toMatchObject({ user_id: linus, channel_id: place.id, guild_id: place.guild_id })
    await change('channels', { channel: 'Bridge', connected: ['grace', 'linus'] })
    const moved = await client.heardUntilNow(harness)
    expect(moved.map(({ t, d }) => [t, d['voice_start_time'] ?? d['channel_id']])).toEqual([
      ['VOICE_STATE_UPDATE', await channelId('Bridge')],
      ['VOICE_CHANNEL_START_TIME_UPDATE', undefined],
    ])
    await change('channels', { channel: 'Bridge', connected: [] })
    const left = (await client.heardUntilNow(harness)).filter(({ t }) => t === 'VOICE_STATE_UPDATE')
    expect(left.map(({ d }) => d['channel_id'])).toEqual([null, null])
    expect((await deaf.client.heardUntilNow(harness)).filter(({ t }) => t === 'VOICE_STATE_UPDATE')).toEqual([])
    expect((await change('channels', { channel: 'general', connected: ['ada'] })).status).toBe(400)
  })
})

describe('an event made up by the control interface', () => {
  it('is sent to the matching sessions', async () => {
    const { client } = await bot(harness)
    const ada = await user(harness, 'ada')
    expect((await order(harness, { action: 'dispatch', t: 'THREAD_CREATE', d: { id: '1' }, user: 'ada' })).json).toEqual({ hit: 1 })
    expect(await ada.client.event('THREAD_CREATE')).toEqual({ id: '1' })
    expect(await client.heardUntilNow(harness)).toEqual([])
  })
})
