/** Emoji of applications and soundboard sounds of the sandbox. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Patterns } from '@sallyport/sandbox/api/patterns'
import { emojiHandlers } from '@sallyport/sandbox/api/emojis'
import type { Operation } from '@sallyport/sandbox/api/handlers'
import { silentLogger } from '#test/support/silent-logger.ts'
import { SnowflakeSource } from '@sallyport/sandbox/snowflake'
import { openSealer } from '@sallyport/sandbox/store/sealer'
import { Store } from '@sallyport/sandbox/store/store'
import { Strictness } from '@sallyport/sandbox/strict/strictness'
import { ShownActivities } from '@sallyport/sandbox/social/shown-activities'
import { SessionStartLimit } from '@sallyport/sandbox/gateway/session-start-limit'
import { GatewayFaults } from '@sallyport/sandbox/gateway/gateway-faults'
import { postNothing } from '@sallyport/sandbox/webhooks/post'
import { Webhooks } from '@sallyport/sandbox/webhooks/webhooks'
import { BOT, expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, ManualClock, OTHER_APPLICATION, startHarness } from '../harness.ts'

const OTHER_BOT = `Bot sandbox-bot-${OTHER_APPLICATION}`
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const GIF = 'data:image/gif;base64,R0lGODlh'
const OGG = 'data:audio/ogg;base64,T2dnUw=='

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const send = (method: string, path: string, json?: unknown, token = BOT): Promise<Answer> =>
  harness.send(method, path, { token, ...(json === undefined ? {} : { json }) })

describe('emoji of an application', () => {
  const emojis = `/applications/${APPLICATION}/emojis`

  it('are added, listed, renamed and deleted', { tags: ['4.2-12'] }, async () => {
    const made = await send('POST', emojis, { name: 'anchor', image: GIF })
    expectShape('CREATE_APPLICATION_EMOJI', made)
    expect(made.json).toMatchObject({ name: 'anchor', animated: true, available: true, user: { id: APPLICATION } })
    const path = `${emojis}/${String(made.json['id'])}`
    const renamed = await send('PATCH', path, { name: 'kedge' })
    expectShape('MODIFY_APPLICATION_EMOJI', renamed)
    const one = await send('GET', path)
    expectShape('GET_APPLICATION_EMOJI', one)
    expect(one.json).toEqual({ ...made.json, name: 'kedge' })
    const all = await send('GET', emojis)
    expectShape('LIST_APPLICATION_EMOJIS', all)
    expect(all.json).toEqual({ items: [one.json] })
    expectShape('DELETE_APPLICATION_EMOJI', await send('DELETE', path))
    expect(refusal(await send('GET', path))).toEqual([404, 10014])
    expect((await send('GET', emojis)).json).toEqual({ items: [] })
  })

  it('belong to their application alone', { tags: ['4.2-12', '4.1-rules-22'] }, async () => {
    const { json } = await send('POST', emojis, { name: 'anchor', image: PNG })
    expect(json).toMatchObject({ animated: false })
    expect(refusal(await send('GET', emojis, undefined, OTHER_BOT))).toEqual([403, 20012])
    const elsewhere = `/applications/${OTHER_APPLICATION}/emojis/${String(json['id'])}`
    expect(refusal(await send('DELETE', elsewhere, undefined, OTHER_BOT))).toEqual([404, 10014])
  })

  it('are 2000 and not one more', { tags: ['2.2-58', '8-16'] }, () => {
    const clock = new ManualClock()
    const store = new Store(undefined)
    const platform = {
      store,
      sealer: openSealer(undefined),
      clock,
      wallClock: clock,
      log: silentLogger,
      ids: new SnowflakeSource(clock, []),
      seed: '',
      username: 'ada',
      webhooks: new Webhooks({ store, clock, log: silentLogger, seed: '', post: postNothing }),
      strictness: new Strictness('strict'),
      shownActivities: new ShownActivities(),
      patterns: new Patterns(),
      gatewayControls: { sessionStarts: new SessionStartLimit(clock), faults: new GatewayFaults() },
      origin: () => '',
    }
    const add = (id = APPLICATION) => {
      const operation: Operation = { platform, files: [], caller: { kind: 'bot', id, applicationId: id } }
      return emojiHandlers.CREATE_APPLICATION_EMOJI({ application_id: id, name: 'anchor', image: PNG }, operation)
    }
    for (let count = 0; count < 2000; count++) add()
    expect(() => add()).toThrow(expect.objectContaining({ status: 400, code: 30008 }) as Error)
    expect(add(OTHER_APPLICATION)).toMatchObject({ name: 'anchor' })
  })
})

interface StateGuild {
  readonly id: string
  readonly name: string
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}
const guildNamed = async (name: string): Promise<StateGuild> => {
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as { guilds: StateGuild[] }
  const found = guilds.find((guild) => guild.name === name)
  if (found === undefined) throw new Error(`no guild ${name}`)
  return found
}
const soundsOf = async (guild: string): Promise<string> => `/guilds/${(await guildNamed(guild)).id}/soundboard-sounds`

describe('sounds of a guild', () => {
  it('are added, listed, changed and deleted', { tags: ['4.2-13'] }, async () => {
    const sounds = await soundsOf('Harbour')
    const made = await send('POST', sounds, { name: 'foghorn', sound: OGG, emoji_name: '📯' })
    expectShape('CREATE_GUILD_SOUNDBOARD_SOUND', made)
    expect(made.json).toMatchObject({ name: 'foghorn', volume: 1, emoji_id: null, emoji_name: '📯', user: { id: APPLICATION } })
    const path = `${sounds}/${String(made.json['sound_id'])}`
    const changed = await send('PATCH', path, { volume: 0.25, emoji_name: null })
    expectShape('MODIFY_GUILD_SOUNDBOARD_SOUND', changed)
    expect(changed.json).toEqual({ ...made.json, volume: 0.25, emoji_name: null })
    const one = await send('GET', path)
    expectShape('GET_GUILD_SOUNDBOARD_SOUND', one)
    const all = await send('GET', sounds)
    expectShape('LIST_GUILD_SOUNDBOARD_SOUNDS', all)
    expect(all.json).toEqual({ items: [one.json] })
    expectShape('DELETE_GUILD_SOUNDBOARD_SOUND', await send('DELETE', path))
    expect(refusal(await send('GET', path))).toEqual([404, 10097])
  })

  it('are changed by others only with MANAGE_GUILD_EXPRESSIONS', { tags: ['9.2-7'] }, async () => {
    const lighthouse = await soundsOf('Lighthouse')
    const own = await send('POST', lighthouse, { name: 'foghorn', sound: OGG })
    const path = `${lighthouse}/${String(own.json['sound_id'])}`
    expect(refusal(await send('PATCH', path, { name: 'horn' }, OTHER_BOT))).toEqual([403, 50013])
    expect(refusal(await send('DELETE', path, undefined, OTHER_BOT))).toEqual([403, 50013])
    expect((await send('PATCH', path, { name: 'horn' })).json).toMatchObject({ name: 'horn' })
    const harbour = await soundsOf('Harbour')
    const { json } = await send('POST', harbour, { name: 'foghorn', sound: OGG })
    expect((await send('DELETE', `${harbour}/${String(json['sound_id'])}`, undefined, OTHER_BOT)).status).toBe(204)
  })

  it('are eight, with volumes from 0 to 1', async () => {
    const sounds = await soundsOf('Harbour')
    for (const volume of [-0.1, 1.1])
      expect(refusal(await send('POST', sounds, { name: 'foghorn', sound: OGG, volume }))).toEqual([400, 50035])
    expect(refusal(await send('POST', sounds, { name: 'foghorn', sound: PNG }))).toEqual([400, 50035])
    for (let count = 0; count < 8; count++)
      expect((await send('POST', sounds, { name: 'foghorn', sound: OGG, volume: 0 })).status).toBe(201)
    expect(refusal(await send('POST', sounds, { name: 'foghorn', sound: OGG }))).toEqual([400, 30045])
  })

  it('are refused where the bot is not', async () => {
    expect(refusal(await send('GET', await soundsOf('Dry Dock')))).toEqual([403, 50001])
    expect(refusal(await send('GET', '/guilds/1/soundboard-sounds'))).toEqual([404, 10004])
  })
})

describe('playing a sound', () => {
  const play = async (guild: string, channel: string, body: object): Promise<Answer> => {
    const id = (await guildNamed(guild)).channels.find(({ name }) => name === channel)?.id ?? '1'
    return send('POST', `/channels/${id}/send-soundboard-sound`, body)
  }

  it('works where the bot is connected, with a default sound or one of the guild', { tags: ['4.2-14'] }, async () => {
    const defaults = await send('GET', '/soundboard-default-sounds')
    expectShape('LIST_DEFAULT_SOUNDBOARD_SOUNDS', defaults)
    const [first] = JSON.parse(defaults.text) as { sound_id: string }[]
    expectShape('SEND_SOUNDBOARD_SOUND', await play('Lighthouse', 'Lamp Room', { sound_id: first?.sound_id }))
    const { json } = await send('POST', await soundsOf('Lighthouse'), { name: 'foghorn', sound: OGG })
    expect((await play('Lighthouse', 'Lamp Room', { sound_id: json['sound_id'] })).status).toBe(204)
    expect(refusal(await play('Harbour', 'Bridge', { sound_id: first?.sound_id }))).toEqual([400, 40032])
    expect(refusal(await play('Lighthouse', 'logbook', { sound_id: first?.sound_id }))).toEqual([400, 50024])
    expect(refusal(await play('Lighthouse', 'nowhere', { sound_id: first?.sound_id }))).toEqual([404, 10003])
  })

  it('needs USE_EXTERNAL_SOUNDS for a sound of another guild, which must be named', { tags: ['4.2-13', '4.2-14'] }, async () => {
    const { json } = await send('POST', await soundsOf('Harbour'), { name: 'foghorn', sound: OGG })
    const { id } = await guildNamed('Harbour')
    expect(refusal(await play('Lighthouse', 'Lamp Room', { sound_id: json['sound_id'] }))).toEqual([404, 10097])
    expect(refusal(await play('Lighthouse', 'Lamp Room', { sound_id: json['sound_id'], source_guild_id: id }))).toEqual([403, 50013])
    const lighthouse = await guildNamed('Lighthouse')
    const own = await send('POST', await soundsOf('Lighthouse'), { name: 'foghorn', sound: OGG })
    const elsewhere = { sound_id: own.json['sound_id'], source_guild_id: lighthouse.id }
    // Permitted in Harbour, where only the connection is missing.
    expect(refusal(await play('Harbour', 'Bridge', elsewhere))).toEqual([400, 40032])
  })
})
