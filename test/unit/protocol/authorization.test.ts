/** Arguments of the sign-in commands. */
import { COMMANDS, LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const accepts = (
  name: 'AUTHORIZE' | 'AUTHENTICATE' | 'GET_TOKEN' | 'REFRESH_TOKEN' | 'REVOKE_TOKEN' | 'SET_HTTP_REQUEST_TIMEOUT',
  args: unknown,
) => COMMANDS[name].args.safeParse(args).success

describe('AUTHORIZE', () => {
  it('accepts scope and scopes, as a list or as text', { tags: ['2.1-2'] }, () => {
    for (const args of [{ scopes: ['rpc', 'identify'] }, { scope: ['rpc'] }, { scopes: 'openid sdk.social_layer' }, { scope: 'rpc' }, {}])
      expect(accepts('AUTHORIZE', args)).toBe(true)
    for (const args of [{ scopes: [5] }, { scopes: {} }]) expect(accepts('AUTHORIZE', args)).toBe(false)
  })

  it('accepts all documented arguments', {
    tags: ['4.3-1', '2.1-1', '2.1-2', '2.1-7', '2.1-9', '2.1-11', '2.1-12', '2.1-15', '2.1-16', '5-1'],
  }, () => {
    const all = {
      client_id: '42',
      scopes: ['rpc'],
      response_type: 'code',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 's',
      nonce: 'n',
      prompt: 'none',
      integration_type: 1,
      custom_scheme: 'my-game',
      rpc_token: 't',
      username: 'u',
      redirect_uri: 'http://127.0.0.1',
      permissions: '8',
      guild_id: '1',
      channel_id: '2',
      disable_guild_select: true,
      pid: 7,
    }
    expect(accepts('AUTHORIZE', all)).toBe(true)
    expect(COMMANDS.AUTHORIZE.args.parse({ ...all, client_secret: 's', grant_type: 'authorization_code' })).toEqual(all)
  })

  it('accepts only valid S256 challenges', { tags: ['2.1-12'] }, () => {
    for (const bad of [
      { code_challenge_method: 'plain' },
      { code_challenge: `${CHALLENGE}=` },
      { code_challenge: 'short' },
      { response_type: 'token' },
      { prompt: 'login' },
      { integration_type: 2 },
      { custom_scheme: 'a:b' },
      { client_id: '../../etc' },
    ])
      expect(accepts('AUTHORIZE', { scopes: ['rpc'], ...bad }), JSON.stringify(bad)).toBe(false)
  })
})

describe('tokens', () => {
  it('AUTHENTICATE accepts a token, or none for a stored grant', () => {
    expect([accepts('AUTHENTICATE', { access_token: 'abc' }), accepts('AUTHENTICATE', {}), accepts('AUTHENTICATE', undefined)]).toEqual([
      true,
      true,
      true,
    ])
    expect(
      [accepts('AUTHENTICATE', { access_token: '' }), accepts('AUTHENTICATE', { access_token: 5 })],
      'empty: an error of its own',
    ).toEqual([true, false])
  })

  it('GET_TOKEN requires code, verifier and redirect URI', { tags: ['2.1-13', '5-2'] }, () => {
    const args = { code: 'c', code_verifier: 'v'.repeat(43), redirect_uri: 'http://127.0.0.1:5000/callback' }
    expect([accepts('GET_TOKEN', args), accepts('GET_TOKEN', { ...args, application_id: '42', code_verifier: 'v'.repeat(128) })]).toEqual([
      true,
      true,
    ])
    for (const bad of [
      { code_verifier: 'v'.repeat(42) },
      { code_verifier: 'v'.repeat(129) },
      { code_verifier: `${'v'.repeat(43)}!` },
      { code: '' },
      { redirect_uri: undefined },
    ])
      expect(accepts('GET_TOKEN', { ...args, ...bad }), JSON.stringify(bad)).toBe(false)
  })

  it('REFRESH_TOKEN and REVOKE_TOKEN require a token', () => {
    expect([accepts('REFRESH_TOKEN', { refresh_token: 'r' }), accepts('REVOKE_TOKEN', { token: 't', application_id: '42' })]).toEqual([
      true,
      true,
    ])
    expect([accepts('REFRESH_TOKEN', {}), accepts('REVOKE_TOKEN', {}), accepts('REVOKE_TOKEN', { token: '' })]).toEqual([
      false,
      false,
      false,
    ])
  })
})

it('SET_HTTP_REQUEST_TIMEOUT is limited by the maximum deadline', () => {
  const longest = LIMITS.maxDeadlineMs.value
  expect([accepts('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 1 }), accepts('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: longest })]).toEqual([
    true,
    true,
  ])
  expect([
    accepts('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 0 }),
    accepts('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: longest + 1 }),
  ]).toEqual([false, false])
})
