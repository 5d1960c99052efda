/** Friends and blocks by the API: requests, answers, presence of a game, and what a block keeps away. */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectShape, refusal } from '../answers.ts'
import { open, user } from '../gateway/client.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const SCOPES = 'openid sdk.social_layer'
const player = (name: string) => user(harness, name, {}, SCOPES)
const send = (method: string, path: string, token: string, json?: object): Promise<Answer> =>
  harness.send(method, path, { token, ...(json === undefined ? {} : { json }) })
const ask = (token: string, username: string, circle = 'relationships') => send('POST', `/users/@me/${circle}`, token, { username })
const put = (token: string, id: string, json: object = {}, circle = 'relationships') =>
  send('PUT', `/users/@me/${circle}/${id}`, token, json)
const drop = (token: string, id: string, circle = 'relationships') => send('DELETE', `/users/@me/${circle}/${id}`, token)

/** The names in an answer of LIST_RELATIONSHIPS. */
const friendsOf = async (token: string): Promise<readonly string[]> => {
  const { json } = await send('GET', '/users/@me/relationships', token)
  return (json as unknown as readonly { readonly user: { readonly username: string } }[])
    .map(({ user: { username } }) => username)
    .toSorted()
}
const SEEDED = ['grace', 'linus']

async function pair() {
  const [ada, mary] = [await player('ada'), await player('mary')]
  const [adaId, maryId] = [await harness.idOf('ada'), await harness.idOf('mary')]
  const befriend = async () => {
    await ask(ada.token, 'mary')
    await put(mary.token, adaId)
    for (const { client } of [ada, mary]) await client.heardUntilNow(harness, true)
  }
  return { ada, mary, adaId, maryId, befriend }
}

describe('a friend request', () => {
  it('is sent by name, accepted by id, and makes both friends', async () => {
    const { ada, mary, adaId, maryId } = await pair()
    expectShape('SEND_FRIEND_REQUEST', await ask(ada.token, 'mary'))
    expect(await ada.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: maryId, type: 4, user: { username: 'mary' } })
    expect(await mary.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: adaId, type: 3, user: { username: 'ada' } })
    expect(await friendsOf(ada.token)).toEqual(SEEDED)
    expectShape('CREATE_RELATIONSHIP', await put(mary.token, adaId))
    expect(await mary.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: adaId, type: 1 })
    expect(await ada.client.event('PRESENCE_UPDATE')).toMatchObject({ user: { id: maryId }, status: 'online' })
    const friends = await send('GET', '/users/@me/relationships', ada.token)
    expectShape('LIST_RELATIONSHIPS', friends)
    expect(friends.json).toContainEqual(expect.objectContaining({ id: maryId, type: 1 }))
    expect(await friendsOf(ada.token)).toEqual([...SEEDED, 'mary'])
    expect(refusal(await ask(ada.token, 'mary'))).toEqual([400, 80007])
  })

  it('is refused by either, and a removed friend is gone on both sides', async () => {
    const { ada, mary, adaId, maryId, befriend } = await pair()
    await ask(ada.token, 'mary')
    expectShape('REMOVE_RELATIONSHIP', await drop(mary.token, adaId))
    expect(await ada.client.event('RELATIONSHIP_REMOVE')).toMatchObject({ id: maryId })
    await befriend()
    await drop(ada.token, maryId)
    expect(await mary.client.event('RELATIONSHIP_REMOVE')).toMatchObject({ id: adaId })
  })

  it('names a user that exists, and not oneself', async () => {
    const { ada, adaId } = await pair()
    expect(refusal(await ask(ada.token, 'ghost'))).toEqual([400, 80004])
    expect(refusal(await ask(ada.token, 'ada'))).toEqual([400, 80003])
    expect(refusal(await put(ada.token, '1'))).toEqual([404, 10013])
    expect(refusal(await put(ada.token, adaId, { type: 2 }))).toEqual([400, 80003])
    const { access_token: reader } = await harness.signIn('identify lobbies.write')
    expect(refusal(await ask(reader, 'mary'))).toEqual([403, 50026])
  })
})

