import { beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { Credentials, type SessionSignIn } from '#daemon/src/auth/credentials.ts'
import { FakeTokenStore } from '#test/support/fakes.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const APPLICATION = '10'
const ACCOUNT = { applicationId: APPLICATION, uid: 1000, userId: '5' }
const limits = { cancelSignal: new AbortController().signal, deadlineAt: 0 }
const BOT = { kind: 'bot', applicationId: APPLICATION, token: new Secret('bot') } as const
const refused = new BridgeError('INVALID_TOKEN', 'No.', { http_status: 401 })

let tokenStore: FakeTokenStore
let log: RecordingLog
let botToken: Secret<string> | undefined
/** Where the rejected bot token came from. */
let rejected: 'stored' | 'configured' | undefined
let credentials: Credentials
beforeEach(() => {
  tokenStore = new FakeTokenStore()
  log = new RecordingLog()
  botToken = undefined
  rejected = undefined
  const botTokens = { of: async () => botToken, onRejected: async () => rejected }
  credentials = new Credentials({ tokenStore, botTokens, log })
})

const store = (token: string, account = ACCOUNT) =>
  tokenStore.store(account, { ...account, accessToken: new Secret(token), scopes: [], expiresAt: 0 })
const signIn = (isManaged: boolean): SessionSignIn => ({
  applicationId: APPLICATION,
  uid: 1000,
  signedIn: { userId: '5', accessToken: new Secret('own'), isManaged },
})

describe('a session', () => {
  test('uses the token that its game supplied, without a promise', () => {
    expect(credentials.forSession(signIn(false), limits.cancelSignal)).toEqual({
      kind: 'user',
      applicationId: APPLICATION,
      userId: '5',
      token: new Secret('own'),
    })
  })
  test('uses the stored token of its account, as it is now', async () => {
    for (const token of ['first', 'refreshed']) {
      await store(token)
      expect((await credentials.forSession(signIn(true), limits.cancelSignal)).token.reveal()).toBe(token)
    }
  })
  test('before AUTHENTICATE has none', () => {
    const session = { ...signIn(false), signedIn: undefined }
    expect(() => credentials.forSession(session, limits.cancelSignal)).toThrow(expect.objectContaining({ error: 'INVALID_PERMISSIONS' }))
  })
  test('whose tokens were deleted, or belong to another system user, is INVALID_TOKEN', async () => {
    await store('of another system user', { ...ACCOUNT, uid: 1001 })
    await expect(credentials.forSession(signIn(true), limits.cancelSignal)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
  })
})

test('an account has its stored token, or INVALID_TOKEN', async () => {
  await expect(credentials.forAccount(ACCOUNT, limits.cancelSignal)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
  await store('kept')
  expect(await credentials.forAccount(ACCOUNT, limits.cancelSignal)).toMatchObject({
    kind: 'user',
    applicationId: APPLICATION,
    userId: '5',
  })
})

test('a bot has its token, or an error that says how to store one', async () => {
  await expect(credentials.forBot(APPLICATION, limits)).rejects.toMatchObject({
    error: 'INVALID_PERMISSIONS',
    message: expect.stringContaining('sallyport login --bot') as string,
  })
  expect(await credentials.hasBot(APPLICATION, limits)).toBe(false)
  botToken = new Secret('bot')
  expect(await credentials.forBot(APPLICATION, limits)).toEqual(BOT)
  expect(await credentials.hasBot(APPLICATION, limits)).toBe(true)
})

describe('the error of a failed call', () => {
  test.each(['stored', 'configured'] as const)('with a %s bot token that the platform no longer accepts has advice', async (origin) => {
    rejected = origin
    expect(await credentials.errorOf(refused, BOT, limits)).toMatchObject({
      error: 'INVALID_TOKEN',
      message: expect.stringContaining(`application ${APPLICATION}`) as string,
      detail: { http_status: 401 },
      cause: refused,
    })
    expect(log.lines).toMatchObject([{ event: 'bot-token-refused', fields: { application: APPLICATION, was: origin } }])
  })
  test.each([
    ['a bot token that is still valid', refused, BOT],
    ["a user's token", refused, { ...BOT, kind: 'user', userId: '5' } as const],
    ['no token', refused, undefined],
    ['another error', new BridgeError('INVALID_PERMISSIONS', 'No.', { http_status: 403 }), BOT],
  ])('with %s stays', async (what, failure, credential) => {
    rejected = what === 'a bot token that is still valid' ? undefined : 'stored'
    expect(await credentials.errorOf(failure, credential, limits)).toBe(failure)
    expect(log.lines).toEqual([])
  })
})
