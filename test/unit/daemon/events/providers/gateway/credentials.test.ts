import { beforeEach, describe, expect, test } from 'vitest'
import type { TokenAccount } from '#daemon/src/auth/auth.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { GatewayIdentity } from '#daemon/src/platform/gateway/gateway.ts'
import { createGatewayCredentials } from '#daemon/src/events/providers/gateway/credentials.ts'
import { apiClient } from '#test/support/api-client.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { FakeForwarder, FakeTokenStore } from '#test/support/fakes.ts'

const BOT: GatewayIdentity = { kind: 'bot', applicationId: '1' }
const USER: GatewayIdentity = { kind: 'user', applicationId: '1', userId: '5' }
const ACCOUNT: TokenAccount = { applicationId: '1', uid: 1000, userId: '5' }
const WSS = 'wss://gateway.example.test'

let forwarder: FakeForwarder
let tokenStore: FakeTokenStore
let clock: FakeClock
let botToken: Secret<string> | undefined
beforeEach(() => {
  forwarder = new FakeForwarder()
  tokenStore = new FakeTokenStore()
  clock = new FakeClock()
  botToken = new Secret('the bot')
})

const side = (profile: { baseUrl: string; gatewayUrl?: string } = { baseUrl: 'https://example.test/api/v10' }) => {
  const { api, credentials } = apiClient({
    clock,
    forwarder,
    tokenStore,
    botTokens: { of: async () => botToken, onRejected: async () => undefined },
  })
  return createGatewayCredentials({ profile, credentials, api, forwarder, clock })
}
const holder = (isManaged: boolean) => ({
  account: ACCOUNT,
  signedIn: { userId: '5', username: 'ann', applicationName: 'Game', accessToken: new Secret('brought'), isManaged, expiresAt: 0 },
})

describe('the token', () => {
  test('of a bot is bare, that of a user has its scheme; a stored token is read each time', async () => {
    expect((await side().token(BOT, undefined)).reveal()).toBe('the bot')
    expect((await side().token(USER, holder(false))).reveal()).toBe('Bearer brought')
    for (const kept of ['first', 'refreshed']) {
      await tokenStore.store(ACCOUNT, { ...ACCOUNT, accessToken: new Secret(kept), scopes: [], expiresAt: 0 })
      expect((await side().token(USER, holder(true))).reveal()).toBe(`Bearer ${kept}`)
    }
    expect(clock.pending).toBe(0)
  })

  test('that was deleted is refused', async () => {
    await expect(side().token(USER, holder(true))).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    await expect(side().token(USER, undefined)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    botToken = undefined
    await expect(side().token(BOT, undefined)).rejects.toThrow('sallyport login --bot')
    expect(await side().hasBot('1')).toBe(false)
  })
})

describe('the address', () => {
  const answering = (url: string, limit = {}) => {
    forwarder.replies.set('GET_GATEWAY', () => ({ url }))
    forwarder.replies.set('GET_GATEWAY_BOT', () => ({
      url,
      shards: 1,
      session_start_limit: { total: 1000, remaining: 10, reset_after: 5000, max_concurrency: 1 },
      ...limit,
    }))
  }

  test('is read from the platform, on behalf of the bot if there is one', async () => {
    answering(WSS)
    expect([await side().url(USER), await side().url(BOT)]).toEqual([WSS, WSS])
    expect(forwarder.calls).toMatchObject([
      { name: 'GET_GATEWAY', credential: undefined },
      { name: 'GET_GATEWAY_BOT', credential: { kind: 'bot', applicationId: '1' } },
    ])
  })

  test('is that of the profile without an answer of the platform, and none after a refusal', async () => {
    const profile = { baseUrl: 'https://example.test/api/v10', gatewayUrl: WSS }
    const failing = (error: 'SERVICE_UNAVAILABLE' | 'INVALID_TOKEN') => () => {
      throw new BridgeError(error, 'no')
    }
    forwarder.replies.set('GET_GATEWAY', failing('SERVICE_UNAVAILABLE'))
    expect(await side(profile).url(USER)).toBe(WSS)
    await expect(side().url(USER)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    forwarder.replies.set('GET_GATEWAY_BOT', failing('INVALID_TOKEN'))
    await expect(side(profile).url(BOT)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
  })

  test.each(['ws://gateway.example.test', 'http://gateway.example.test', 'file:///etc/passwd', 'nowhere'])(
    '%s is refused for an encrypted platform',
    async (url) => {
      answering(url)
      await expect(side().url(USER)).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
      expect(await side({ baseUrl: 'https://example.test/api', gatewayUrl: WSS }).url(USER)).toBe(WSS)
    },
  )

  test('of an unencrypted platform may be unencrypted', async () => {
    answering('ws://127.0.0.1:9/gateway')
    expect(await side({ baseUrl: 'http://127.0.0.1:9/api/v10' }).url(USER)).toBe('ws://127.0.0.1:9/gateway')
  })

  test('is refused to a bot without session starts, or with several shards', async () => {
    answering(WSS, { session_start_limit: { total: 1000, remaining: 0, reset_after: 5000, max_concurrency: 1 } })
    await expect(side().url(BOT)).rejects.toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 5 } })
    answering(WSS, { shards: 2 })
    await expect(side().url(BOT)).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
  })
})

test('flags are those of the application', async () => {
  forwarder.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '1', flags: 1 << 15 }))
  expect(await side().flags('1')).toBe(1 << 15)
})
