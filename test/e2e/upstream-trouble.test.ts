/** The platform is slow, down, limiting, failing or sends garbage: the caller gets one clear error, the daemon survives, and unsafe calls are not retried. */
import type { SallyportClient } from '@sallyport/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'

interface Fault {
  readonly match: { readonly method?: string; readonly path?: string }
  readonly times?: number
  readonly latency_ms?: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly drop?: 'before-reply' | 'mid-reply'
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let client: SallyportClient
  let lobbyId: string

  const control = (method: string, path: string, body?: object) =>
    fetch(`${daemon.origin}/sandbox/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const fault = async (one: Fault) => expect((await control('POST', 'faults', one)).ok).toBe(true)

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
    client = await connectedGame({ applicationId: '777000111', runtimeDir: at.runtime })
    await client.askToSignIn({ scopes: ['openid', 'sdk.social_layer'] })
    lobbyId = (await client.call('CREATE_OR_JOIN_LOBBY', { secret: 'trouble' })).id
  })
  afterAll(async () => {
    await client.close()
    await daemon.stop()
    await at.remove()
  })
  beforeEach(async () => {
    await control('DELETE', 'faults')
  })

  test('a read is repeated after one 502 and succeeds', async () => {
    await fault({ match: { path: '/users/@me/guilds' }, times: 1, status: 502, body: 'bad gateway' })
    expect(await client.call('GET_CURRENT_USER_GUILDS')).not.toHaveLength(0)
  })

  test('a read is repeated after a dropped connection and succeeds', async () => {
    await fault({ match: { path: '/users/@me/guilds' }, times: 1, drop: 'before-reply' })
    expect(await client.call('GET_CURRENT_USER_GUILDS')).not.toHaveLength(0)
  })

  test.each<readonly [string, Omit<Fault, 'match'>, object]>([
    ['breaks off', { drop: 'mid-reply' }, {}],
    ['fails', { status: 502, body: 'Bad Gateway' }, { http_status: 502 }],
  ])('a write that may have happened, because the platform %s, is not repeated, and its game learns it', async (_, trouble, data) => {
    await fault({ match: { method: 'POST', path: `/lobbies/${lobbyId}/messages` }, times: 1, ...trouble })
    const write = client.call('SEND_LOBBY_MESSAGE', { lobby_id: lobbyId, content: 'once at most' })
    await expect(write).rejects.toMatchObject({ errorName: 'UNKNOWN_OUTCOME', retryable: false, data })
    const messages = await client.call('GET_LOBBY_MESSAGES', { lobby_id: lobbyId })
    expect(messages.filter((message) => message.content === 'once at most').length).toBeLessThanOrEqual(1)
  })

  test('a failing platform is 1001 with its status', async () => {
    await fault({ match: { path: '/users/@me/guilds' }, status: 500, body: '{"message":"boom","code":0}' })
    await expect(client.call('GET_CURRENT_USER_GUILDS')).rejects.toMatchObject({ code: 1001, data: { http_status: 500 } })
  })

  test('babble instead of JSON is 1001', async () => {
    await fault({ match: { path: '/users/@me/guilds' }, status: 200, headers: { 'content-type': 'application/json' }, body: '<html>' })
    await expect(client.call('GET_CURRENT_USER_GUILDS')).rejects.toMatchObject({ code: 1001 })
  })

  test('a limit whose wait exceeds the deadline is reported at once, with the time of the next attempt', async () => {
    await client.askToSignIn({ scopes: ['openid', 'sdk.social_layer', 'connections'] })
    const body = '{"message":"You are being rate limited.","retry_after":60.5,"global":false}'
    await fault({
      match: { path: '/users/@me/connections' },
      status: 429,
      headers: { 'retry-after': '61', 'x-ratelimit-scope': 'user' },
      body,
    })
    await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 2000 })
    await expect(client.call('GET_CURRENT_USER_CONNECTIONS')).rejects.toMatchObject({
      code: 5011,
      data: { retry_after: expect.closeTo(60.5, 0) },
    })
  })

  test('a platform that does not answer costs the caller its deadline and no more', async () => {
    await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 300 })
    await fault({ match: { path: '/users/@me/guilds' }, latency_ms: 10_000 })
    await expect(client.call('GET_CURRENT_USER_GUILDS')).rejects.toMatchObject({
      code: 1001,
      message: 'No response within 300 ms; try again, or set a longer time with SET_HTTP_REQUEST_TIMEOUT.',
    })
    await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 30_000 })
  })

  test('limits are checked before anything is sent', async () => {
    await expect(client.call('SEND_LOBBY_MESSAGE', { lobby_id: lobbyId, content: 'x'.repeat(2001) })).rejects.toMatchObject({
      code: 4000,
      data: { path: 'content' },
      message: expect.stringMatching(/2000.*2001/),
    })
  })

  test('Create Guild is refused with the date since when', async () => {
    await expect(client.request('CREATE_GUILD', { name: 'mine' })).rejects.toMatchObject({
      code: 4002,
      retryable: false,
      message: expect.stringContaining('2025-07-15'),
    })
  })

  test('a revoked token ends the sign-in, and the game gets the event', async () => {
    const revoked = new Promise((resolve) => client.onAccount((account) => account === 'revoked' && resolve(account)))
    await control('POST', 'revoke', { application_id: '777000111' })
    await expect(client.call('GET_CURRENT_USER_GUILDS')).rejects.toMatchObject({ code: 4009 })
    await revoked
    await expect(client.signInSilently()).rejects.toMatchObject({ code: 4009 })
  })
})
