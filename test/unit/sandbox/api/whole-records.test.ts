/** What the sandbox adds to what was sent, as the platform does: ids, ends, defaults and addresses. */
import { HOUR_MS } from '@sallyport/core/durations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, refusal } from '../answers.ts'
import { type Harness, startHarness } from '../harness.ts'
import { channelNamed, guildNamed, sendFiles } from '../uploads.ts'

let harness: Harness
let path: string
beforeEach(async () => {
  harness = await startHarness()
  path = `/channels/${await channelNamed(harness, 'Harbour', 'general')}/messages`
})
afterEach(() => harness.close())

const asBot = async (method: string, at: string, json?: object) =>
  harness.send(method, at, { token: BOT, ...(json === undefined ? {} : { json }) })
const written = async (json: object) => (await asBot('POST', path, json)).json
const V2 = 1 << 15

describe('a poll', () => {
  const poll = {
    question: { text: 'Where to?' },
    answers: [{ poll_media: { text: 'Reef', emoji: { name: '⚓' } } }, { poll_media: { text: 'Home', emoji: null } }],
    duration: 2,
  }

  it('has ids of its answers, an end and results instead of a duration', async () => {
    expect((await written({ poll }))['poll']).toEqual({
      question: { text: 'Where to?' },
      answers: [
        { answer_id: 1, poll_media: { text: 'Reef', emoji: { id: null, name: '⚓' } } },
        { answer_id: 2, poll_media: { text: 'Home' } },
      ],
      expiry: new Date(harness.clock.now() + 2 * HOUR_MS).toISOString().replace('Z', '000+00:00'),
      allow_multiselect: false,
      layout_type: 1,
      results: { answer_counts: [], is_finalized: false },
    })
  })

  it('ends by itself, after a day unless it says otherwise, or when its sender ends it', async () => {
    const endOf = async (id: unknown) => {
      const { json } = await asBot('GET', `${path}/${String(id)}`)
      return json['poll'] as { expiry: string; results: { is_finalized: boolean } }
    }
    const expire = (id: unknown) => asBot('POST', `${path.replace('messages', 'polls')}/${String(id)}/expire`)
    const { duration: _, ...ofADay } = poll
    const [short, long] = [(await written({ poll }))['id'], (await written({ poll: ofADay }))['id']]
    harness.clock.advance(2 * HOUR_MS)
    expect((await endOf(short)).results.is_finalized).toBe(true)
    expect(refusal(await expire(short))).toEqual([400, 520_001])
    expect((await endOf(long)).results.is_finalized).toBe(false)
    expect((await expire(long)).json['poll']).toMatchObject({ results: { is_finalized: true } })
    expect(Date.parse((await endOf(long)).expiry)).toBe(harness.clock.now())
    expect(refusal(await expire(long))).toEqual([400, 520_001])
  })
})

describe('an embed', () => {
  it('has a type, fields that are in line or not, and nothing empty', async () => {
    const sent = {
      title: 'Cargo',
      description: null,
      timestamp: '2026-11-01T12:00:00Z',
      fields: [
        { name: 'Tea', value: '12' },
        { name: 'Rum', value: '3', inline: true },
      ],
      footer: { text: null },
      author: { name: 'Ada', url: null },
    }
    expect((await written({ embeds: [sent] }))['embeds']).toEqual([
      {
        type: 'rich',
        title: 'Cargo',
        timestamp: '2026-11-01T12:00:00.000000+00:00',
        fields: [
          { name: 'Tea', value: '12', inline: false },
          { name: 'Rum', value: '3', inline: true },
        ],
        author: { name: 'Ada' },
      },
    ])
  })
})

