/** Sent and edited messages: limits of their fields, and the rules between them. */
import {
  componentCount,
  componentProblems,
  draftProblems,
  embedCharacters,
  type EndpointRow,
  ENDPOINTS,
  MESSAGE_FLAGS,
  REFERENCE_TYPES,
} from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const V2 = MESSAGE_FLAGS.IS_COMPONENTS_V2
const issuesOf = (row: EndpointRow, args: object) =>
  row.args.safeParse({ channel_id: '1', ...args }).error?.issues.map(({ path }) => path.join('.')) ?? []
const create = (body: object) => issuesOf(ENDPOINTS.CREATE_MESSAGE, body)
const edit = (body: object) => issuesOf(ENDPOINTS.EDIT_MESSAGE, { message_id: '2', ...body })
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
const text = { type: 10, content: 'x' }
const button = { type: 2, style: 1, custom_id: 'go' }
const row = { type: 1, components: [button] }

describe('a message', () => {
  it('has the documented flag', { tags: ['2.2-37'] }, () => {
    expect(V2).toBe(32_768)
  })

  it('has at most 2000 characters, 10 embeds, 3 stickers and 10 attachments', () => {
    expect([create({ content: 'x'.repeat(2000) }), create({ content: 'x'.repeat(2001) })]).toEqual([[], ['content']])
    expect([create({ embeds: times(10, { title: 't' }) }), create({ embeds: times(11, { title: 't' }) })]).toEqual([[], ['embeds']])
    expect([create({ sticker_ids: times(3, '1') }), create({ sticker_ids: times(4, '1') })]).toEqual([[], ['sticker_ids']])
    const file = { filename: 'a', data: 'AAAA' }
    const files = (count: number) =>
      create({ files: times(count, file), attachments: times(count, 0).map((_, place) => ({ id: String(place) })) })
    expect([files(10), files(11)]).toEqual([[], ['attachments', 'files']])
  })

  it('has content or is a forward', () => {
    for (const body of [{}, { content: '' }, { content: null, embeds: [] }, { message_reference: { message_id: '3' } }])
      expect(create(body)).toEqual(['content'])
    expect(create({ message_reference: { type: REFERENCE_TYPES.forward, message_id: '3', channel_id: '4' } })).toEqual([])
  })

  it('requires a channel for a forward', { tags: ['2.2-33'] }, () => {
    for (const channel_id of [undefined, null])
      expect(create({ message_reference: { type: 1, message_id: '3', ...(channel_id === undefined ? {} : { channel_id }) } })).toEqual([
        'message_reference.channel_id',
      ])
    expect(create({ content: 'x', message_reference: { type: 0, message_id: '3' } })).toEqual([])
    expect(create({ content: 'x', message_reference: { type: 2, message_id: '3' } })).toEqual(['message_reference.type'])
  })

  it('is safe to repeat with a nonce of at most 25 characters', () => {
    expect(ENDPOINTS.CREATE_MESSAGE.idempotency).toBe('keyed')
    expect(create({ content: 'x', nonce: 'n'.repeat(25), enforce_nonce: true })).toEqual([])
    expect(create({ content: 'x', nonce: 'n'.repeat(26) })).toEqual(['nonce'])
    expect(create({ content: 'x', enforce_nonce: true })).toEqual(['nonce'])
  })
})

describe('embeds', () => {
  const field = { name: 'n', value: 'v' }
  it('have at most 25 fields', { tags: ['2.2-32', '7-7', '8-7'] }, () => {
    expect([create({ embeds: [{ fields: times(25, field) }] }), create({ embeds: [{ fields: times(26, field) }] })]).toEqual([
      [],
      ['embeds.0.fields'],
    ])
  })

  it('have at most 6000 characters of text in total', () => {
    const sized = (length: number) => create({ embeds: [{ description: 'x'.repeat(4096) }, { description: 'x'.repeat(length) }] })
    expect([sized(1904), sized(1905)]).toEqual([[], ['embeds']])
    const whole = {
      title: '12',
      description: '345',
      author: { name: '6' },
      footer: { text: '78' },
      fields: [{ name: '9', value: '0' }],
      url: 'u',
    }
    expect(embedCharacters(whole)).toBe(10)
  })
})