describe('friends in a game', () => {
  it('are of one application, and have authorized it', async () => {
    const { ada, mary, adaId, maryId } = await pair()
    expectShape('SEND_GAME_FRIEND_REQUEST', await ask(ada.token, 'mary', 'game-relationships'))
    expect(await mary.client.event('GAME_RELATIONSHIP_ADD')).toMatchObject({ user_id: adaId, application_id: APPLICATION, type: 3 })
    expectShape('CREATE_GAME_RELATIONSHIP', await put(mary.token, adaId, {}, 'game-relationships'))
    expect(await mary.client.event('GAME_RELATIONSHIP_ADD')).toMatchObject({ user_id: adaId, type: 1 })
    const own = await send('GET', '/users/@me/game-relationships', ada.token)
    expectShape('GET_GAME_RELATIONSHIPS', own)
    expect(own.json).toMatchObject([{ user_id: maryId, application_id: APPLICATION, type: 1 }])
    const { access_token: elsewhere } = await harness.signIn(SCOPES, { application: OTHER_APPLICATION })
    expect((await send('GET', '/users/@me/game-relationships', elsewhere)).json).toEqual([])
    expect(await friendsOf(ada.token)).toEqual(SEEDED)
    expect(refusal(await ask(ada.token, 'linus', 'game-relationships'))).toEqual([404, 10013])
    expectShape('REMOVE_GAME_RELATIONSHIP', await drop(mary.token, adaId, 'game-relationships'))
    expect(await mary.client.event('GAME_RELATIONSHIP_REMOVE')).toMatchObject({ user_id: adaId })
  })
})

describe('the activity of a headless session', () => {
  const ACTIVITY = { type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop', secrets: { join: 'join-the-crew' } }

  it('is in the presence that friends receive, until it ends or expires', { tags: ['1-24'] }, async () => {
    const { ada, mary, adaId, befriend } = await pair()
    await befriend()
    const made = await send('POST', '/users/@me/headless-sessions', ada.token, { activities: [ACTIVITY] })
    const presence = await mary.client.event('PRESENCE_UPDATE')
    expect(presence).toMatchObject({
      user: { id: adaId },
      status: 'online',
      activities: [{ name: 'Harbour', application_id: APPLICATION }],
    })
    expect(JSON.stringify(presence)).not.toContain('join-the-crew')
    await send('POST', '/users/@me/headless-sessions/delete', ada.token, { token: made.json['token'] })
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ activities: [] })
    await send('POST', '/users/@me/headless-sessions', ada.token, { activities: [ACTIVITY] })
    harness.clock.advance(20 * 60_000 - 1)
    expect((await player('mary')).ready['presences']).toMatchObject([{ user: { id: adaId }, activities: [{ name: 'Harbour' }] }])
    harness.clock.advance(1)
    expect((await player('mary')).ready['presences']).toEqual([])
  })

  it('shows a user without a gateway connection as online', async () => {
    const { ada, mary, adaId, befriend } = await pair()
    await befriend()
    ada.client.leave(1000)
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ user: { id: adaId }, status: 'offline' })
    await send('POST', '/users/@me/headless-sessions', ada.token, { activities: [ACTIVITY] })
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ status: 'online', activities: [{ name: 'Harbour' }] })
  })
})

describe('a new sandbox', () => {
  it('has two friends of the first user, who are friends from both sides', async () => {
    const [ada, grace] = [await player('ada'), await player('grace')]
    expect(await friendsOf(ada.token)).toEqual(SEEDED)
    expect(await friendsOf(grace.token)).toEqual(['ada'])
    expect(ada.ready['relationships']).toHaveLength(2)
  })

  it('shows a friend in a game without a program of theirs', async () => {
    const ada = await player('ada')
    const show = (activity: object | null, who = 'grace') =>
      harness.send('POST', '~sandbox/presences', { json: { user: who, application_id: APPLICATION, activity } })
    expect(
      (await show({ details: 'At the quay', party: { id: 'crew', size: [1, 4] }, secrets: { join: 'join-the-crew' }, flags: 64 })).status,
    ).toBe(204)
    const seen = async () => (await ada.client.take(({ t, d }) => t === 'PRESENCE_UPDATE' && !('guild_id' in d))).d
    const graceId = await harness.idOf('grace')
    const shown = await seen()
    expect(shown).toMatchObject({
      user: { id: graceId },
      status: 'online',
      activities: [{ details: 'At the quay', application_id: APPLICATION }],
    })
    expect(JSON.stringify(shown)).not.toContain('join-the-crew')
    const [{ session_id }] = shown['activities'] as readonly [{ readonly session_id: string }]
    const secret = `/users/${graceId}/sessions/${session_id}/activities/${APPLICATION}/1`
    expect((await send('GET', secret, ada.token)).json).toEqual({ secret: 'join-the-crew' })
    await show({ details: 'At sea' })
    expect(await seen()).toMatchObject({ activities: [{ details: 'At sea' }] })
    await show(null)
    expect(await seen()).toMatchObject({ status: 'offline', activities: [] })
    expect((await show({ name: '' })).status).toBe(400)
    expect((await show({}, 'ghost')).status).toBe(404)
  })
})

