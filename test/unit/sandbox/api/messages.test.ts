/** Messages of channels over HTTP: writing, answering, forwarding, editing, pinning and finding them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, ManualClock, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
let general: string
let secret: string
let logbook: string
beforeEach(async () => {
  harness = await startHarness()
  general = await channelOf('Harbour', 'general')
  secret = await channelOf('Harbour', 'captains-only')
  logbook = await channelOf('Lighthouse', 'logbook')
})
afterEach(() => harness.close())

const OTHER_BOT = `Bot sandbox-bot-${OTHER_APPLICATION}`
const V2 = 1 << 15

interface State {
  readonly guilds: { readonly id: string; readonly name: string; readonly channels: { readonly id: string; readonly name: string }[] }[]
  readonly counts: { readonly channel_messages: number }
}
const state = async (from = harness) => (await from.send('GET', '~sandbox/state')).json as unknown as State
const guildOf = async (name: string, from = harness) => (await state(from)).guilds.find((one) => one.name === name)
const channelOf = async (guild: string, name: string, from = harness): Promise<string> =>
  (await guildOf(guild, from))?.channels.find((one) => one.name === name)?.id ?? ''

const write = (json: object, channel = general, token = BOT) => harness.send('POST', `/channels/${channel}/messages`, { token, json })
const written = async (json: object = { content: 'Ahoy' }, channel = general, token = BOT) =>
  String((await write(json, channel, token)).json['id'])
const edit = (id: string, json: object, channel = general, token = BOT) =>
  harness.send('PATCH', `/channels/${channel}/messages/${id}`, { token, json })
const pins = (query = '', channel = general) => harness.send('GET', `/channels/${channel}/messages/pins${query}`, { token: BOT })
const pin = (method: string, id: string, channel = general) =>
  harness.send(method, `/channels/${channel}/messages/pins/${id}`, { token: BOT })

describe('writing', () => {
  it('keeps what was said', async () => {
    const ada = await harness.idOf('ada')
    const answer = await write({ content: `Ahoy <@${ada}>`, embeds: [{ title: 'Cargo', fields: [{ name: 'n', value: 'v' }] }], nonce: 7 })
    expectShape('CREATE_MESSAGE', answer)
    expect(answer.json).toMatchObject({
      type: 0,
      channel_id: general,
      content: `Ahoy <@${ada}>`,
      author: { id: APPLICATION, bot: true },
      mentions: [{ id: ada }],
      embeds: [{ title: 'Cargo' }],
      nonce: 7,
      pinned: false,
    })
  })

  it('mentions only whom it may', async () => {
    const ada = await harness.idOf('ada')
    const grace = await harness.idOf('grace')
    const mentions = async (allowed_mentions: object) =>
      ((await write({ content: `<@${ada}> <@${grace}>`, allowed_mentions })).json['mentions'] as { id: string }[]).map(({ id }) => id)
    expect(await mentions({ parse: [] })).toEqual([])
    expect(await mentions({ parse: ['users'] })).toEqual([ada, grace])
    expect(await mentions({ users: [grace] })).toEqual([grace])
  })

  it('with the same nonce, enforced, gives the earlier message for a few minutes', { tags: ['4.1-rules-1', '4.1-rules-2'] }, async () => {
    const again = (content: string, more: object = { enforce_nonce: true }) => written({ content, nonce: 'n-1', ...more })
    const first = await again('once')
    expect(await again('twice')).toBe(first)
    expect(await written({ content: 'theirs', nonce: 'n-1', enforce_nonce: true }, general, OTHER_BOT)).not.toBe(first)
    expect(await again('not enforced', {})).not.toBe(first)
    harness.clock.advance(5 * 60_000)
    expect(await again('later')).not.toBe(first)
  })

  it('needs a channel that the bot sees and may write in', async () => {
    expect(refusal(await write({ content: 'hi' }, secret))).toEqual([403, 50001])
    expect(refusal(await write({ content: 'hi' }, '1'))).toEqual([404, 10003])
    expect(refusal(await write({ content: 'hi' }, await channelOf('Harbour', 'Quay')))).toEqual([400, 50024])
    expect(refusal(await write({ content: 'hi', tts: true }))).toEqual([403, 50013])
    expect(refusal(await write({ content: 'hi' }, await channelOf('Dry Dock', 'repairs')))).toEqual([403, 50001])
  })

  it('is stopped by auto-moderation, in lobbies too', async () => {
    expect(refusal(await write({ content: 'This is SANDBOX-BLOCKED.' }))).toEqual([400, 200000])
    const { access_token: token } = await harness.signIn('sdk.social_layer')
    const { json } = await harness.send('PUT', '/lobbies', { token, json: { secret: 's' } })
    const said = await harness.send('POST', `/lobbies/${String(json['id'])}/messages`, { token, json: { content: 'sandbox-blocked' } })
    expect(refusal(said)).toEqual([400, 200000])
  })

  const button = { type: 1, components: [{ type: 2, style: 1, custom_id: 'go', label: 'Go' }] }
  const text = { type: 10, content: 'x' }
  it.each([
    ['nothing', {}],
    ['an embed of 26 fields', { embeds: [{ fields: Array.from({ length: 26 }, () => ({ name: 'n', value: 'v' })) }] }],
    ['six rows', { components: Array.from({ length: 6 }, () => button) }],
    ['components v2 without the flag', { components: [text] }],
    ['41 components v2', { flags: V2, components: Array.from({ length: 41 }, () => text) }],
    ['content beside components v2', { flags: V2, components: [text], content: 'x' }],
    ['files that were not sent along', { content: 'x', attachments: [{ id: '0' }] }],
  ])('refuses %s', { tags: ['8-7'] }, async (_, body) => {
    expect(refusal(await write(body))).toEqual([400, 50035])
  })

  it('takes rows of buttons, and components v2', async () => {
    expect((await write({ content: 'Where to?', components: [button] })).json['components']).toMatchObject([button])
    const layout = { flags: V2, components: [{ type: 17, components: [text, button] }] }
    expect((await write(layout)).json).toMatchObject(layout)
  })
})

describe('answers and forwards', () => {
  it('an answer names its message, which must be there unless it need not be', async () => {
    const id = await written()
    const answer = await write({ content: 'Aye', message_reference: { message_id: id } })
    expectShape('CREATE_MESSAGE', answer)
    expect(answer.json).toMatchObject({ type: 19, message_reference: { type: 0, message_id: id, channel_id: general } })
    expect(refusal(await write({ content: 'Aye', message_reference: { message_id: '1' } }))).toEqual([404, 10008])
    expect((await write({ content: 'Aye', message_reference: { message_id: '1', fail_if_not_exists: false } })).status).toBe(200)
  })

  it('a forward holds the message as it was, without author and guild', { tags: ['2.2-33', '2.2-34'] }, async () => {
    const id = await written({ content: 'Storm at noon' })
    const forward = await write({ message_reference: { type: 1, message_id: id, channel_id: general } }, logbook)
    expectShape('CREATE_MESSAGE', forward)
    await edit(id, { content: 'Calm again' })
    expect(forward.json).toMatchObject({
      content: '',
      channel_id: logbook,
      message_reference: { type: 1, message_id: id, channel_id: general },
    })
    const [{ message } = { message: {} }] = forward.json['message_snapshots'] as { message: object }[]
    expect(message).toMatchObject({ content: 'Storm at noon' })
    expect(message).not.toHaveProperty('author')
    expect(message).not.toHaveProperty('guild_id')
  })

  it('a forward needs a channel, and that the bot can read it there', { tags: ['4.1-rules-17', '7-2'] }, async () => {
    expect(refusal(await write({ message_reference: { type: 1, message_id: '1' } }))).toEqual([400, 50035])
    expect(refusal(await write({ message_reference: { type: 1, message_id: '1', channel_id: secret } }))).toEqual([400, 160014])
    expect(refusal(await write({ message_reference: { type: 1, message_id: '1', channel_id: general } }))).toEqual([404, 10008])
  })
})

describe('editing', () => {
  it('changes what is named and notes the time', async () => {
    const id = await written({ content: 'Ahoy', embeds: [{ title: 'Cargo' }] })
    harness.clock.advance(1000)
    const changed = await edit(id, { content: 'Ahoy!', flags: 4 })
    expectShape('EDIT_MESSAGE', changed)
    expect(changed.json).toMatchObject({ id, content: 'Ahoy!', embeds: [{ title: 'Cargo' }], flags: 4 })
    expect(Date.parse(String(changed.json['edited_timestamp']))).toBe(harness.clock.now())
    expect((await edit(id, { embeds: null })).json['embeds']).toEqual([])
    expect(refusal(await edit(id, { content: '' }))).toEqual([400, 50006])
  })

  it('is stopped by auto-moderation, and then changes nothing', { tags: ['4.1-rules-20'] }, async () => {
    const id = await written()
    expect(refusal(await edit(id, { content: 'sandbox-blocked' }))).toEqual([400, 200000])
    expect((await edit(id, { flags: 0 })).json['content']).toBe('Ahoy')
  })

  it("is for one's own messages", async () => {
    const id = await written({ content: 'mine' }, general, OTHER_BOT)
    expect(refusal(await edit(id, { content: 'yours' }))).toEqual([403, 50005])
    expect(refusal(await edit(id, { flags: 4 }))).toEqual([403, 50013])
    expect(refusal(await edit('1', { content: 'x' }))).toEqual([404, 10008])
    expect(refusal(await edit(id, { content: 'x' }, logbook, OTHER_BOT))).toEqual([404, 10008])
  })

  it('does not put content into a message of components v2, nor files that are not there', { tags: ['7-10', '2.2-37'] }, async () => {
    const id = await written({ flags: V2, components: [{ type: 10, content: 'x' }] })
    expect(refusal(await edit(id, { content: 'x' }))).toEqual([400, 50035])
    expect((await edit(id, { components: [{ type: 10, content: 'y' }], flags: 0 })).json).toMatchObject({ flags: V2 })
    expect(refusal(await edit(id, { attachments: [{ id: '9', description: 'a ship' }] }))).toEqual([400, 50035])
  })
})

describe('pins', () => {
  it('come the latest first, a page at a time', { tags: ['4.2-1', '4.2-2'] }, async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const id = await written({ content: `pin ${count}` })
      expectShape('PIN_MESSAGE', await pin('PUT', id))
      harness.clock.advance(1000)
      ids.unshift(id)
    }
    const first = await pins('?limit=2')
    expectShape('GET_CHANNEL_PINS', first)
    const items = (answer: Answer) => answer.json['items'] as { pinned_at: string; message: { id: string; pinned: boolean } }[]
    expect(items(first).map(({ message }) => message.id)).toEqual(ids.slice(0, 2))
    expect(first.json['has_more']).toBe(true)
    expect((await pins('?limit=3')).json['has_more']).toBe(false)
    // Pinned again, it keeps its time.
    expectShape('PIN_MESSAGE', await pin('PUT', ids[2] ?? ''))
    expect(items(await pins()).map(({ message }) => message.id)).toEqual(ids)
    const rest = await pins(`?limit=2&before=${encodeURIComponent(items(first)[1]?.pinned_at ?? '')}`)
    expect(items(rest)).toMatchObject([{ message: { id: ids[2], pinned: true } }])
    expect(rest.json['has_more']).toBe(false)
    expectShape('UNPIN_MESSAGE', await pin('DELETE', ids[0] ?? ''))
    expect(items(await pins())).toHaveLength(2)
    expect(refusal(await pins('?limit=51'))).toEqual([400, 50035])
    expect(refusal(await pins('?before=yesterday'))).toEqual([400, 50035])
  })

  it('need PIN_MESSAGES since 23 February 2026; MANAGE_MESSAGES is not enough', { tags: ['9.2-3'] }, async () => {
    const id = await written({ content: 'log' }, logbook)
    expect(refusal(await pin('PUT', id, logbook))).toEqual([403, 50013])
    expect(refusal(await pin('DELETE', id, logbook))).toEqual([403, 50013])
    const earlier = await startHarness({ clock: new ManualClock(Date.UTC(2026, 1, 23) - 1) })
    const channel = await channelOf('Harbour', 'general', earlier)
    const { json } = await earlier.send('POST', `/channels/${channel}/messages`, { token: BOT, json: { content: 'x' } })
    const path = `/channels/${channel}/messages/pins/${String(json['id'])}`
    // The sandbox's bots have the new permission only.
    expect(refusal(await earlier.send('PUT', path, { token: BOT }))).toEqual([403, 50013])
    earlier.clock.advance(1)
    expect((await earlier.send('PUT', path, { token: BOT })).status).toBe(204)
    await earlier.close()
  })

  it('are at most 250 in a channel', async () => {
    for (let count = 0; count < 250; count++) await pin('PUT', await written())
    const one = await written()
    expect(refusal(await pin('PUT', one))).toEqual([400, 30003])
    expect(refusal(await pin('PUT', '1'))).toEqual([404, 10008])
  })
})

describe('search', () => {
  const search = async (query = '', guild = 'Harbour') =>
    harness.send('GET', `/guilds/${(await guildOf(guild))?.id}/messages/search${query}`, { token: BOT })
  const indexed = async (guild = 'Harbour') => {
    await search('', guild)
    harness.clock.advance(2_000)
  }
  const contents = async (query: string) => ((await search(query)).json['messages'] as { content: string }[][]).map(([hit]) => hit?.content)

  it('waits for the index, which the first search starts', { tags: ['4.1-rules-16', '7-4'] }, async () => {
    const early = await search()
    expect(refusal(early)).toEqual([202, 110000])
    expect(early.json).toMatchObject({ documents_indexed: 0, retry_after: 2 })
    harness.clock.advance(1_999)
    expect((await search()).json).toMatchObject({ code: 110000, retry_after: 1 })
    harness.clock.advance(1)
    expectShape('SEARCH_GUILD_MESSAGES', await search())
    expect((await search('', 'Lighthouse')).status).toBe(202)
  })

  it('finds what the bot can read, the newest first', { tags: ['4.1-rules-15'] }, async () => {
    await indexed()
    expect(await contents('')).toEqual([
      'Cargo of the day: https://harbour.example/cargo',
      'The weather is turning',
      'Welcome to the harbour',
    ])
    expect(await contents('?content=anchor')).toEqual([])
    expect(await contents('?sort_order=asc&limit=1')).toEqual(['Welcome to the harbour'])
    expect(await contents('?offset=2')).toEqual(['Welcome to the harbour'])
    expect((await search('?limit=1')).json['total_results']).toBe(3)
  })

  it('filters', { tags: ['4.1-rules-11', '4.1-rules-13'] }, async () => {
    const grace = await harness.idOf('grace')
    const id = await written({ content: 'Cargo cargo <@' + grace + '>', embeds: [{ title: 'list' }] })
    await pin('PUT', id)
    await indexed()
    const count = async (query: string) => (await contents(query)).length
    expect(await contents('?content=WEATHER%20turning')).toEqual(['The weather is turning'])
    expect(await count(`?author_id=${grace}`)).toBe(1)
    expect(await count('?author_type=bot')).toBe(1)
    expect(await count('?author_type=-bot')).toBe(3)
    expect(await count('?has=link')).toBe(1)
    expect(await count('?has=-link')).toBe(3)
    expect(await count('?has=embed&has=link')).toBe(2)
    expect(await count('?has=image')).toBe(0)
    expect(await count(`?mentions=${grace}`)).toBe(1)
    expect(await count(`?mentions=${await harness.idOf('linus')}`)).toBe(0)
    expect(await count('?pinned=true')).toBe(1)
    expect(await count('?pinned=false')).toBe(3)
    expect(await count(`?channel_id=${secret}`)).toBe(0)
    expect(await count(`?channel_id=${secret}&channel_id=${general}`)).toBe(4)
    expect(await count(`?max_id=${id}`)).toBe(3)
    expect(await count(`?min_id=${id}`)).toBe(0)
    expect(await count('?link_hostname=harbour.example')).toBe(1)
    expect(await count('?attachment_extension=png')).toBe(0)
  })

  it('ranks by how often the words are said when asked for relevance', { tags: ['4.1-rules-15'] }, async () => {
    await written({ content: 'one cargo' })
    await indexed()
    expect((await contents('?content=cargo&sort_by=timestamp'))[0]).toBe('one cargo')
    expect((await contents('?content=cargo&sort_by=relevance'))[0]).toBe('Cargo of the day: https://harbour.example/cargo')
  })

  it('is for members, and bounded', async () => {
    expect(refusal(await search('', 'Dry Dock'))).toEqual([403, 50001])
    expect(refusal(await harness.send('GET', '/guilds/1/messages/search', { token: BOT }))).toEqual([404, 10004])
    for (const query of ['limit=26', 'offset=9976', 'slop=101', 'has=money', 'sort_by=luck', 'author_type=--bot'])
      expect(refusal(await search(`?${query}`)), query).toEqual([400, 50035])
  })
})

it('messages are counted, and their ids rise', async () => {
  expect((await state()).counts.channel_messages).toBe(4)
  const first = await written()
  expect(BigInt(await written())).toBeGreaterThan(BigInt(first))
  expect((await state()).counts.channel_messages).toBe(6)
})
