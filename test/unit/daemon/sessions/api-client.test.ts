import { BUDGETS } from '@sallyport/core/budgets'
import { ENDPOINTS, LIMITS } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { ApiClient } from '#daemon/src/sessions/api-client.ts'
import { Session } from '#daemon/src/sessions/session.ts'
import { apiClient } from '#test/support/api-client.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { FakeForwarder, FakeTokenStore } from '#test/support/fakes.ts'
import { unreadConnection } from '#test/support/session-connection.ts'

const connection = unreadConnection(7, { trust: 'directory', kind: 'native', executable: '/games/game', file: '1:2:3:4:5', uid: 1000 })
const ROW = ENDPOINTS.GET_CURRENT_USER_GUILDS
const ACCOUNT = { applicationId: '10', uid: 1000, userId: '5' }

let clock: FakeClock
let forwarder: FakeForwarder
let tokenStore: FakeTokenStore
let session: Session
let api: ApiClient
let touched: readonly string[]
/** Answers of the platform that never come. */
const silence = () => new Promise(() => {})
beforeEach(() => {
  clock = new FakeClock()
  forwarder = new FakeForwarder()
  tokenStore = new FakeTokenStore()
  const botTokens = { of: async () => new Secret('bot'), onRejected: async () => 'stored' as const }
  ;({ api, touched } = apiClient({ clock, forwarder, tokenStore, botTokens }))
  session = new Session(connection, { applicationId: '10' })
  signIn(['guilds'])
  forwarder.replies.set(ROW.name, () => [])
})

function signIn(scopes: readonly string[], isManaged = false): void {
  const signedIn = { userId: '5', username: 'ann', applicationName: 'Game', accessToken: new Secret('own'), isManaged, expiresAt: 0 }
  session.signIn(signedIn, scopes)
}