describe('the online status', () => {
  const choose = (token: string, status: string) => send('PATCH', '/users/@me/settings', token, { status })

  it('is what friends see, until the user is offline', async () => {
    const { ada, mary, adaId, befriend } = await pair()
    await befriend()
    expectShape('SET_ONLINE_STATUS', await choose(ada.token, 'dnd'))
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ user: { id: adaId }, status: 'dnd' })
    await choose(ada.token, 'invisible')
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ status: 'offline', activities: [] })
    await send('POST', '/users/@me/headless-sessions', ada.token, {
      activities: [{ type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop' }],
    })
    expect((await player('mary')).ready['presences']).toEqual([])
    await choose(ada.token, 'online')
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ status: 'online', activities: [{ name: 'Harbour' }] })
    expect(refusal(await choose(ada.token, 'away'))).toEqual([400, 50035])
    const { access_token: reader } = await harness.signIn('identify relationships.write')
    expect(refusal(await choose(reader, 'idle'))).toEqual([403, 50026])
  })

  it('of a session that names another one than online is that of the session', async () => {
    const { ada, mary, befriend } = await pair()
    await befriend()
    await choose(ada.token, 'dnd')
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ status: 'dnd' })
    ada.client.send(GATEWAY_OPCODES.PRESENCE_UPDATE.op, { since: null, activities: [], status: 'idle', afk: false })
    expect(await mary.client.event('PRESENCE_UPDATE')).toMatchObject({ status: 'idle' })
  })
})

it('a new display name reaches the other sessions of the user', async () => {
  const ada = await user(harness, 'ada', {}, `${SCOPES} account.global_name.update`)
  expect((await send('PATCH', '/users/@me/account', ada.token, { global_name: 'Countess' })).status).toBe(200)
  expect(await ada.client.event('USER_UPDATE')).toMatchObject({ username: 'ada', global_name: 'Countess' })
})