describe('components without IS_COMPONENTS_V2', () => {
  it('are at most five rows of buttons and selects', { tags: ['1-18', '8-11'] }, () => {
    expect([create({ content: 'x', components: times(5, row) }), create({ components: times(6, row) })]).toEqual([[], ['components']])
    expect(create({ components: [text] })).toEqual(['components'])
    expect(create({ components: [button] })).toEqual(['components.0.type'])
    expect(create({ components: [{ type: 1, components: times(6, button) }] })).toEqual(['components.0.components'])
  })
})

describe('components v2', () => {
  const draft = (components: object[], more: object = {}) => create({ flags: V2, components, ...more })

  it('are at most 40 including nested ones, without a limit per level', { tags: ['8-12', '8-13'] }, () => {
    expect([draft(times(40, text)), draft(times(41, text))]).toEqual([[], ['components']])
    const container = (count: number) => ({ type: 17, components: times(count, text) })
    expect([draft([container(39)]), draft([container(40)])]).toEqual([[], ['components']])
    const section = { type: 9, components: [text, text], accessory: button }
    expect(componentCount([row, section, { type: 17, components: [section] }])).toBe(2 + 4 + 5)
    expect(draft(times(6, row))).toEqual([])
  })

  it.each([
    ['content', 'x'],
    ['embeds', [{ title: 't' }]],
    ['sticker_ids', ['1']],
    ['poll', { question: { text: '?' }, answers: [{ poll_media: { text: '!' } }] }],
  ])('exclude %s', { tags: ['7-10'] }, (name, value) => {
    expect(draft([text], { [name]: value })).toEqual([name])
    expect(draft([text], { [name]: null })).toEqual([])
    expect(create({ content: 'y', [name]: value })).toEqual([])
  })

  it('are allowed in an edit without the flag, because the message can have it', () => {
    expect(edit({ components: [text] })).toEqual([])
    expect(edit({ components: times(41, text) })).toEqual(['components'])
    expect(edit({ components: [text], flags: V2, content: 'x' })).toEqual(['content'])
    expect(edit({ components: times(6, row) })).toEqual([])
  })
})

it('the rules are exported functions that report the size', () => {
  expect(draftProblems({ content: 'x' })).toEqual([])
  expect(componentProblems({ components: times(6, row) as never })[0]?.message).toContain('6 action rows')
  expect(componentProblems({ flags: V2, components: times(41, text) as never })[0]?.message).toContain('41 components')
})

describe('a search', () => {
  const search = (query: object) => ENDPOINTS.SEARCH_GUILD_MESSAGES.args.safeParse({ guild_id: '1', ...query }).success
  it('has limits for every filter', { tags: ['4.1-rules-13'] }, () => {
    const good = { limit: 25, offset: 9975, slop: 100, content: 'x'.repeat(1024), channel_id: times(500, '1'), author_id: times(100, '1') }
    for (const [name, value] of Object.entries(good)) {
      expect(search({ [name]: value }), name).toBe(true)
      const beyond = typeof value === 'number' ? value + 1 : Array.isArray(value) ? [...value, '1'] : `${value}x`
      expect(search({ [name]: beyond }), name).toBe(false)
    }
    expect([search({ has: ['-link'] }), search({ has: ['money'] }), search({ author_type: ['--bot'] })]).toEqual([true, false, false])
  })

  it('needs a bot token and succeeds only with 200', { tags: ['4.1-rules-11'] }, () => {
    expect(ENDPOINTS.SEARCH_GUILD_MESSAGES).toMatchObject({ auth: 'bot', success: [200], permissions: ['READ_MESSAGE_HISTORY'] })
  })
})
