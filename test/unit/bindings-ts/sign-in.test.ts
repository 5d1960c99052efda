/** Sign-in: what is sent at each step, and what is never sent. */
import { createHash } from 'node:crypto'
import {
  CallError,
  createPkce,
  DEFAULT_COMMUNICATION_SCOPES,
  DEFAULT_PRESENCE_SCOPES,
  mapActivityUrl,
  SallyportClient,
} from '@sallyport/client'
import { EVENTS } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { matches, keyOf } from '#bindings/ts/src/matching.ts'
import { challengeOf } from '#bindings/ts/src/pkce.ts'
import { AUTOMATIC_EVENTS } from '#bindings/ts/src/subscriptions.ts'
import { BRIDGE, FakeServer, temporaryDirectory } from './fake-server.ts'

let cleanup: (() => unknown)[] = []
let server: FakeServer
let client: SallyportClient

beforeEach(async () => {
  const { dir, remove } = await temporaryDirectory()
  server = await new FakeServer({ dir, bridge: BRIDGE }).start()
  client = await SallyportClient.connect({ applicationId: '123', runtimeDir: dir })
  cleanup = [remove, () => server.kill(), () => client.close()]
})

afterEach(async () => {
  for (const undo of cleanup.toReversed()) await undo()
})

test('the verifier of RFC 7636 appendix B has its challenge; each new pair matches and is unique', {
  tags: ['2.1-14', '4.3-3', '5-2'],
}, () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  const pair = createPkce()
  expect(pair.verifier).toMatch(/^[A-Za-z0-9._~-]{43,128}$/)
  expect(pair).toMatchObject({ method: 'S256', challenge: challengeOf(pair.verifier) })
  expect(createPkce().verifier).not.toBe(pair.verifier)
})

test('authorizes with the challenge, exchanges with the verifier, authenticates with the stored grant', { tags: ['5-2'] }, async () => {
  server.answer = ({ cmd }) => ({
    data: cmd === 'AUTHORIZE' ? { code: 'c0de', redirect_uri: 'http://127.0.0.1/callback' } : { user: { username: 'ada' } },
  })
  const accounts: string[] = []
  client.onAccount((account) => accounts.push(account))
  expect(await client.askToSignIn({ scopes: ['openid', 'identify'], prompt: 'none' })).toEqual({ user: { username: 'ada' } })
  const [authorize, exchange, authenticate] = server.last.received
  expect(authorize).toMatchObject({
    cmd: 'AUTHORIZE',
    args: { client_id: '123', response_type: 'code', scopes: ['openid', 'identify'], code_challenge_method: 'S256', prompt: 'none' },
  })
  expect(exchange).toMatchObject({ cmd: 'GET_TOKEN', args: { code: 'c0de', redirect_uri: 'http://127.0.0.1/callback' } })
  const verifier = String(exchange?.args['code_verifier'])
  expect(authorize?.args['code_challenge']).toBe(createHash('sha256').update(verifier).digest('base64url'))
  expect(JSON.stringify(authorize)).not.toContain(verifier)
  expect(authenticate).toMatchObject({ cmd: 'AUTHENTICATE', args: {} })
  expect(accounts).toEqual(['signed-in'])
})

test('authenticates with tokens that the daemon could not store, and reports it', async () => {
  server.answer = ({ cmd }) => ({
    data: {
      AUTHORIZE: { code: 'c0de', redirect_uri: 'http://127.0.0.1/callback' },
      GET_TOKEN: { access_token: 'given', kept: false, not_kept_reason: 'The reason.' },
      AUTHENTICATE: { user: { username: 'ada' } },
    }[cmd],
  })
  expect(await client.askToSignIn({ scopes: ['identify'] })).toEqual({
    user: { username: 'ada' },
    kept: false,
    not_kept_reason: 'The reason.',
  })
  expect(server.last.received.at(-1)).toMatchObject({ cmd: 'AUTHENTICATE', args: { access_token: 'given' } })
})

/** Errors of a first AUTHENTICATE, with what the client then sends. */
test.for([
  ['nothing stored', 4009, ['AUTHENTICATE', 'AUTHORIZE', 'GET_TOKEN', 'AUTHENTICATE']],
  ['a rate limit', 5011, ['AUTHENTICATE']],
  ['an unreachable platform', 1001, ['AUTHENTICATE']],
  ['a refusal', 4006, ['AUTHENTICATE']],
] as const)('a sign-in asks the player only if nothing valid is stored: %s', async ([, code, sent]) => {
  let count = 0
  server.answer = ({ cmd }) => {
    count += 1
    return count === 1
      ? { evt: 'ERROR', data: { code, message: 'No.' } }
      : { data: cmd === 'AUTHORIZE' ? { code: 'c0de', redirect_uri: 'http://127.0.0.1/callback' } : { user: { username: 'ada' } } }
  }
  const outcome = await client.signIn({ scopes: ['identify'] }).catch((error: unknown) => error)
  expect(server.last.received.map(({ cmd }) => cmd)).toEqual(sent)
  expect(outcome).toMatchObject(sent.length > 1 ? { user: { username: 'ada' } } : { code })
})

