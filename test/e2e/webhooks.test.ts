/** Webhook events of the sandbox reach the real daemon's listener, and the resulting events reach games without any call. */
import { DEFAULT_COMMUNICATION_SCOPES, type SallyportClient } from '@sallyport/client'
import { describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { stateOf } from './support/bridge-state.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'
import { sandboxToken } from './support/sandbox-token.ts'
import { RawClient } from './support/raw-client.ts'

const TYPES = [
  'APPLICATION_DEAUTHORIZED',
  'ENTITLEMENT_CREATE',
  'GAME_DIRECT_MESSAGE_CREATE',
  'GAME_DIRECT_MESSAGE_DELETE',
  'GAME_DIRECT_MESSAGE_UPDATE',
  'LOBBY_MESSAGE_CREATE',
  'LOBBY_MESSAGE_DELETE',
  'LOBBY_MESSAGE_UPDATE',
]

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly requests: readonly { readonly method: string; readonly path: string }[]
}

/** Once alone, and once with a gateway that sends the same events. */
const CASES = TARGETS.flatMap((target) => (['off', 'auto'] as const).map((gateway) => ({ target, name: target.name, gateway })))

describe.each(CASES)('$name, gateway $gateway', ({ target, gateway }) => {
  let at: Folders
  let daemon: Daemon
  useDaemon(
    target,
    (opened, inFolders) => {
      daemon = opened
      at = inFolders
    },
    ['--webhook-port', '0', '--gateway', gateway],
  )

  const asJson = (method: string, authorization: string, body: object) => ({
    method,
    headers: { 'Content-Type': 'application/json', ...(authorization === '' ? {} : { Authorization: authorization }) },
    body: JSON.stringify(body),
  })
  const control = async (name: string, body: object) =>
    JSON.parse((await (await fetch(`${daemon.origin}/sandbox/${name}`, asJson('POST', '', body))).text()) || '{}') as Record<
      string,
      unknown
    >
  const api = async (method: string, path: string, authorization: string, body: object) => {
    const answer = await fetch(`${daemon.ready.apiBase}${path}`, asJson(method, authorization, body))
    expect(answer.status).toBeLessThan(300)
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
  }
  const state = async () => (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as State
  const idOf = async (name: string) => (await state()).users.find(({ username }) => username === name)?.id ?? ''

  /** The application asks for its events at the daemon's listener, as its developer would. */
  const listening = (applicationId: string) =>
    api('PATCH', '/applications/@me', `Bot sandbox-bot-${applicationId}`, {
      event_webhooks_url: `${daemon.ready.webhooks}${applicationId}`,
      event_webhooks_status: 2,
      event_webhooks_types: TYPES,
    })
  const connect = (applicationId: string) => connectedGame({ applicationId, runtimeDir: at.runtime, requireBridge: true })

  const tokenOf = (username: string, applicationId: string) =>
    sandboxToken({ authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }, username, applicationId)

  test('the user removes the game: its connections hear of it at once, and its tokens are gone, without any call', {
    tags: ['3-14', '6-14'],
  }, async () => {
    const applicationId = '999000101'
    await listening(applicationId)
    const game = await connect(applicationId)
    await game.askToSignIn({ scopes: [...DEFAULT_COMMUNICATION_SCOPES] })
    const old = await RawClient.ready(daemon.socket, { client_id: applicationId })
    expect(await old.call('AUTHENTICATE', { access_token: await tokenOf('ada', applicationId) })).toMatchObject({ evt: null })
    const bystander = await connect('999000102')
    await bystander.askToSignIn({ scopes: ['identify'] })
    const revoked = new Promise((resolve) => game.on('TOKEN_REVOKED', resolve))
    const before = (await state()).requests.length

    await control('deauthorize', { user: 'ada', application_id: applicationId })
    expect(await revoked).toMatchObject({ application_id: applicationId, cause: 'deauthorized', account_state: 'unlinked' })
    expect(await old.closeCode()).toBe(4003)
    expect((await state()).requests).toHaveLength(before)
    await expect(game.call('AUTHENTICATE', {})).rejects.toMatchObject({ code: 4009 })
    expect((await bystander.call('GET_CURRENT_USER')).username).toBe('ada')
    await game.close()
    await bystander.close()
  })

  test('repeated, forged and old deliveries do no harm', async () => {
    const applicationId = '999000103'
    await listening(applicationId)
    const game = await connect(applicationId)
    await game.askToSignIn({ scopes: ['identify'] })
    const received: unknown[] = []
    game.on('TOKEN_REVOKED', (event) => received.push(event))
    const { counters: before } = await stateOf(daemon)
    const left = { application_id: applicationId, type: 'APPLICATION_DEAUTHORIZED', data: { user: { id: await idOf('ada') } } }

    expect(await control('webhooks', { ...left, timestamp_offset_s: -301 })).toEqual({ statuses: [401] })
    expect(await control('webhooks', { ...left, timestamp_offset_s: 301 })).toEqual({ statuses: [401] })
    const reason = expect.stringContaining('Set the clock') as string
    expect((await game.call('GET_BRIDGE_STATUS')).providers).toContainEqual({ name: 'webhooks', state: 'active', reason })
    expect(await control('webhooks', { ...left, signature: 'missing' })).toEqual({ statuses: [401] })
    expect(await control('webhooks', { ...left, signature: 'wrong' })).toEqual({ statuses: [401] })
    expect(await control('webhooks', { application_id: applicationId, type: 'MOON_LANDING', data: {} })).toEqual({ statuses: [204] })
    expect((await game.call('GET_CURRENT_USER')).username).toBe('ada')
    expect(received).toEqual([])

    expect(await control('webhooks', { ...left, times: 3 })).toEqual({ statuses: [204, 204, 204] })
    await vi.waitFor(() => expect(received).toHaveLength(1), SOON)
    const { counters: after, providers } = await stateOf(daemon)
    const grown = Object.fromEntries(Object.entries(after).map(([name, count]) => [name, Number(count) - Number(before[name])]))
    expect(grown).toMatchObject({
      webhook_pings: 0,
      webhook_events: 1,
      webhook_duplicates: 2,
      webhook_ignored: 1,
      webhook_refused: 4,
    })
    expect(providers).toContainEqual({ name: 'webhooks', state: 'active' })
    expect(received).toHaveLength(1)
    await game.close()
  })

  test('a new entitlement reaches its owner, and no other user', { tags: ['6-12'] }, async () => {
    const applicationId = '999000104'
    await listening(applicationId)
    const bot = `Bot sandbox-bot-${applicationId}`
    const ada = await connect(applicationId)
    await ada.askToSignIn({ scopes: ['identify'] })
    const grace = await connect(applicationId)
    await grace.call('AUTHENTICATE', { access_token: await tokenOf('grace', applicationId) })
    const received: string[] = []
    for (const [name, game] of Object.entries({ ada, grace }))
      await game.on('ENTITLEMENT_CREATE', ({ entitlement }) => received.push(`${name} ${entitlement.user_id}`)).active

    const skus = await fetch(`${daemon.ready.apiBase}/applications/${applicationId}/skus`, { headers: { Authorization: bot } })
    const [sku] = (await skus.json()) as { id: string }[]
    for (const username of ['ada', 'grace']) {
      const owner_id = await idOf(username)
      await api('POST', `/applications/${applicationId}/entitlements`, bot, { sku_id: sku?.id, owner_id, owner_type: 2 })
    }
    const expected = [`ada ${await idOf('ada')}`, `grace ${await idOf('grace')}`]
    await vi.waitFor(() => expect(received.toSorted()).toEqual(expected), SOON)
    await ada.close()
    await grace.close()
  })

  test('a new message of the other user appears in a cached history, without a request to the platform', { tags: ['6-15'] }, async () => {
    const applicationId = '999000105'
    await listening(applicationId)
    const user_id = await idOf('grace')
    const game = await connect(applicationId)
    await game.askToSignIn({ scopes: [...DEFAULT_COMMUNICATION_SCOPES] })
    const taken = async () => (await stateOf(daemon)).counters.webhook_events ?? 0
    const earlier = await taken()
    await game.call('SEND_USER_MESSAGE', { user_id, content: 'Ahoy' })
    // An event during the request for a history makes that history too old to keep.
    await vi.waitFor(async () => expect(await taken()).toBe(earlier + 1), SOON)
    const read = async () => (await game.call('GET_USER_MESSAGES', { user_id })).map(({ content }) => content)
    const asked = async () => (await state()).requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages')).length
    expect(await read()).toEqual(['Ahoy'])
    const before = await asked()

    const bearer = `Bearer ${await tokenOf('grace', applicationId)}`
    const toAda = `/users/${await idOf('ada')}/messages`
    const { id } = await api('POST', toAda, bearer, { content: 'Land' })
    await vi.waitFor(async () => expect(await read()).toEqual(['Land', 'Ahoy']), SOON)
    await api('PATCH', `${toAda}/${String(id)}`, bearer, { content: 'Land ahead' })
    await vi.waitFor(async () => expect(await read()).toEqual(['Land ahead', 'Ahoy']), SOON)
    await api('DELETE', `${toAda}/${String(id)}`, bearer, {})
    await vi.waitFor(async () => expect(await read()).toEqual(['Ahoy']), SOON)
    expect(await asked()).toBe(before)
    await game.close()
  })

  test('a direct message reaches each game of both users once, and no other game', { tags: ['6-15'] }, async () => {
    const applicationId = '999000106'
    await listening(applicationId)
    const received: string[] = []
    const games: SallyportClient[] = []
    for (const name of ['ada', 'grace', 'linus']) {
      const game = await connect(applicationId)
      await game.call('AUTHENTICATE', { access_token: await tokenOf(name, applicationId) })
      for (const event of ['GAME_DIRECT_MESSAGE_CREATE', 'GAME_DIRECT_MESSAGE_UPDATE', 'GAME_DIRECT_MESSAGE_DELETE'] as const)
        await game.on(event, (data) => received.push(`${name} ${event.slice(20)} ${'content' in data ? String(data.content) : ''}`)).active
      games.push(game)
    }
    const [ada] = games
    const grace = await idOf('grace')
    const { id: message_id } = await ada!.call('SEND_USER_MESSAGE', { user_id: grace, content: 'Ahoy' })
    const both = (what: string) => [`ada ${what}`, `grace ${what}`]
    await vi.waitFor(() => expect(received.toSorted()).toEqual(both('CREATE Ahoy')), SOON)
    await ada!.call('EDIT_USER_MESSAGE', { user_id: grace, message_id, content: 'Ahoy!' })
    await vi.waitFor(() => expect(received.slice(2).toSorted()).toEqual(both('UPDATE Ahoy!')), SOON)
    await ada!.call('DELETE_USER_MESSAGE', { user_id: grace, message_id })
    await vi.waitFor(() => expect(received.slice(4).map((line) => line.slice(0, 12).trim())).toHaveLength(2), SOON)
    // A duplicate would come before the next event.
    await ada!.call('SEND_USER_MESSAGE', { user_id: grace, content: 'Farewell' })
    await vi.waitFor(() => expect(received.filter((line) => line.endsWith('Farewell')).toSorted()).toEqual(both('CREATE Farewell')), SOON)
    expect(received).toHaveLength(8)
    for (const game of games) await game.close()
  })

  test('a lobby message, its edits and its deletion reach the subscribed members once, and no other user', { tags: ['6-15'] }, async () => {
    const applicationId = '999000107'
    await listening(applicationId)
    const received: string[] = []
    const joined = async (name: string, secret: string) => {
      const game = await connect(applicationId)
      await game.call('AUTHENTICATE', { access_token: await tokenOf(name, applicationId) })
      const lobby = await game.call('CREATE_OR_JOIN_LOBBY', { secret })
      return { game, lobby_id: lobby.id }
    }
    const ada = await joined('ada', 'harbour')
    const grace = await joined('grace', 'harbour')
    const linus = await joined('linus', 'elsewhere')
    const { lobby_id } = ada
    expect(grace.lobby_id).toBe(lobby_id)
    for (const [name, { game }] of Object.entries({ ada, linus })) {
      await game.on('LOBBY_MESSAGE_CREATE', { lobby_id }, ({ content }) => received.push(`${name} ${content}`)).active
      await game.on('LOBBY_MESSAGE_UPDATE', { lobby_id }, ({ id, content }) => received.push(`${name} ${id} is ${content}`)).active
      await game.on('LOBBY_MESSAGE_DELETE', { lobby_id }, ({ id }) => received.push(`${name} ${id} is gone`)).active
    }
    for (const content of ['Ready?', 'Go', 'Now']) {
      await grace.game.call('SEND_LOBBY_MESSAGE', { lobby_id, content })
      await vi.waitFor(() => expect(received).toContain(`ada ${content}`), SOON)
    }
    const { id: message_id } = await grace.game.call('SEND_LOBBY_MESSAGE', { lobby_id, content: 'Wait' })
    await vi.waitFor(() => expect(received).toContain('ada Wait'), SOON)
    for (const content of ['Wait!', 'Wait!!']) {
      await control('lobby-messages', { message_id, content })
      await vi.waitFor(() => expect(received).toContain(`ada ${message_id} is ${content}`), SOON)
    }
    await control('lobby-messages', { message_id, deleted: true })
    await vi.waitFor(() => expect(received).toContain(`ada ${message_id} is gone`), SOON)
    // A duplicate would come before the next event.
    await grace.game.call('SEND_LOBBY_MESSAGE', { lobby_id, content: 'Good night' })
    await vi.waitFor(() => expect(received).toContain('ada Good night'), SOON)
    const edits = ['Wait', `${message_id} is Wait!`, `${message_id} is Wait!!`, `${message_id} is gone`]
    expect(received).toEqual(['Ready?', 'Go', 'Now', ...edits, 'Good night'].map((line) => `ada ${line}`))
    for (const { game } of [ada, grace, linus]) await game.close()
  })

  test('nothing that was sent is in the log', () => {
    expect(daemon.output()).toContain('webhook-event')
    expect(daemon.output()).not.toMatch(/Land ahead|Farewell|Ready\?|Wait!|[0-9a-f]{128}/)
  })
})

test.each(TARGETS)('$name: a real platform needs the keys of its applications', async (target) => {
  const at = await folders()
  await expect(startDaemon(target, at, ['--platform', 'discord', '--consent', 'deny', '--webhook-port', '0'])).rejects.toThrow(
    'webhook-port requires webhook-public-keys',
  )
  await at.remove()
})