describe('a block', () => {
  const lobby = (token: string) => send('PUT', '/lobbies', token, { secret: 'the crew' })
  const say = (token: string, id: string, content: string) => send('POST', `/lobbies/${id}/messages`, token, { content })

  it('ends a friendship, and keeps requests, messages and presence away in both directions', { tags: ['1-8', '1-9'] }, async () => {
    const { ada, mary, adaId, maryId, befriend } = await pair()
    await befriend()
    const { id } = (await lobby(ada.token)).json as { readonly id: string }
    await lobby(mary.token)
    await send('POST', `/users/${adaId}/messages`, mary.token, { content: 'Before' })
    await send('POST', `/users/${maryId}/messages`, ada.token, { content: 'Well met' })
    expectShape('CREATE_RELATIONSHIP', await put(ada.token, maryId, { type: 2 }))
    expect(await mary.client.event('RELATIONSHIP_REMOVE')).toMatchObject({ id: adaId })
    for (const { client } of [ada, mary]) await client.heardUntilNow(harness, true)
    expect(refusal(await ask(mary.token, 'ada'))).toEqual([400, 80001])
    expect(refusal(await ask(ada.token, 'mary', 'game-relationships'))).toEqual([400, 80001])
    expect(refusal(await send('POST', `/users/${adaId}/messages`, mary.token, { content: 'Ahoy' }))).toEqual([403, 50007])
    expect(refusal(await send('POST', `/users/${maryId}/messages`, ada.token, { content: 'Ahoy' }))).toEqual([403, 50007])
    expect((await send('GET', `/users/${maryId}/messages`, ada.token)).json).toMatchObject([{ content: 'Well met' }])
    expect((await say(mary.token, id, 'Ahoy all')).status).toBe(201)
    await send('POST', '/users/@me/headless-sessions', mary.token, {
      activities: [{ type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop' }],
    })
    expect(await ada.client.heardUntilNow(harness, true)).toEqual([])
    expect((await send('GET', `/lobbies/${id}/messages`, ada.token)).json).toEqual([])
    // Not even as members of a guild.
    const inGuild = await player('grace')
    await put(ada.token, await harness.idOf('grace'), { type: 2 })
    const again = await open(harness)
    await again.identify({ token: `Bearer ${ada.token}`, intents: 0 })
    const { presences } = await again.event('GUILD_CREATE')
    expect(JSON.stringify(presences)).not.toContain(await harness.idOf('grace'))
    inGuild.client.leave(1000)
    // The other user ends nothing of it.
    await drop(mary.token, adaId)
    expect(refusal(await ask(mary.token, 'ada'))).toEqual([400, 80001])
    await drop(ada.token, maryId)
    expect((await ask(mary.token, 'ada')).status).toBe(204)
  })
})

describe('a linked channel', () => {
  it('carries messages of the lobby, and the lobby those of the channel, with authors who are no members', {
    tags: ['1-11', '1-23'],
  }, async () => {
    const ada = await player('ada')
    const state = (await harness.send('GET', '~sandbox/state')).json as {
      readonly guilds: readonly { readonly name: string; readonly channels: readonly { readonly id: string; readonly name: string }[] }[]
    }
    const channelId = state.guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'general')?.id ?? ''
    const { id } = (await lobbyOf(ada.token)).json as { readonly id: string }
    const { id: otherLobby } = (await lobbyOf(ada.token, 'another crew')).json as { readonly id: string }
    const bot = `Bot sandbox-bot-${APPLICATION}`
    await send('PUT', `/lobbies/${id}/members/${await harness.idOf('ada')}`, bot, { flags: 1 })
    expect((await send('PATCH', `/lobbies/${id}/channel-linking`, ada.token, { channel_id: channelId })).status).toBe(200)
    const otherChannel = state.guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'screenshots')?.id ?? ''
    await send('PUT', `/lobbies/${otherLobby}/members/${await harness.idOf('ada')}`, bot, { flags: 1 })
    expect((await send('PATCH', `/lobbies/${otherLobby}/channel-linking`, ada.token, { channel_id: otherChannel })).status).toBe(200)
    await ada.client.heardUntilNow(harness)

    await send('POST', `/lobbies/${id}/messages`, ada.token, { content: 'From the game' })
    expect(await ada.client.event('MESSAGE_CREATE')).toMatchObject({
      channel_id: channelId,
      content: 'From the game',
      author: { username: 'ada' },
    })
    const { client } = ada
    expect(await client.event('LOBBY_MESSAGE_CREATE')).toMatchObject({ lobby_id: id, content: 'From the game' })

    await harness.send('POST', '~sandbox/messages', { json: { channel: 'general', user: 'grace', content: 'From the channel' } })
    const received = await client.event('LOBBY_MESSAGE_CREATE')
    expect(received).toMatchObject({ lobby_id: id, content: 'From the channel', author: { username: 'grace' } })
    const history = await send('GET', `/lobbies/${id}/messages`, ada.token)
    expect(history.json).toMatchObject([{ content: 'From the channel' }, { content: 'From the game' }])
    expect((await send('POST', `/channels/${channelId}/messages`, bot, { content: 'From the bot' })).status).toBe(200)
    expect((await send('GET', `/lobbies/${id}/messages`, ada.token)).json).toEqual(history.json)
    expect((await send('GET', `/lobbies/${otherLobby}/messages`, ada.token)).json).toEqual([])

    const [, { id: said }] = history.json as unknown as readonly [unknown, { readonly id: string }]
    const change = (json: object) => harness.send('POST', '~sandbox/lobby-messages', { json: { message_id: said, ...json } })
    await change({ content: 'Changed in the game' })
    const changed = await client.event('MESSAGE_UPDATE')
    expect(changed).toMatchObject({ channel_id: channelId, content: 'Changed in the game' })
    await change({ deleted: true })
    expect(await client.event('MESSAGE_DELETE')).toMatchObject({ channel_id: channelId, id: changed['id'] })
  })

  const lobbyOf = (token: string, secret = 'the crew') => send('PUT', '/lobbies', token, { secret })
})