describe('a call as a session', () => {
  test('has the token of its user and the deadline of the session', async () => {
    session.deadlineMs = 2000
    expect(await api.asSession(session, ROW, { with_counts: true })).toEqual([])
    expect(forwarder.calls).toMatchObject([
      { name: ROW.name, args: { with_counts: true }, credential: { kind: 'user', userId: '5' }, deadlineAt: clock.elapsed() + 2000 },
    ])
    expect(clock.pending).toBe(0)
  })
  test('is made again with a refreshed token when the platform refuses the stored one', async () => {
    const account = { applicationId: '10', uid: session.uid, userId: '5' }
    await tokenStore.store(account, { ...account, accessToken: new Secret('stored'), scopes: ['guilds'], expiresAt: 0 })
    signIn(['guilds'], true)
    tokenStore.renewal = () => new Secret('refreshed')
    forwarder.replies.set(ROW.name, () => {
      const { credential } = forwarder.calls.at(-1) ?? {}
      if (credential?.token.reveal() === 'stored') throw new BridgeError('INVALID_TOKEN', 'No.', { http_status: 401 })
      return []
    })
    expect(await api.asSession(session, ROW, {})).toEqual([])
    expect(forwarder.calls.map(({ credential }) => credential?.token.reveal())).toEqual(['stored', 'refreshed'])
  })
  test('that is refused with the token of its game is not made again', async () => {
    tokenStore.renewal = () => new Secret('refreshed')
    forwarder.replies.set(ROW.name, () => {
      throw new BridgeError('INVALID_TOKEN', 'No.', { http_status: 401 })
    })
    await expect(api.asSession(session, ROW, {})).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    expect(forwarder.calls).toHaveLength(1)
  })
  test('touches the grant of the program once a day', async () => {
    for (const wait of [0, 86_399_999, 1]) {
      clock.advance(wait)
      await api.asSession(session, ROW, {})
    }
    expect(touched).toEqual(['5', '5'])
  })
  test('is not sent without the scope', async () => {
    signIn(['identify'])
    await expect(api.asSession(session, ROW, {})).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    expect(forwarder.calls).toEqual([])
  })
  test('is not sent after a sign-out', async () => {
    session.signOut()
    await expect(api.asSession(session, ROW, {})).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    expect(forwarder.calls).toEqual([])
  })
  test('is not sent to an operation that the platform no longer has', async () => {
    await expect(
      api.asSessionWithin({ cancelSignal: new AbortController().signal, deadlineAt: 0 }, session, ENDPOINTS.CREATE_GUILD, { name: 'x' }),
    ).rejects.toMatchObject({ error: 'INVALID_COMMAND', message: expect.stringContaining('15 July 2025') as string })
    expect(forwarder.calls).toEqual([])
  })
  test('fails at the deadline of the session, which cancels the request', async () => {
    let isCancelled = false
    forwarder.replies.set(ROW.name, (_, signal) => {
      signal.addEventListener('abort', { handleEvent: () => void (isCancelled = true) })
      return silence()
    })
    session.deadlineMs = 2000
    const outcome = expect(api.asSession(session, ROW, {})).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: 'No response within 2000 ms; try again, or set a longer time with SET_HTTP_REQUEST_TIMEOUT.',
    })
    await settled()
    clock.advance(2000)
    await outcome
    expect(isCancelled).toBe(true)
  })
  test('is cancelled when the session ends, but not that of a detached copy', async () => {
    forwarder.replies.set(ROW.name, silence)
    const own = expect(api.asSession(session, ROW, {})).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const detached = expect(api.asSession(session.detached(), ROW, {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    await settled()
    session.cancelCalls()
    await own
    expect(clock.pending).toBe(1)
    clock.advance(LIMITS.deadlineMs.value)
    await detached
  })
  test('that the platform rejects too often is not sent for a while', async () => {
    forwarder.replies.set(ROW.name, () => Promise.reject(new BridgeError('INVALID_PERMISSIONS', 'No.', { http_status: 403 })))
    const most = BUDGETS.authenticatedFailuresPerProgram.value
    for (let count = 0; count < most; count++)
      await expect(api.asSession(session, ROW, {})).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    await expect(api.asSession(session, ROW, {})).rejects.toMatchObject({ error: 'RATE_LIMITED' })
    expect(forwarder.calls).toHaveLength(most)
  })
  test('as part of another call sets no timer', async () => {
    forwarder.replies.set(ROW.name, silence)
    void api.asSessionWithin({ cancelSignal: new AbortController().signal, deadlineAt: clock.elapsed() + 10 }, session, ROW, {})
    await settled()
    expect(forwarder.calls).toMatchObject([{ deadlineAt: clock.elapsed() + 10 }])
    expect(clock.pending).toBe(0)
  })
})

describe('the plan of a call', () => {
  const OF_BOTH = ENDPOINTS.LIST_ENTITLEMENTS
  const own = { application_id: '10' }
  const aboutOther = { ...own, user_id: '6' }
  const limits = () => ({ cancelSignal: new AbortController().signal, deadlineAt: clock.elapsed() + 10 })

  test.each([
    ['a row for users', ROW, {}, 'user'],
    ['a row of both', OF_BOTH, own, 'user'],
    ['a row of both, about another user', OF_BOTH, aboutOther, 'bot'],
    ['a row for bots', ENDPOINTS.LIST_SKUS, own, 'bot'],
    ["a row about the bot's own objects", ENDPOINTS.DELETE_TEST_ENTITLEMENT, own, 'bot-if-stored'],
  ] as const)('%s, signed in, needs no consent', (_, row, args, token) => {
    expect(api.plan(session, row, args)).toEqual({ token, needsConsent: false })
  })
  test.each([
    ['a row for users', ROW, {}, 'user', false],
    ['a row of both', OF_BOTH, own, 'bot-if-stored', true],
    ['a row for bots', ENDPOINTS.LIST_SKUS, own, 'bot', true],
    ['a row that the platform no longer has', ENDPOINTS.CREATE_GUILD, {}, 'bot', false],
  ] as const)('%s, signed out, needs consent for the bot only', (_, row, args, token, needsConsent) => {
    session.signOut()
    expect(api.plan(session, row, args)).toEqual({ token, needsConsent })
  })
  test('is the only part of a call that reads the arguments that select the token', async () => {
    let reads = 0
    const args = {
      ...own,
      get user_id() {
        reads += 1
        return '5'
      },
    }
    signIn(['applications.entitlements'])
    forwarder.replies.set(OF_BOTH.name, () => [])
    await api.asSessionWithin(limits(), session, OF_BOTH, args, api.plan(session, OF_BOTH, args))
    expect(reads).toBe(1)
    expect(forwarder.calls).toMatchObject([{ credential: { kind: 'user' } }])
  })
  test('never turns to the token of a user who signed in after the call', async () => {
    ;({ api } = apiClient({ clock, forwarder, tokenStore, botTokens: { of: async () => undefined, onRejected: async () => 'stored' } }))
    session.signOut()
    const plan = api.plan(session, OF_BOTH, aboutOther)
    signIn(['applications.entitlements'])
    const waited = api.asSessionWithin(limits(), session, OF_BOTH, aboutOther, plan)
    await expect(waited).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS', message: expect.stringContaining('sign in') as string })
    expect(forwarder.calls).toEqual([])
  })
})

describe('a call as an account', () => {
  test('has the stored token', async () => {
    await tokenStore.store(ACCOUNT, { ...ACCOUNT, accessToken: new Secret('kept'), scopes: [], expiresAt: 0 })
    await api.asAccount(ACCOUNT, ROW, {})
    expect(forwarder.calls[0]?.credential?.token.reveal()).toBe('kept')
    expect(clock.pending).toBe(0)
  })
  test('is not sent without one', async () => {
    await expect(api.asAccount(ACCOUNT, ROW, {})).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    expect(forwarder.calls).toEqual([])
  })
  test('fails at its own deadline', async () => {
    forwarder.replies.set(ROW.name, silence)
    await tokenStore.store(ACCOUNT, { ...ACCOUNT, accessToken: new Secret('kept'), scopes: [], expiresAt: 0 })
    const ms = LIMITS.deadlineMs.value
    const outcome = expect(api.asAccount(ACCOUNT, ROW, {})).rejects.toMatchObject({ message: `No response within ${ms} ms; try again.` })
    await settled()
    clock.advance(ms)
    await outcome
  })
})

test('a call as a bot has its token; a rejected one comes with advice for the operator', async () => {
  const limits = { cancelSignal: new AbortController().signal, deadlineAt: 5 }
  forwarder.replies.set('GET_GATEWAY_BOT', () => ({ url: 'wss://gateway.example' }))
  expect(await api.asBot('10', ENDPOINTS.GET_GATEWAY_BOT, {}, limits)).toEqual({ url: 'wss://gateway.example' })
  expect(forwarder.calls).toMatchObject([{ credential: { kind: 'bot', applicationId: '10' }, deadlineAt: 5 }])
  forwarder.replies.set('GET_GATEWAY_BOT', () => Promise.reject(new BridgeError('INVALID_TOKEN', 'No.', { http_status: 401 })))
  await expect(api.asBot('10', ENDPOINTS.GET_GATEWAY_BOT, {}, limits)).rejects.toMatchObject({
    message: expect.stringContaining('the bridge deleted it') as string,
  })
})
