/** Lobbies of a backend, and linked channels. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, expectShape, refusal } from '../answers.ts'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'

let harness: Harness
let ada: string
let grace: string
let adaId: string
let graceId: string
beforeEach(async () => {
  harness = await startHarness()
  ada = (await harness.signIn('sdk.social_layer')).access_token
  grace = (await harness.signIn('sdk.social_layer', { user: 'grace' })).access_token
  adaId = await harness.idOf('ada')
  graceId = await harness.idOf('grace')
})
afterEach(() => harness.close())

const OTHER_BOT = 'Bot sandbox-bot-223456789012345678'
const asBot = (method: string, path: string, json?: unknown) =>
  harness.send(method, path, { token: BOT, ...(json === undefined ? {} : { json }) })
const created = async (body: object = {}) => String((await asBot('POST', '/lobbies', body)).json['id'])
const channelOf = async (guild: string, name: string): Promise<string> => {
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as {
    guilds: { name: string; channels: { id: string; name: string }[] }[]
  }
  return guilds.find((one) => one.name === guild)?.channels.find((one) => one.name === name)?.id ?? ''
}

describe('a lobby made by a backend', () => {
  it('has the given settings', async () => {
    const answer = await asBot('POST', '/lobbies', {
      metadata: { map: 'reef' },
      members: [{ id: adaId, flags: 1, metadata: { team: 'red' } }],
      flags: 1,
      override_event_webhooks_url: 'https://game.example/events',
    })
    expectShape('CREATE_LOBBY', answer)
    expect(answer.json).toMatchObject({
      application_id: APPLICATION,
      metadata: { map: 'reef' },
      members: [{ id: adaId, flags: 1, metadata: { team: 'red' } }],
      flags: 1,
      override_event_webhooks_url: 'https://game.example/events',
    })
    const read = await asBot('GET', `/lobbies/${String(answer.json['id'])}`)
    expectShape('GET_LOBBY', read)
    expect(read.json).toEqual(answer.json)
  })

  it('knows users only, 25 at once, and sane settings', async () => {
    expect(refusal(await asBot('POST', '/lobbies', { members: [{ id: '1' }] }))).toEqual([404, 10013])
    const many = Array.from({ length: 26 }, () => ({ id: adaId }))
    expect(refusal(await asBot('POST', '/lobbies', { members: many }))).toEqual([400, 50035])
    expect(refusal(await asBot('POST', '/lobbies', { idle_timeout_seconds: 4 }))).toEqual([400, 50035])
    expect(refusal(await asBot('POST', '/lobbies', { override_event_webhooks_url: `https://e.example/${'x'.repeat(512)}` }))).toEqual([
      400, 50035,
    ])
  })

  it('is changed in the given fields; members are replaced as a whole', async () => {
    const id = await created({ metadata: { map: 'reef' }, members: [{ id: adaId }], override_event_webhooks_url: 'https://a.example/' })
    const changed = await asBot('PATCH', `/lobbies/${id}`, { members: [{ id: graceId }] })
    expectShape('MODIFY_LOBBY', changed)
    expect(changed.json).toMatchObject({ metadata: { map: 'reef' }, override_event_webhooks_url: 'https://a.example/' })
    expect(changed.json['members']).toEqual([{ id: graceId, metadata: null, flags: 0 }])
    const emptied = await asBot('PATCH', `/lobbies/${id}`, { metadata: null, members: null, override_event_webhooks_url: null })
    expect(emptied.json).toMatchObject({ metadata: null, members: [] })
    expect(emptied.json).not.toHaveProperty('override_event_webhooks_url')
  })

  it('ends with its messages', async () => {
    const id = await created({ members: [{ id: adaId }] })
    await harness.send('POST', `/lobbies/${id}/messages`, { token: ada, json: { content: 'hi' } })
    expectShape('DELETE_LOBBY', await asBot('DELETE', `/lobbies/${id}`))
    for (const path of [`/lobbies/${id}`, `/lobbies/${id}`]) expect(refusal(await asBot('GET', path))).toEqual([404, 10031])
    expect((await harness.send('GET', '~sandbox/state')).json).toMatchObject({ counts: { lobbies: 0, messages: 0 } })
  })

  it('belongs to its application only', async () => {
    const id = await created()
    expect(refusal(await harness.send('GET', `/lobbies/${id}`, { token: OTHER_BOT }))).toEqual([404, 10031])
    expect(refusal(await harness.send('DELETE', `/lobbies/${id}`, { token: OTHER_BOT }))).toEqual([404, 10031])
  })
})

describe('members', () => {
  it('are added, changed and removed one by one', { tags: ['2.2-56'] }, async () => {
    const id = await created()
    const added = await asBot('PUT', `/lobbies/${id}/members/${adaId}`, { metadata: { team: 'red' }, flags: 1, additional_name: 'Captain' })
    expectShape('ADD_LOBBY_MEMBER', added)
    expect(added.json).toEqual({ id: adaId, metadata: { team: 'red' }, flags: 1, additional_name: 'Captain' })
    expect((await asBot('PUT', `/lobbies/${id}/members/${adaId}`, { additional_name: null })).json).toEqual({
      id: adaId,
      metadata: { team: 'red' },
      flags: 1,
    })
    expect(refusal(await asBot('PUT', `/lobbies/${id}/members/1`, {}))).toEqual([404, 10013])
    expectShape('REMOVE_LOBBY_MEMBER', await asBot('DELETE', `/lobbies/${id}/members/${adaId}`))
    expect((await asBot('GET', `/lobbies/${id}`)).json['members']).toEqual([])
  })

  it('leave by themselves, and cannot write any more', async () => {
    const id = await created({ members: [{ id: adaId }, { id: graceId }] })
    expectShape('LEAVE_LOBBY', await harness.send('DELETE', `/lobbies/${id}/members/@me`, { token: ada }))
    expect((await asBot('GET', `/lobbies/${id}`)).json['members']).toMatchObject([{ id: graceId }])
    const written = await harness.send('POST', `/lobbies/${id}/messages`, { token: ada, json: { content: 'still here?' } })
    expect(refusal(written)).toEqual([403, 50001])
  })
})

describe('moderation', () => {
  it('replaces the metadata that readers of a message see', { tags: ['2.2-57', '4.2-10', '9.1-18'] }, async () => {
    const id = await created({ members: [{ id: adaId }] })
    const { json } = await harness.send('POST', `/lobbies/${id}/messages`, { token: ada, json: { content: 'hi' } })
    const path = `/lobbies/${id}/messages/${String(json['id'])}/moderation-metadata`
    expectShape('UPDATE_LOBBY_MESSAGE_MODERATION_METADATA', await asBot('PUT', path, { verdict: 'rude' }))
    await asBot('PUT', path, { checked: 'yes' })
    const [read] = JSON.parse((await harness.send('GET', `/lobbies/${id}/messages`, { token: ada })).text) as object[]
    expect(read).toMatchObject({ content: 'hi', moderation_metadata: { checked: 'yes' } })
    expect(refusal(await asBot('PUT', `/lobbies/${id}/messages/1/moderation-metadata`, { a: 'b' }))).toEqual([404, 10008])
    const elsewhere = `/lobbies/${await created()}/messages/${String(json['id'])}/moderation-metadata`
    expect(refusal(await asBot('PUT', elsewhere, { a: 'b' }))).toEqual([404, 10008])
  })

  it('is short', { tags: ['2.2-57'] }, async () => {
    const id = await created()
    const put = (json: object) => asBot('PUT', `/lobbies/${id}/messages/1/moderation-metadata`, json)
    for (const json of [{ a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' }, { ['k'.repeat(1025)]: '' }, { k: 'v'.repeat(2001) }, { k: 1 }])
      expect(refusal(await put(json))).toEqual([400, 50035])
  })
})

describe('the linked channel', () => {
  const link = (id: string, token: string, json: object) => harness.send('PATCH', `/lobbies/${id}/channel-linking`, { token, json })

  it('is linked by a member who may, shown, and unlinked', { tags: ['1-11'] }, async () => {
    const id = await created({ members: [{ id: adaId, flags: 1 }] })
    const general = await channelOf('Harbour', 'general')
    const linked = await link(id, ada, { channel_id: general })
    expectShape('LINK_CHANNEL_TO_LOBBY', linked)
    expect(linked.json['linked_channel']).toMatchObject({ id: general, name: 'general', type: 0 })
    expect((await asBot('GET', `/lobbies/${id}`)).json['linked_channel']).toMatchObject({ id: general })
    for (const body of [{}, { channel_id: null }]) {
      await link(id, ada, { channel_id: general })
      const unlinked = await link(id, ada, body)
      expectShape('UNLINK_CHANNEL_FROM_LOBBY', unlinked)
      expect(unlinked.json).not.toHaveProperty('linked_channel')
    }
  })

  it('is refused to members who may not, in the lobby or in the channel', { tags: ['1-11'] }, async () => {
    const id = await created({ members: [{ id: adaId }, { id: graceId, flags: 1 }] })
    const general = await channelOf('Harbour', 'general')
    expect(refusal(await link(id, ada, { channel_id: general }))).toEqual([403, 50013])
    expect(refusal(await link(id, ada, {}))).toEqual([403, 50013])
    expect(refusal(await link(id, grace, { channel_id: general }))).toEqual([403, 50013])
    expect(refusal(await link(id, grace, { channel_id: await channelOf('Harbour', 'captains-only') }))).toEqual([403, 50001])
    expect(refusal(await link(id, grace, { channel_id: await channelOf('Lighthouse', 'Stairs') }))).toEqual([400, 50024])
    expect(refusal(await link(id, grace, { channel_id: '1' }))).toEqual([404, 10003])
    expect(refusal(await link(id, grace, { channel_id: 'x' }))).toEqual([400, 50035])
    const linus = (await harness.signIn('sdk.social_layer', { user: 'linus' })).access_token
    expect(refusal(await link(id, linus, {}))).toEqual([403, 50001])
  })

  it('is what invites lead to; without one there are none', { tags: ['4.1-rules-18', '4.1-rules-19', '8-20', '8-21'] }, async () => {
    const id = await created({ members: [{ id: adaId, flags: 1 }] })
    const forSelf = () => harness.send('POST', `/lobbies/${id}/members/@me/invites`, { token: ada })
    expect((await forSelf()).status).toBe(400)
    await link(id, ada, { channel_id: await channelOf('Harbour', 'general') })
    const own = await forSelf()
    expectShape('CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF', own)
    const forUser = await asBot('POST', `/lobbies/${id}/members/${adaId}/invites`)
    expectShape('CREATE_LOBBY_CHANNEL_INVITE_FOR_USER', forUser)
    const listed = async () => {
      const answer = await asBot('GET', `/channels/${await channelOf('Harbour', 'general')}/invites`)
      expectShape('GET_CHANNEL_INVITES', answer)
      return JSON.parse(answer.text) as { code: string; expires_at: string }[]
    }
    const invites = await listed()
    expect(invites.map(({ code }) => code)).toEqual([own.json['code'], forUser.json['code']])
    expect(new Set(invites.map(({ code }) => code)).size).toBe(2)
    for (const one of invites) expect(one).toMatchObject({ max_uses: 1, max_age: 3600, channel: { name: 'general' } })
    const accept = (code: string, user: string) => harness.send('POST', '~sandbox/invites', { json: { code, user } })
    for (const { code } of invites) expect(refusal(await accept(code, 'linus'))).toEqual([403, 50001])
    expect(Date.parse(invites[0]?.expires_at ?? '')).toBe(harness.clock.now() + 3_600_000)
    harness.clock.advance(3_599_999)
    expect(await listed()).toHaveLength(2)
    harness.clock.advance(1)
    expect(await listed()).toEqual([])
    expect(refusal(await asBot('GET', `/channels/${await channelOf('Lighthouse', 'logbook')}/invites`))).toEqual([403, 50013])
    expect(refusal(await asBot('GET', '/channels/1/invites'))).toEqual([404, 10003])
    expect(refusal(await asBot('POST', `/lobbies/${id}/members/${graceId}/invites`))).toEqual([404, 10007])
    expect(refusal(await harness.send('POST', `/lobbies/${id}/members/@me/invites`, { token: grace }))).toEqual([403, 50001])
  })
})
