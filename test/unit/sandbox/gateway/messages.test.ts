/** Gateway events of messages: in channels, direct, and in lobbies. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'
import { bot, BOT_TOKEN, CONTENT, GUILDS, MESSAGES, open, user } from './client.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const byBot = (method: string, path: string, json?: unknown) =>
  harness.send(method, path, { token: `Bot ${BOT_TOKEN}`, ...(json === undefined ? {} : { json }) })
const write = (channel: string, name: string, content: string) =>
  harness.send('POST', '~sandbox/messages', { json: { channel, user: name, content } })
interface StateGuild {
  readonly id: string
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}
const placeOf = async (named: string) => {
  const guilds = (await harness.send('GET', '~sandbox/state')).json['guilds'] as readonly StateGuild[]
  const guild = guilds.find(({ channels }) => channels.some(({ name }) => name === named))
  return { guild_id: guild?.id, channel_id: guild?.channels.find(({ name }) => name === named)?.id ?? '' }
}

describe('messages of channels', () => {
  it('are sent with content to users and to bots with the intent, if they see the channel', async () => {
    const reader = await bot(harness, GUILDS | MESSAGES | CONTENT)
    const blind = await bot(harness, GUILDS | MESSAGES)
    const deaf = await bot(harness, GUILDS)
    const grace = await user(harness, 'grace')
    const mary = await user(harness, 'mary')
    const general = await placeOf('general')
    await write('general', 'ada', 'Ahoy')
    const event = { ...general, content: 'Ahoy', author: { username: 'ada' }, member: { roles: [expect.any(String)] } }
    expect(await reader.client.event('MESSAGE_CREATE')).toMatchObject(event)
    expect(await grace.client.event('MESSAGE_CREATE')).toMatchObject(event)
    expect(await blind.client.event('MESSAGE_CREATE')).toMatchObject({ ...general, content: '', embeds: [], attachments: [] })
    await write('captains-only', 'ada', 'Between us')
    for (const { client } of [reader, blind, deaf, grace, mary]) expect(await client.heardUntilNow(harness)).toEqual([])
  })

  it('of the bot itself, and those that mention it, can be read by it without the intent', async () => {
    const { client } = await bot(harness, GUILDS | MESSAGES)
    const { channel_id } = await placeOf('general')
    await byBot('POST', `/channels/${channel_id}/messages`, { content: 'Mine' })
    expect(await client.event('MESSAGE_CREATE')).toMatchObject({ content: 'Mine', author: { id: APPLICATION, bot: true } })
    await write('general', 'ada', `<@${APPLICATION}> hello`)
    expect(await client.event('MESSAGE_CREATE')).toMatchObject({ content: `<@${APPLICATION}> hello` })
  })

  it('are edited, pinned and deleted', async () => {
    const { client } = await bot(harness, GUILDS | MESSAGES | CONTENT)
    const general = await placeOf('general')
    const path = `/channels/${general.channel_id}/messages`
    const { id } = (await byBot('POST', path, { content: 'First' })).json
    await byBot('PATCH', `${path}/${String(id)}`, { content: 'Second' })
    expect(await client.event('MESSAGE_UPDATE')).toMatchObject({ ...general, id, content: 'Second' })
    await byBot('PUT', `${path}/pins/${String(id)}`)
    expect(await client.event('CHANNEL_PINS_UPDATE')).toEqual({ ...general, last_pin_timestamp: '2026-12-01T00:00:00.000000+00:00' })
    await byBot('DELETE', `${path}/pins/${String(id)}`)
    expect(await client.event('CHANNEL_PINS_UPDATE')).toEqual({ ...general, last_pin_timestamp: null })
    await byBot('DELETE', `${path}/${String(id)}`)
    expect(await client.event('MESSAGE_DELETE')).toEqual({ ...general, id })
    const rest = await client.heardUntilNow(harness)
    expect(rest.map(({ t }) => t)).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_UPDATE'])
  })

  it('that only one user sees are not sent', async () => {
    const { client } = await bot(harness, GUILDS | MESSAGES | CONTENT)
    const { channel_id } = await placeOf('general')
    const created = await harness.send('POST', '~sandbox/interactions', {
      json: { application_id: APPLICATION, user: 'ada', channel_id },
    })
    const answered = await byBot('POST', `/interactions/${String(created.json['id'])}/${String(created.json['token'])}/callback`, {
      type: 4,
      data: { content: 'For your eyes', flags: 64 },
    })
    expect(answered.status).toBe(204)
    expect((await client.heardUntilNow(harness)).map(({ t }) => t)).toEqual(['INTERACTION_CREATE'])
  })
})

describe('direct messages', () => {
  it('are sent to both users, without a guild', async () => {
    const { token, client } = await user(harness, 'ada', {}, 'identify gateway.connect dm_channels.messages.write')
    const grace = await user(harness, 'grace')
    const linus = await user(harness, 'linus')
    const theBot = await bot(harness, GUILDS | MESSAGES | CONTENT)
    const to = await harness.idOf('grace')
    const { id } = (await harness.send('POST', `/users/${to}/messages`, { token, json: { content: 'Hello' } })).json
    for (const one of [client, grace.client]) {
      const event = await one.event('MESSAGE_CREATE')
      expect(event).toMatchObject({ id, content: 'Hello', channel_type: 1, application_id: APPLICATION, recipient_id: to })
      expect(event).not.toHaveProperty('guild_id')
    }
    await harness.send('PATCH', `/users/${to}/messages/${String(id)}`, { token, json: { content: 'Good day' } })
    expect(await grace.client.event('MESSAGE_UPDATE')).toMatchObject({ id, content: 'Good day' })
    await byBot('PUT', `/partner-sdk/dms/${await harness.idOf('ada')}/${to}/messages/${String(id)}/moderation-metadata`, {
      verdict: 'fine',
    })
    await harness.send('DELETE', `/users/${to}/messages/${String(id)}`, { token })
    expect(await grace.client.event('MESSAGE_DELETE')).toMatchObject({ id, channel_id: expect.any(String) })
    for (const other of [grace, linus, theBot]) expect(await other.client.heardUntilNow(harness)).toEqual([])
  })
})

describe('lobbies', () => {
  const scope = 'identify gateway.connect lobbies.write'
  const join = async (token: string, more: object = {}) =>
    (await harness.send('PUT', '/lobbies', { token, json: { secret: 'open sesame', ...more } })).json

  it('are created, joined, changed, left and deleted', async () => {
    const ada = await user(harness, 'ada', {}, scope)
    const grace = await user(harness, 'grace', {}, scope)
    const linus = await user(harness, 'linus', {}, scope)
    const { id } = await join(ada.token)
    expect(await ada.client.event('LOBBY_CREATE')).toMatchObject({
      id,
      application_id: APPLICATION,
      members: [{ id: await harness.idOf('ada') }],
    })
    await join(grace.token)
    const place = { lobby_id: id, application_id: APPLICATION }
    const member = { id: await harness.idOf('grace') }
    expect(await ada.client.event('LOBBY_MEMBER_ADD')).toMatchObject({ ...place, member })
    expect(await grace.client.event('LOBBY_CREATE')).toMatchObject({ id, members: [{}, member] })
    await join(grace.token, { member_metadata: { ready: 'yes' } })
    expect(await ada.client.event('LOBBY_MEMBER_UPDATE')).toMatchObject({ ...place, member: { ...member, metadata: { ready: 'yes' } } })
    await join(ada.token, { lobby_metadata: { map: 'reef' } })
    expect(await grace.client.event('LOBBY_UPDATE')).toMatchObject({ id, metadata: { map: 'reef' } })
    await harness.send('DELETE', `/lobbies/${String(id)}/members/@me`, { token: grace.token })
    expect(await ada.client.event('LOBBY_MEMBER_REMOVE')).toMatchObject({ ...place, member })
    expect(await grace.client.event('LOBBY_DELETE')).toEqual({ id, application_id: APPLICATION })
    await byBot('DELETE', `/lobbies/${String(id)}`)
    expect(await ada.client.event('LOBBY_DELETE')).toEqual({ id, application_id: APPLICATION })
    expect(await linus.client.heardUntilNow(harness)).toEqual([])
  })

  it('send their messages to members, in sessions of their application', async () => {
    const ada = await user(harness, 'ada', {}, scope)
    const linus = await user(harness, 'linus', {}, scope)
    const { access_token: other } = await harness.signIn(scope, { user: 'ada', application: OTHER_APPLICATION })
    const elsewhere = await open(harness)
    await elsewhere.identify({ token: `Bearer ${other}` })
    await elsewhere.heardUntilNow(harness)
    const { id: lobbyId } = await join(ada.token)
    await harness.send('POST', `/lobbies/${String(lobbyId)}/messages`, { token: ada.token, json: { content: 'Ahoy' } })
    const { id } = await ada.client.event('LOBBY_MESSAGE_CREATE')
    expect(id).toEqual(expect.any(String))
    // Moderation metadata sends no event.
    await byBot('PUT', `/lobbies/${String(lobbyId)}/messages/${String(id)}/moderation-metadata`, { verdict: 'fine' })
    await harness.send('POST', '~sandbox/lobby-messages', { json: { message_id: id, content: 'Ahoy!' } })
    expect(await ada.client.event('LOBBY_MESSAGE_UPDATE')).toMatchObject({ id, content: 'Ahoy!', edited_timestamp: expect.any(String) })
    await harness.send('POST', '~sandbox/lobby-messages', { json: { message_id: id, deleted: true } })
    expect(await ada.client.event('LOBBY_MESSAGE_DELETE')).toEqual({ id, lobby_id: lobbyId })
    await harness.send('POST', `/lobbies/${String(lobbyId)}/messages`, { token: ada.token, json: { content: 'Farewell' } })
    await ada.client.event('LOBBY_MESSAGE_CREATE')
    await byBot('DELETE', `/lobbies/${String(lobbyId)}`)
    expect((await ada.client.heardUntilNow(harness)).map(({ t }) => t)).toEqual(['LOBBY_CREATE', 'LOBBY_DELETE'])
    expect(await linus.client.heardUntilNow(harness)).toEqual([])
    expect(await elsewhere.heardUntilNow(harness)).toEqual([])
  })
})