test('signing out makes the bridge forget the tokens, and the account says so', async () => {
  await client.signInSilently()
  await client.signOut()
  expect(server.last.received.at(-1)).toMatchObject({ cmd: 'FORGET_TOKENS' })
  expect(client.account).toBe('signed-out')
})

test('a player who declines leaves the game signed out', async () => {
  server.answer = () => ({ evt: 'ERROR', data: { code: 5000, message: 'OAuth2 Error: access_denied: no' } })
  const error = await client.askToSignIn({ scopes: ['openid'] }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CallError)
  expect(error).toMatchObject({ errorName: 'OAUTH2_ERROR' })
  expect(server.commands()).toHaveLength(1)
  expect(client.account).toBe('signed-out')
})

test('reports a server without the exchange', async () => {
  server.answer = () => ({ data: { code: 'c0de' } })
  await expect(client.askToSignIn({ scopes: ['openid'] })).rejects.toThrow('has no redirect_uri; signing in requires a Sallyport bridge')
})

test('a refused subscription rejects only its handle, and is retried after the sign-in', async () => {
  server.answer = ({ cmd }) => (cmd === 'SUBSCRIBE' ? { evt: 'ERROR', data: { code: 4006, message: 'needs rpc' } } : { data: {} })
  const received: unknown[] = []
  const subscription = client.on('GUILD_CREATE', (data) => received.push(data))
  await expect(subscription.active).rejects.toMatchObject({ errorName: 'INVALID_PERMISSIONS' })
  server.answer = () => ({ data: {} })
  await client.signInSilently()
  await server.until(() => server.commands().length === 3)
  expect(server.commands()).toEqual(['SUBSCRIBE GUILD_CREATE', 'AUTHENTICATE', 'SUBSCRIBE GUILD_CREATE'])
  server.last.dispatch('GUILD_CREATE', { id: '1', name: 'Pier' })
  await client.request('SYNC')
  expect(received).toEqual([{ id: '1', name: 'Pier' }])
})

test('the automatic events are those of the EVENTS table', () => {
  const automatic = Object.values(EVENTS).filter(({ delivery }) => delivery === 'automatic')
  expect(automatic.map(({ name }) => name).sort()).toEqual([...AUTOMATIC_EVENTS].sort())
})

test('equal arguments are one subscription in any spelling', () => {
  expect(keyOf('E', { a: '1', b: 2 })).toBe(keyOf('E', { b: 2, a: '1' }))
  expect(keyOf('E', { a: null })).toBe(keyOf('E', {}))
  expect(keyOf('E', {})).toBe(keyOf('E', undefined))
  expect(keyOf('E', { a: undefined })).toBe(keyOf('E', {}))
  expect(keyOf('E', { a: '1' })).not.toBe(keyOf('E', { a: '2' }))
})

test('an event goes to all subscriptions that it matches', () => {
  const args = { guild_id: '7' }
  expect(matches(args, { guild: { id: '7' } })).toBe(true)
  expect(matches(args, { guild: { id: '8' } })).toBe(false)
  expect(matches(args, { guild_id: '8' })).toBe(false)
  expect(matches(args, { user: { id: '8' } })).toBe(true)
  expect(matches(args, null)).toBe(true)
  expect(matches(undefined, { guild_id: '8' })).toBe(true)
  expect(matches({ channel_id: null }, { channel_id: '8' })).toBe(true)
})

test('currentUser is the signed-in user, and undefined before, after, and while disconnected', { tags: ['4.3-23'] }, async () => {
  server.answer = ({ cmd }) => ({ data: cmd === 'AUTHENTICATE' ? { user: { id: '1', username: 'ada' } } : null })
  expect(client.currentUser).toBeUndefined()
  await client.signInSilently()
  expect(client.currentUser).toEqual({ id: '1', username: 'ada' })
  await client.call('FORGET_TOKENS')
  expect(client.currentUser).toBeUndefined()
  await client.signInSilently()
  const lost = new Promise<void>((resolve) => client.onState(({ name }) => name !== 'ready' && resolve()))
  await server.kill()
  await lost
  expect(client.currentUser).toBeUndefined()
})

test('the package exports the parts of a sign-in', { tags: ['2.1-3', '2.1-4', '4.3-4', '4.3-5'] }, () => {
  expect([DEFAULT_COMMUNICATION_SCOPES, DEFAULT_PRESENCE_SCOPES].map((scopes) => scopes.join(' '))).toEqual([
    'openid sdk.social_layer',
    'openid sdk.social_layer_presence',
  ])
  const options = { applicationId: '1', proxyHost: 'proxy.example', mappings: [{ prefix: '/api', target: 'game.example' }] }
  expect(mapActivityUrl('https://game.example/me', options)).toEqual({ url: 'https://1.proxy.example/api/me' })
})
