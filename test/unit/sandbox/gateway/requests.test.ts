/** Gateway requests of sessions: members, channel info, sounds, and voice. */
import { GATEWAY_OPCODES as OPS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chunksOf } from '@sallyport/sandbox/gateway/requests/members'
import { APPLICATION, type Harness, ManualClock, startHarness } from '../harness.ts'
import { bot, BOT_TOKEN, GUILDS, MEMBERS, PRESENCES, user, VOICE_STATES } from './client.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
  await byBot('PATCH', '/applications/@me', { flags: (1 << 13) | (1 << 15) | (1 << 19) })
})
afterEach(() => harness.close())

const byBot = (method: string, path: string, json?: unknown) =>
  harness.send(method, path, { token: `Bot ${BOT_TOKEN}`, ...(json === undefined ? {} : { json }) })
interface StateGuild {
  readonly id: string
  readonly name: string
  readonly channels: readonly { readonly id: string; readonly name: string; readonly type: number }[]
}
const guild = async (named: string): Promise<StateGuild> => {
  const guilds = (await harness.send('GET', '~sandbox/state')).json['guilds'] as readonly StateGuild[]
  const found = guilds.find(({ name }) => name === named)
  if (found === undefined) throw new Error(`no guild ${named}`)
  return found
}
const ask = async (given: object, intents = GUILDS | MEMBERS | PRESENCES) => {
  const { client } = await bot(harness, intents)
  const { id } = await guild('Harbour')
  return { client, id, again: () => client.send(OPS.REQUEST_GUILD_MEMBERS.op, { guild_id: id, ...given }) }
}
const names = ({ members }: Record<string, unknown>) =>
  (members as readonly { user: { username: string } }[]).map(({ user: { username } }) => username)

describe('a request for members', () => {
  it('by the beginning of a name, with a limit', async () => {
    const { client, again, id } = await ask({ query: 'GR', limit: 5, nonce: 'n1' })
    again()
    const chunk = await client.event('GUILD_MEMBERS_CHUNK')
    expect(names(chunk)).toEqual(['grace'])
    expect(chunk).toMatchObject({ guild_id: id, chunk_index: 0, chunk_count: 1, nonce: 'n1' })
    expect(chunk).not.toHaveProperty('presences')
  })

  it('by id, one or a list: who is not there is named', async () => {
    const grace = await harness.idOf('grace')
    const one = await ask({ user_ids: grace })
    one.again()
    expect(names(await one.client.event('GUILD_MEMBERS_CHUNK'))).toEqual(['grace'])
    const list = await ask({ user_ids: [grace, await harness.idOf('mary'), '5'], presences: true })
    list.again()
    const chunk = await list.client.event('GUILD_MEMBERS_CHUNK')
    expect(chunk).toMatchObject({ not_found: [await harness.idOf('mary'), '5'], presences: [] })
  })

  it('shows presences to those who may have them', async () => {
    await user(harness, 'grace')
    const request = { user_ids: await harness.idOf('grace'), presences: true }
    const seeing = await ask(request)
    seeing.again()
    expect(await seeing.client.event('GUILD_MEMBERS_CHUNK')).toMatchObject({ presences: [{ status: 'online' }] })
    const blind = await ask(request, GUILDS)
    blind.again()
    expect(await blind.client.event('GUILD_MEMBERS_CHUNK')).not.toHaveProperty('presences')
  })

  it('leaves out a nonce that is too long', async () => {
    const { client, again } = await ask({ query: 'a', limit: 1, nonce: 'é'.repeat(17) })
    again()
    expect(await client.event('GUILD_MEMBERS_CHUNK')).not.toHaveProperty('nonce')
  })

  it('for all is answered once in 30 seconds per guild and bot, then with RATE_LIMITED', { tags: ['8-1'] }, async () => {
    const { client, again, id } = await ask({ query: '', limit: 0, nonce: 'all' })
    again()
    expect(names(await client.event('GUILD_MEMBERS_CHUNK'))).toHaveLength(4)
    harness.clock.advance(12_500)
    again()
    expect(await client.event('RATE_LIMITED')).toEqual({ opcode: 8, retry_after: 17.5, meta: { guild_id: id, nonce: 'all' } })
    // Other guilds, other kinds of request and other bots are not limited.
    client.send(OPS.REQUEST_GUILD_MEMBERS.op, { guild_id: (await guild('Lighthouse')).id, query: '', limit: 0 })
    await client.event('GUILD_MEMBERS_CHUNK')
    client.send(OPS.REQUEST_GUILD_MEMBERS.op, { guild_id: id, query: 'a', limit: 0 })
    expect(names(await client.event('GUILD_MEMBERS_CHUNK'))).toContain('ada')
    client.send(OPS.HEARTBEAT.op, client.seq)
    harness.clock.advance(17_500)
    again()
    await client.event('GUILD_MEMBERS_CHUNK')
  })

  it('for all was not limited before a known date', async () => {
    await harness.close()
    harness = await startHarness({ clock: new ManualClock(Date.UTC(2025, 8, 30)) })
    await byBot('PATCH', '/applications/@me', { flags: 1 << 15 })
    const { client, again } = await ask({ query: '', limit: 0 }, GUILDS | MEMBERS)
    again()
    again()
    await client.event('GUILD_MEMBERS_CHUNK')
    await client.event('GUILD_MEMBERS_CHUNK')
  })

  it('for all without the intent, and of a guild that is not theirs, is not answered', async () => {
    const { client, again } = await ask({ query: '', limit: 0 }, GUILDS)
    again()
    client.send(OPS.REQUEST_GUILD_MEMBERS.op, { guild_id: (await guild('Dry Dock')).id, query: 'l', limit: 1 })
    client.send(OPS.HEARTBEAT.op, client.seq)
    await client.of(OPS.HEARTBEAT_ACK.op)
    expect(await client.heardUntilNow(harness)).toEqual([])
  })

  it.each([{}, { query: 'a', limit: 1, user_ids: ['1'] }, { query: 'a' }, { query: 'a', limit: -1 }])(
    'with %j is closed with 4002',
    async (given) => {
      const { client, again } = await ask(given)
      again()
      expect(await client.closed).toBe(4002)
    },
  )

  it('is answered in chunks of a thousand, and with one empty chunk without members', () => {
    const chunks = chunksOf(Array.from({ length: 2001 }, (_, index) => index))
    expect(chunks.map(({ length }) => length)).toEqual([1000, 1000, 1])
    expect(chunks[2]).toEqual([2000])
    expect(chunksOf([])).toEqual([[]])
  })
})