describe('components', () => {
  const button = { type: 2, style: 1, custom_id: 'dock', label: 'Dock' }

  it('have an id each, in their order, beside those that were given', async () => {
    const rows = [{ type: 1, components: [button, { ...button, id: 2, custom_id: 'leave' }] }]
    expect((await written({ content: 'Where to?', components: rows }))['components']).toMatchObject([
      {
        id: 1,
        components: [
          { id: 3, custom_id: 'dock' },
          { id: 2, custom_id: 'leave' },
        ],
      },
    ])
  })

  it('have the defaults of what was left out', async () => {
    const options = [{ label: 'Reef', value: 'reef' }]
    const sent = [
      { type: 1, components: [{ type: 3, custom_id: 'where', options, placeholder: null }] },
      { type: 14 },
      { type: 17, components: [{ type: 10, content: 'Ahoy' }] },
    ]
    expect((await written({ flags: V2, components: sent }))['components']).toEqual([
      { type: 1, id: 1, components: [{ type: 3, id: 2, custom_id: 'where', options, min_values: 1, max_values: 1 }] },
      { type: 14, id: 3, divider: true, spacing: 1 },
      { type: 17, id: 4, accent_color: null, spoiler: false, components: [{ type: 10, id: 5, content: 'Ahoy' }] },
    ])
  })

  it('and embeds have the address of a file of the message', async () => {
    const file = { part: 'files[0]', name: 'chart.png', content: 'PNG', type: 'image/png' }
    const parts = [
      { type: 12, items: [{ media: { url: 'attachment://chart.png' } }, { media: { url: 'https://game.example/reef.png' } }] },
      { type: 13, file: { url: 'attachment://chart.png' } },
    ]
    const { json } = await sendFiles(harness, 'POST', path, { flags: V2, components: parts }, [file])
    const [attachment] = json['attachments'] as { id: string; url: string }[]
    expect(attachment?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/attachments\//)
    const own = { url: attachment?.url, proxy_url: attachment?.url, attachment_id: attachment?.id, content_type: 'image/png' }
    const elsewhere = { url: 'https://game.example/reef.png', proxy_url: 'https://game.example/reef.png' }
    expect(json['components']).toMatchObject([
      { items: [{ media: own, description: null, spoiler: false }, { media: elsewhere }] },
      { file: own, name: 'chart.png', size: 3, spoiler: false },
    ])
    const ids = [...JSON.stringify(json['components']).matchAll(/"(?:media|file)":\{"id":"(\d+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(3)
    const shown = await sendFiles(harness, 'POST', path, { embeds: [{ image: { url: 'attachment://chart.png' } }] }, [file])
    const [again] = shown.json['attachments'] as { url: string }[]
    expect(shown.json['embeds']).toEqual([{ type: 'rich', image: { url: again?.url } }])
  })
})

describe('a search', () => {
  it('says which message matches', async () => {
    const search = `/guilds/${(await guildNamed(harness, 'Harbour')).id}/messages/search?content=harbour`
    await asBot('GET', search)
    harness.clock.advance(HOUR_MS)
    const { json } = await asBot('GET', search)
    expect((json['messages'] as { content: string; hit: boolean }[][]).flat().map(({ content, hit }) => [content, hit])).toContainEqual([
      'Welcome to the harbour',
      true,
    ])
  })
})

describe('a guild', () => {
  it('has the settings that its features need', async () => {
    const read = async (name: string) => (await asBot('GET', `/guilds/${(await guildNamed(harness, name)).id}`)).json
    const general = await channelNamed(harness, 'Harbour', 'general')
    expect(await read('Harbour')).toMatchObject({
      verification_level: 1,
      explicit_content_filter: 2,
      premium_tier: 2,
      rules_channel_id: general,
      public_updates_channel_id: general,
      preferred_locale: 'en-US',
    })
    expect(await read('Lighthouse')).toMatchObject({ verification_level: 0, premium_tier: 0, rules_channel_id: null, description: null })
  })
})

describe('a user', () => {
  it('shows the tag of the own guild everywhere, and flags', async () => {
    const { id } = await guildNamed(harness, 'Harbour')
    const ada = await harness.idOf('ada')
    const tag = { primary_guild: { identity_guild_id: id, identity_enabled: true, tag: 'HRBR', badge: null }, flags: 0 }
    expect((await asBot('GET', `/users/${ada}`)).json).toMatchObject(tag)
    expect((await asBot('GET', `/guilds/${id}/members/${ada}`)).json['user']).toMatchObject(tag)
    expect((await asBot('GET', `/users/${await harness.idOf('grace')}`)).json).toMatchObject({ primary_guild: null })
  })

  it('that is a bot reads its own account, without an address', async () => {
    expect((await asBot('GET', '/users/@me')).json).toMatchObject({ bot: true, mfa_enabled: false, locale: 'en-US', email: null })
  })
})
