/** The real daemon at the sandbox's gateway: games receive events at once, breaks lose and repeat none, and bots get requests. */
import { DEFAULT_COMMUNICATION_SCOPES } from '@sallyport/client'
import { describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, SMOKE_TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const BOT = 'sandbox-bot-888000106'
/** By which an application says itself that it may have the intent for members. */
const MEMBERS_FLAG = 1 << 15
const GUILD_SCOPES = ['identify', 'guilds', 'gateway.connect', 'rpc'] as const

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly guilds: readonly { readonly id: string; readonly name: string; readonly channels: readonly { id: string; name: string }[] }[]
  readonly gateway: { readonly sessions: readonly { readonly application_id: string; readonly connected: boolean }[] }
  readonly requests: readonly { readonly method: string; readonly path: string }[]
}

describe.each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  useDaemon(
    target,
    (opened, inFolders) => {
      daemon = opened
      at = inFolders
    },
    ['--gateway-obfuscation', '--gateway-compress', 'zlib-stream'],
    { SALLYPORT_BOT_TOKEN: BOT },
  )

  const send = async (path: string, method: string, authorization: string, body: object) => {
    const answer = await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(authorization === '' ? {} : { Authorization: authorization }) },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status, path).toBeLessThan(300)
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
  }
  const control = (name: string, body: object) => send(`${daemon.origin}/sandbox/${name}`, 'POST', '', body)
  const api = (method: string, path: string, authorization: string, body: object = {}) =>
    send(`${daemon.ready.apiBase}${path}`, method, authorization, body)
  const state = async () => (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as State
  const idOf = async (name: string) => (await state()).users.find(({ username }) => username === name)?.id ?? ''
  const guildNamed = async (wanted: string) => (await state()).guilds.find(({ name }) => name === wanted)?.id ?? ''
  const channelNamed = async (wanted: string) =>
    (await state()).guilds.flatMap(({ channels }) => channels).find(({ name }) => name === wanted)?.id ?? ''
  const asked = async (path: string) => (await state()).requests.filter((request) => request.path.endsWith(path)).length
  /** How many connections to the gateway an application has. */
  const connections = async (application_id: string) =>
    (await state()).gateway.sessions.filter((session) => session.connected && session.application_id === application_id).length

  const connect = async (applicationId: string) => {
    await setApplication(daemon.origin, applicationId, ALL_SCOPES)
    return connectedGame({ applicationId, runtimeDir: at.runtime, requireBridge: true })
  }
  const tokenOf = (username: string, applicationId: string, scopes: readonly string[]) =>
    sandboxToken({ authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }, username, applicationId, scopes)

  test('a game gets the state of its guild at once and at each change, without an HTTP request', async () => {
    const game = await connect('888000101')
    await game.askToSignIn({ scopes: [...GUILD_SCOPES] })
    const guild_id = await guildNamed('Harbour')
    await game.on('GUILD_CREATE', () => {}).active
    await vi.waitFor(async () => expect(await connections('888000101')).toBe(1), SOON)
    const before = await asked('/users/@me/guilds')
    const received: unknown[] = []
    await game.on('GUILD_STATUS', { guild_id }, (status) => received.push(status)).active
    await vi.waitFor(() => expect(received).toMatchObject([{ guild: { id: guild_id, name: 'Harbour' } }]), SOON)
    await expect(game.on('GUILD_STATUS', { guild_id: '1' }, () => {}).active).rejects.toMatchObject({ code: 4003 })

    await control('guilds', { guild: guild_id, online_count: 77 })
    await vi.waitFor(() => expect(received[1]).toMatchObject({ online: 77 }), SOON)
    const { providers } = await game.call('GET_BRIDGE_STATUS')
    expect(providers).toContainEqual(expect.objectContaining({ name: 'gateway', state: 'active' }))
    expect(providers).toContainEqual(expect.objectContaining({ name: 'guild-status-poll', state: 'idle' }))
    expect([received.length, await asked('/users/@me/guilds')]).toEqual([2, before])
    await game.close()
  })

  test('while no session can start, the state comes via HTTP at once; afterwards the gateway sends changes only', async () => {
    const application_id = '888000109'
    const game = await connect(application_id)
    const token = await tokenOf('ada', application_id, GUILD_SCOPES)
    await game.call('AUTHENTICATE', { access_token: token })
    await game.on('GUILD_CREATE', () => {}).active
    const sessions = async () =>
      ((await state()).gateway as { readonly sessions: readonly { application_id: string }[] }).sessions.filter(
        (one) => one.application_id === application_id,
      ).length
    await vi.waitFor(async () => expect(await sessions()).toBe(1), SOON)
    await game.call('REVOKE_TOKEN', { token })
    await vi.waitFor(async () => expect(await sessions()).toBe(0), SOON)

    // The pause between two starts is too short for a busy machine. Nothing listens where the platform says now.
    const nowhere = { match: { method: 'GET', path: '/gateway' }, times: 1000, status: 200, body: '{"url":"ws://127.0.0.1:9"}' }
    await control('faults', nowhere)
    await game.call('AUTHENTICATE', { access_token: await tokenOf('ada', application_id, GUILD_SCOPES) })
    const guild_id = await guildNamed('Harbour')
    const before = await asked('/users/@me/guilds')
    const received: (number | undefined)[] = []
    await game.on('GUILD_STATUS', { guild_id }, ({ online }) => received.push(online)).active
    await vi.waitFor(() => expect(received).toHaveLength(1), SOON)
    expect([await sessions(), await asked('/users/@me/guilds')]).toEqual([0, before + 1])
    await send(`${daemon.origin}/sandbox/faults`, 'DELETE', '', {})
    await vi.waitFor(async () => expect(await sessions()).toBe(1), SOON)
    await control('guilds', { guild: guild_id, online_count: 55 })
    await vi.waitFor(() => expect(received.slice(1)).toEqual([55]), SOON)
    expect(await asked('/users/@me/guilds')).toBe(before + 1)
    await game.close()
  })

  test('events during a break come after it, once; after a lost session the current state is sent again', async () => {
    const application_id = '888000102'
    const game = await connect(application_id)
    await game.askToSignIn({ scopes: [...GUILD_SCOPES] })
    const guild_id = await guildNamed('Harbour')
    const received: (number | undefined)[] = []
    await game.on('GUILD_STATUS', { guild_id }, ({ online }) => received.push(online)).active
    await vi.waitFor(() => expect(received).toHaveLength(1), SOON)

    await vi.waitFor(async () => expect(await connections(application_id)).toBe(1), SOON)
    expect(await control('gateway', { action: 'drop', application_id })).toEqual({ hit: 1 })
    await control('guilds', { guild: guild_id, online_count: 101 })
    await control('guilds', { guild: guild_id, online_count: 102 })
    await vi.waitFor(() => expect(received.slice(1)).toEqual([101, 102]), SOON)

    await control('gateway', { action: 'invalid_session', application_id, resumable: false })
    await vi.waitFor(() => expect(received.slice(3)).toEqual([102]), SOON)
    await control('guilds', { guild: guild_id, online_count: 103 })
    await vi.waitFor(() => expect(received.slice(4)).toEqual([103]), SOON)
    await game.close()
  })

  test('a hidden channel reveals nothing until it becomes visible, and can be hidden again', {
    tags: ['3-2', '3-3', '6-1', '6-2'],
  }, async () => {
    const game = await connect('888000103')
    await game.call('AUTHENTICATE', { access_token: await tokenOf('grace', '888000103', GUILD_SCOPES) })
    const received: { readonly name?: string | null | undefined; readonly flags?: number | null | undefined }[] = []
    await game.on('CHANNEL_UPDATE', ({ name, flags }) => received.push({ name, flags })).active
    await game.on('GUILD_STATUS', { guild_id: await guildNamed('Harbour') }, () => {}).active
    await vi.waitFor(async () => expect(await connections('888000103')).toBe(1), SOON)
    const hidden = { name: '___hidden___', flags: 1 << 17 }
    await control('channels', { channel: 'general', hidden: true })
    await vi.waitFor(() => expect(received).toEqual([hidden]), SOON)
    await control('channels', { channel: 'general', hidden: false })
    await vi.waitFor(() => expect(received.map(({ name }) => name)).toEqual(['___hidden___', 'general']), SOON)
    await game.close()
  })

  test('a purchase reaches its buyer alone; a renewal sends no event, the end sends one', {
    tags: ['3-5', '3-7', '6-7', '6-8'],
  }, async () => {
    const application_id = '888000104'
    const grace = await connect(application_id)
    await grace.call('AUTHENTICATE', { access_token: await tokenOf('grace', application_id, ['identify', 'gateway.connect']) })
    const ada = await connect(application_id)
    await ada.call('AUTHENTICATE', { access_token: await tokenOf('ada', application_id, ['identify', 'gateway.connect']) })
    const received: string[] = []
    for (const [who, game] of Object.entries({ grace, ada })) {
      await game.on('ENTITLEMENT_CREATE', ({ entitlement }) => received.push(`${who} gets ${entitlement.user_id}`)).active
      await game.on('ENTITLEMENT_UPDATE', ({ entitlement }) => received.push(`${who} ends ${entitlement.ends_at !== null}`)).active
      await game.on('SUBSCRIPTION_UPDATE', ({ subscription }) => received.push(`${who} has ${subscription.status}`)).active
    }
    await vi.waitFor(async () => expect(await connections(application_id)).toBe(2), SOON)
    const step = (name: string) => control('subscriptions', { application_id, user: 'grace', step: name })
    const bot = `Bot sandbox-bot-${application_id}`
    const skus = (await api('GET', `/applications/${application_id}/skus`, bot)) as unknown as readonly { id: string }[]
    await api('POST', `/applications/${application_id}/entitlements`, bot, {
      sku_id: skus[0]?.id,
      owner_id: await idOf('grace'),
      owner_type: 2,
    })
    await vi.waitFor(async () => expect(received).toEqual([`grace gets ${await idOf('grace')}`]), SOON)
    await step('renew')
    await vi.waitFor(() => expect(received.slice(1)).toEqual(['grace has 0']), SOON)
    await step('end')
    await vi.waitFor(() => expect(received.slice(2).toSorted()).toEqual(['grace ends true', 'grace has 1']), SOON)
    await grace.close()
    await ada.close()
  })

  test('two accounts in a lobby, and what they write to each other', async () => {
    const application_id = '888000105'
    const games = { ada: await connect(application_id), grace: await connect(application_id) }
    const received: string[] = []
    for (const [who, game] of Object.entries(games)) {
      await game.call('AUTHENTICATE', { access_token: await tokenOf(who, application_id, DEFAULT_COMMUNICATION_SCOPES) })
      await game.on('LOBBY_CREATE', () => received.push(`${who} LOBBY_CREATE`)).active
      await game.on('LOBBY_MEMBER_ADD', () => received.push(`${who} LOBBY_MEMBER_ADD`)).active
      await game.on('LOBBY_MESSAGE_CREATE', ({ content }) => received.push(`${who} reads ${content}`)).active
      await game.on('LOBBY_MESSAGE_UPDATE', ({ content }) => received.push(`${who} reads the edit ${content}`)).active
      await game.on('LOBBY_MESSAGE_DELETE', ({ id }) => received.push(`${who} forgets ${id}`)).active
      await game.on('GAME_DIRECT_MESSAGE_CREATE', ({ content }) => received.push(`${who} reads ${content}`)).active
    }
    await vi.waitFor(async () => expect(await connections(application_id)).toBe(2), SOON)
    const { id: lobby_id } = await games.ada.call('CREATE_OR_JOIN_LOBBY', { secret: 'pier' })
    await vi.waitFor(() => expect(received.splice(0)).toEqual(['ada LOBBY_CREATE']), SOON)
    await games.grace.call('CREATE_OR_JOIN_LOBBY', { secret: 'pier' })
    await vi.waitFor(() => expect(received.toSorted()).toEqual(['ada LOBBY_MEMBER_ADD', 'grace LOBBY_CREATE']), SOON)
    received.length = 0
    // A subscription to this lobby and one to all: one event.
    await games.grace.on('LOBBY_MESSAGE_CREATE', { lobby_id }, () => {}).active
    const { id: message_id } = await games.ada.call('SEND_LOBBY_MESSAGE', { lobby_id, content: 'Ahoy' })
    await vi.waitFor(() => expect(received.toSorted()).toEqual(['ada reads Ahoy', 'grace reads Ahoy']), SOON)
    received.length = 0
    await control('lobby-messages', { message_id, content: 'Ahoy!' })
    await control('lobby-messages', { message_id, deleted: true })
    const both = (what: string) => [`ada ${what}`, `grace ${what}`]
    await vi.waitFor(
      () => expect(received.toSorted()).toEqual([both(`forgets ${message_id}`), both('reads the edit Ahoy!')].flat().toSorted()),
      SOON,
    )
    received.length = 0

    await games.ada.call('SEND_USER_MESSAGE', { user_id: await idOf('grace'), content: 'Land' })
    await vi.waitFor(() => expect(received.toSorted()).toEqual(['ada reads Land', 'grace reads Land']), SOON)
    received.length = 0
    // Not before, because friends learn of each other's presence at any time.
    for (const [who, game] of Object.entries(games))
      await game.on('RELATIONSHIP_UPDATE', ({ type, user }) => received.push(`${who} ${type} ${user.username}`)).active
    await control('relationships', { user: 'ada', other: 'grace', type: 'blocked' })
    await control('relationships', { user: 'ada', other: 'grace', type: 'friend' })
    await vi.waitFor(() => expect(received.toSorted()).toEqual(expect.arrayContaining(['ada 1 grace', 'grace 1 ada'])), SOON)
    received.length = 0
    await control('relationships', { user: 'ada', other: 'grace', type: 'none' })
    await vi.waitFor(() => expect(received).toEqual(expect.arrayContaining(['ada 0 grace', 'grace 0 ada'])), SOON)
    await games.ada.close()
    await games.grace.close()
  })

  test('the bot requests members, as often as the platform allows, and channel info', {
    tags: ['1-14', '4.2-15', '4.2-16', '7-9', '8-1'],
  }, async () => {
    const application_id = '888000106'
    const game = await connect(application_id)
    await game.askToSignIn({ scopes: ['identify'] })
    const guild_id = await guildNamed('Harbour')
    await api('PATCH', '/applications/@me', `Bot ${BOT}`, { flags: MEMBERS_FLAG })

    const allMembers = { guild_id, query: '', limit: 0 }
    const { members } = await game.call('REQUEST_GUILD_MEMBERS', allMembers)
    expect(members.map(({ user }) => user?.username)).toEqual(expect.arrayContaining(['ada', 'grace']))
    await expect(game.call('REQUEST_GUILD_MEMBERS', allMembers)).rejects.toMatchObject({
      code: 5011,
      data: { retry_after: expect.any(Number) },
    })
    const some = await game.call('REQUEST_GUILD_MEMBERS', { guild_id, user_ids: [await idOf('ada'), '1'] })
    expect([some.members.map(({ user }) => user?.username), some.not_found]).toEqual([['ada'], ['1']])
    expect((await game.call('REQUEST_GUILD_MEMBERS', { guild_id, query: 'gra' })).members.map(({ user }) => user?.username)).toEqual([
      'grace',
    ])
    await expect(game.call('REQUEST_GUILD_MEMBERS', { guild_id: '1', query: 'a' })).rejects.toMatchObject({ code: 4003 })

    const channel_id = await channelNamed('Engine Room')
    await game.call('SET_VOICE_CHANNEL_STATUS', { channel_id, status: 'Mending nets' })
    const info = await game.call('REQUEST_CHANNEL_INFO', { guild_id, fields: ['status'] })
    expect(info.channels).toContainEqual({ id: channel_id, status: 'Mending nets' })
    expect(await connections(application_id)).toBe(1)
    await game.close()
  })

  test('without the scope for HTTP, presence goes via its own gateway connection and is sent again after a break', async () => {
    const application_id = '888000108'
    const game = await connect(application_id)
    await game.call('AUTHENTICATE', { access_token: await tokenOf('ada', application_id, ['identify', 'gateway.connect']) })
    await game.setActivity({ name: 'Mending nets', details: 'On the quay' })
    await vi.waitFor(async () => expect(await connections(application_id)).toBe(1), SOON)
    const shownNow = async () => JSON.stringify((await state()).gateway)
    await vi.waitFor(async () => expect(await shownNow()).toContain('Mending nets'), SOON)
    await control('gateway', { action: 'invalid_session', application_id, resumable: false })
    await vi.waitFor(async () => expect(await shownNow()).toContain('Mending nets'), SOON)
    await game.close()
  })

  test('a user who removes the game gets no more events, because the connection closes at once', async () => {
    const application_id = '888000107'
    const game = await connect(application_id)
    await game.askToSignIn({ scopes: [...GUILD_SCOPES] })
    await game.on('GUILD_CREATE', () => {}).active
    await vi.waitFor(async () => expect(await connections(application_id)).toBe(1), SOON)
    await control('deauthorize', { user: 'ada', application_id })
    await vi.waitFor(async () => expect(await connections(application_id)).toBe(0), SOON)
    await game.close()
  })
})