describe('a request for channel info', () => {
  it('returns the requested fields of each visible voice channel', { tags: ['2.2-8', '6-6'] }, async () => {
    const { client } = await bot(harness)
    const { id, channels } = await guild('Harbour')
    const engine = channels.find(({ name }) => name === 'Engine Room')?.id ?? ''
    await byBot('PUT', `/channels/${engine}/voice-status`, { status: 'Full steam' })
    await harness.send('POST', '~sandbox/channels', { json: { channel: 'Engine Room', connected: ['ada'] } })
    await harness.send('POST', '~sandbox/channels', { json: { channel: 'Bridge', hidden: true } })
    client.send(OPS.REQUEST_CHANNEL_INFO.op, { guild_id: id, fields: ['status', 'voice_start_time', 'weather'] })
    const voice_start_time = Math.floor(harness.clock.now() / 1000)
    expect(await client.event('CHANNEL_INFO')).toEqual({ guild_id: id, channels: [{ id: engine, status: 'Full steam', voice_start_time }] })
    client.send(OPS.REQUEST_CHANNEL_INFO.op, { guild_id: id, fields: ['status'] })
    expect(await client.event('CHANNEL_INFO')).toEqual({ guild_id: id, channels: [{ id: engine, status: 'Full steam' }] })
    client.send(OPS.REQUEST_CHANNEL_INFO.op, { guild_id: id })
    expect(await client.closed).toBe(4002)
  })
})

describe('a request for sounds', () => {
  it('returns the sounds of each own guild', async () => {
    const { client } = await bot(harness)
    const harbour = await guild('Harbour')
    await byBot('POST', `/guilds/${harbour.id}/soundboard-sounds`, { name: 'horn', sound: 'data:audio/ogg;base64,T2dnUwAC' })
    client.send(OPS.REQUEST_SOUNDBOARD_SOUNDS.op, { guild_ids: [harbour.id, (await guild('Dry Dock')).id] })
    expect(await client.event('SOUNDBOARD_SOUNDS')).toMatchObject({ guild_id: harbour.id, soundboard_sounds: [{ name: 'horn' }] })
    expect(await client.heardUntilNow(harness)).toEqual([])
  })
})

describe('joining voice', () => {
  it('moves a user or the bot in and out, and ignores changes that are not allowed', async () => {
    const watching = await bot(harness, VOICE_STATES)
    const ada = await user(harness, 'ada')
    const { id, channels } = await guild('Harbour')
    const at = (named: string) => channels.find(({ name }) => name === named)?.id ?? ''
    const go = (channel_id: string | null) => ({ guild_id: id, channel_id, self_mute: false, self_deaf: false })
    ada.client.send(OPS.VOICE_STATE_UPDATE.op, go(at('general')))
    ada.client.send(OPS.VOICE_STATE_UPDATE.op, go(at('Engine Room')))
    const event = { user_id: await harness.idOf('ada'), guild_id: id }
    expect(await watching.client.event('VOICE_STATE_UPDATE')).toMatchObject({ ...event, channel_id: at('Engine Room') })
    ada.client.send(OPS.VOICE_STATE_UPDATE.op, go(null))
    expect(await watching.client.event('VOICE_STATE_UPDATE')).toMatchObject({ ...event, channel_id: null })
    watching.client.send(OPS.VOICE_STATE_UPDATE.op, go(at('Engine Room')))
    expect(await watching.client.event('VOICE_STATE_UPDATE')).toMatchObject({ user_id: APPLICATION, channel_id: at('Engine Room') })
    watching.client.send(OPS.VOICE_STATE_UPDATE.op, { guild_id: id })
    expect(await watching.client.closed).toBe(4002)
  })
})
