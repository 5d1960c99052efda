/** Validation of the authorization query. */
import { describe, expect, it } from 'vitest'
import { parseAuthorize } from '@sallyport/sandbox/oauth/authorize-request'
import { formActionSource, redirectKind, withParameters } from '@sallyport/sandbox/oauth/redirect-uri'
import { BASE_QUERY, pkce } from '../harness.ts'

const parse = (change: Record<string, string | undefined>) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...BASE_QUERY, ...change })) if (value !== undefined) query.set(name, value)
  return parseAuthorize(query, 'discord', () => undefined)
}

describe('a query in order', () => {
  it('keeps what was asked, each scope once', () => {
    const { challenge } = pkce()
    expect(parse({ scope: 'identify  guilds identify', code_challenge: challenge, code_challenge_method: 'S256', nonce: 'n' })).toEqual({
      kind: 'request',
      request: {
        applicationId: BASE_QUERY.client_id,
        redirectUri: BASE_QUERY.redirect_uri,
        scopes: ['identify', 'guilds'],
        state: 'xyz',
        nonce: 'n',
        codeChallenge: challenge,
        prompt: 'consent',
        loginHint: undefined,
        rpcToken: undefined,
        install: { isGuildFixed: false },
      },
    })
  })
  it('keeps what is asked for the bot and the commands of the application', { tags: ['2.1-15'] }, () => {
    const asked = { permissions: '2048', guild_id: '1', channel_id: '2', disable_guild_select: 'True', username: 'Guest' }
    const install = { permissions: '2048', guildId: '1', channelId: '2', isGuildFixed: true, guestName: 'Guest', integrationType: 1 }
    expect(parse({ ...asked, scope: 'bot applications.commands', integration_type: '1' })).toMatchObject({ request: { install } })
  })
  it('ignores the installation context without commands to install', () => {
    expect(parse({ integration_type: '1' })).toMatchObject({ request: { install: { integrationType: undefined } } })
  })
})

describe('a query with a fault', () => {
  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'unsupported_response_type'],
    [{ scope: undefined }, 'invalid_scope'],
    [{ scope: 'identify made.up' }, 'invalid_scope'],
    [{ scope: 'rpc.local' }, 'invalid_scope'],
    [{ scope: 'toString' }, 'invalid_scope'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: pkce().challenge }, 'invalid_request'],
    [{ code_challenge: pkce().challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ prompt: 'login' }, 'invalid_request'],
    [{ integration_type: '2', scope: 'applications.commands' }, 'invalid_request'],
    [{ permissions: 'all' }, 'invalid_request'],
    [{ guild_id: 'x' }, 'invalid_request'],
    [{ redirect_uri: 'mygame:/authorize/callback' }, 'invalid_request'],
    [{ rpc_token: 'x', scope: 'rpc messages.read' }, 'invalid_scope'],
  ])('%o goes back to the application as %s', (change, error) => {
    expect(parse(change)).toMatchObject({ kind: 'redirect', error, state: 'xyz' })
  })

  it.each([
    [{ client_id: undefined }],
    [{ client_id: 'abc' }],
    [{ client_id: '99999999999999999999' }],
    [{ redirect_uri: 'https://evil.example/cb' }],
  ])('%o is shown on the page, without a redirect', (change) => {
    expect(parse(change).kind).toBe('problem')
  })

  it('a duplicate parameter is shown on the page', () => {
    const query = new URLSearchParams(BASE_QUERY)
    query.append('redirect_uri', 'http://127.0.0.1/other')
    expect(parseAuthorize(query, 'discord', () => undefined).kind).toBe('problem')
  })
})

describe('redirects', () => {
  it.each([
    ['http://127.0.0.1/callback', 'web'],
    ['http://127.0.0.1:65000/a/b?c=d', 'web'],
    ['http://localhost:1/x', 'web'],
    ['http://[::1]:1/x', 'web'],
    ['discord-123:/authorize/callback', 'custom'],
    ['My.Game+1:/authorize/callback', 'custom'],
    ['discord-1234:/authorize/callback', undefined],
    ['Discord-9:/authorize/callback', undefined],
    ['discord-edition:/authorize/callback', 'custom'],
    ['https://127.0.0.1/callback', undefined],
    ['http://127.0.0.1.evil.example/', undefined],
    ['http://user:pass@127.0.0.1/', undefined],
    ['http://127.0.0.1/#fragment', undefined],
    ['javascript:/authorize/callback', undefined],
    ['JAVASCRIPT:/authorize/callback', undefined],
    ['https:/authorize/callback', undefined],
    ['mygame:/other', undefined],
    ['mygame://authorize/callback', undefined],
    ['undefined', undefined],
    ['', undefined],
  ])('%s is %s', (uri, kind) => {
    expect(redirectKind(uri, { applicationId: '123', customSchemePrefix: 'discord' })).toBe(kind)
  })

  it('keep the query they come with', () => {
    expect(withParameters('http://127.0.0.1/?a=1', { code: 'c d', state: undefined })).toBe('http://127.0.0.1/?a=1&code=c+d')
  })

  it('name their source for form-action', () => {
    expect(formActionSource('http://127.0.0.1:5/x;y')).toBe('http://127.0.0.1:5')
    expect(formActionSource('mygame:/authorize/callback')).toBe('mygame:')
    expect(formActionSource('http://[::1]:5/')).toBe('http:')
  })
})
