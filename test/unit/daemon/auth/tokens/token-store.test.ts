import { accountText } from '@sallyport/core/account-key'
import { describe, expect, it } from 'vitest'
import type { TokenAccount, TokenEndpoint, TokenGrant } from '#daemon/src/auth/auth.ts'
import { OAuthError } from '#daemon/src/auth/oauth/oauth-error.ts'
import { createTokenStore } from '#daemon/src/auth/tokens/token-store.ts'
import { createMemoryTokens } from '#test/support/memory-vault.ts'
import type { TokenSet, TokenCollection } from '#daemon/src/auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { silentLogger } from '#test/support/silent-logger.ts'
import { Secret } from '@sallyport/core/secret'
import { SettlingClock, settled } from '#test/support/fake-clock.ts'

const never = new AbortController().signal
const HOUR = 3_600_000
const game: TokenAccount = { applicationId: '123', uid: 1000, userId: 'ada' }

class Endpoint implements TokenEndpoint {
  readonly refreshes: { token: string; answer: PromiseWithResolvers<TokenGrant>; signal: AbortSignal }[] = []
  refresh: TokenEndpoint['refresh'] = ({ refreshToken }, signal) => {
    const answer = Promise.withResolvers<TokenGrant>()
    this.refreshes.push({ token: refreshToken.reveal(), answer, signal })
    return answer.promise
  }
  exchange: TokenEndpoint['exchange'] = () => Promise.reject(new Error('not used'))
  authorizeDevice: TokenEndpoint['authorizeDevice'] = () => Promise.reject(new Error('not used'))
  exchangeDevice: TokenEndpoint['exchangeDevice'] = () => Promise.reject(new Error('not used'))
  revoke: TokenEndpoint['revoke'] = () => Promise.reject(new Error('not used'))

  grant(index: number, over: Partial<TokenGrant> = {}): void {
    const name = `${index + 2}`
    this.refreshes[index]?.answer.resolve({
      accessToken: new Secret(`access-${name}`),
      refreshToken: new Secret(`refresh-${name}`),
      scopes: [],
      expiresIn: 3600,
      ...over,
    })
  }
}

function world({ vault = createMemoryTokens(), platform = 'test' }: { vault?: TokenCollection; platform?: string } = {}) {
  const clock = new SettlingClock()
  const tokenEndpoint = new Endpoint()
  const revoked: string[] = []
  const forgotten: string[] = []
  const tokenStore = createTokenStore({
    platform,
    vault,
    tokenEndpoint,
    clock,
    log: silentLogger,
    random: () => 0,
    onEnded: (account, cause) => revoked.push(`${accountText(account)}:${cause}`),
    onDeleted: (account) => forgotten.push(accountText(account)),
  })
  const tokens = (over: Partial<TokenSet> = {}): TokenSet => ({
    applicationId: '123',
    userId: 'ada',
    accessToken: new Secret('access-1'),
    refreshToken: new Secret('refresh-1'),
    scopes: ['identify'],
    expiresAt: clock.now() + HOUR,
    ...over,
  })
  return { clock, endpoint: tokenEndpoint, tokenStore, vault, revoked, forgotten, tokens }
}

const shown = (tokens: TokenSet | undefined) =>
  tokens === undefined ? undefined : [tokens.accessToken.reveal(), tokens.refreshToken?.reveal(), tokens.scopes.join(' ')]

describe('a stored access token that the platform rejects before it expires', () => {
  it('is refreshed once, also for many who ask', async () => {
    const { tokenStore, tokens, endpoint } = world()
    await tokenStore.store(game, tokens())
    const asked = [1, 2, 3].map(() => tokenStore.renew(game, new Secret('access-1'), never))
    await settled()
    endpoint.grant(0)
    expect(await Promise.all(asked)).toEqual([true, true, true])
    expect(endpoint.refreshes).toHaveLength(1)
    expect(shown(await tokenStore.current(game, never))).toEqual(['access-2', 'refresh-2', 'identify'])
  })

  it('is not refreshed when another has replaced it, or when there is nothing to refresh with', async () => {
    const { tokenStore, tokens, endpoint } = world()
    expect(await tokenStore.renew(game, new Secret('access-1'), never)).toBe(false)
    await tokenStore.store(game, tokens())
    expect(await tokenStore.renew(game, new Secret('access-0'), never)).toBe(true)
    const { refreshToken: _, ...unrefreshable } = tokens()
    await tokenStore.store(game, unrefreshable)
    expect(await tokenStore.renew(game, new Secret('access-1'), never)).toBe(false)
    expect(endpoint.refreshes).toEqual([])
  })

  it('is not refreshed twice within a minute, unless another was stored', async () => {
    const { tokenStore, tokens, endpoint, clock } = world()
    await tokenStore.store(game, tokens())
    const first = tokenStore.renew(game, new Secret('access-1'), never)
    await settled()
    endpoint.grant(0)
    await first
    expect(await tokenStore.renew(game, new Secret('access-2'), never)).toBe(false)
    await tokenStore.store(game, tokens())
    const again = tokenStore.renew(game, new Secret('access-1'), never)
    await settled()
    endpoint.grant(1)
    expect(await again).toBe(true)
    await clock.advance(60_000)
    const later = tokenStore.renew(game, new Secret('access-3'), never)
    await settled()
    endpoint.grant(2)
    expect(await later).toBe(true)
  })

  it('ends with the authorization when the platform refuses the refresh too', async () => {
    const { tokenStore, tokens, endpoint, revoked } = world()
    await tokenStore.store(game, tokens())
    const refused = expect(tokenStore.renew(game, new Secret('access-1'), never)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    await settled()
    endpoint.refreshes[0]?.answer.reject(new OAuthError('invalid_grant', undefined))
    await refused
    expect(revoked).toEqual(['123:ada:refresh_refused'])
  })
})

describe('createTokenStore', () => {
  it('gives back what it was given, for the same account only', async () => {
    const { tokenStore, tokens, vault } = world()
    await tokenStore.store(game, tokens())
    expect(shown(await tokenStore.current({ ...game }, never))).toEqual(['access-1', 'refresh-1', 'identify'])
    for (const other of [{ uid: 1001 }, { uid: undefined }, { userId: 'bob' }, { applicationId: '124' }]) {
      expect(await tokenStore.current({ ...game, ...other }, never)).toBeUndefined()
    }
    expect(await world({ vault, platform: 'other' }).tokenStore.current(game, never)).toBeUndefined()
    expect((await vault.keys()).join()).not.toMatch(/access-1|refresh-1/)
  })

  it('refreshes before expiry, and stores the new refresh token before it returns the access token', async () => {
    const writing = Promise.withResolvers<void>()
    const inner = createMemoryTokens()
    let writes = 0
    const vault: TokenCollection = {
      ...inner,
      async put(key, value) {
        writes += 1
        if (writes === 2) await writing.promise
        await inner.put(key, value)
      },
    }
    const { tokenStore, tokens, clock, endpoint } = world({ vault })
    await tokenStore.store(game, tokens())
    await clock.advance(HOUR - 300_001)
    expect(shown(await tokenStore.current(game, never))?.[0]).toBe('access-1')
    await clock.advance(1)
    let given: TokenSet | undefined
    const current = tokenStore.current(game, never).then((value) => (given = value))
    await settled()
    expect(endpoint.refreshes.map(({ token }) => token)).toEqual(['refresh-1'])
    endpoint.grant(0)
    await settled()
    expect(given).toBeUndefined()
    writing.resolve()
    await current
    expect(shown(given)).toEqual(['access-2', 'refresh-2', 'identify'])
    expect(shown((await tokenStore.list())[0]?.tokens)).toEqual(['access-2', 'refresh-2', 'identify'])
    expect(clock.pending).toBe(0)
  })

  it('keeps the old refresh token when no new one comes, and takes new scopes', async () => {
    const { tokenStore, tokens, endpoint } = world()
    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    const current = tokenStore.current(game, never)
    await settled()
    endpoint.refreshes[0]?.answer.resolve({ accessToken: new Secret('a'), scopes: ['openid'], expiresIn: 60 })
    expect(shown(await current)).toEqual(['a', 'refresh-1', 'openid'])
  })

  it('does not refresh short-lived tokens at every use', async () => {
    const { tokenStore, tokens, clock, endpoint } = world()
    await tokenStore.store(game, tokens({ expiresAt: clock.now() + 60_000 }))
    await clock.advance(53_000)
    expect(shown(await tokenStore.current(game, never))?.[0]).toBe('access-1')
    await clock.advance(1000)
    const current = tokenStore.current(game, never)
    await settled()
    endpoint.grant(0)
    expect(shown(await current)?.[0]).toBe('access-2')
  })

  it('refreshes once for all calls, even when some are cancelled', async () => {
    const { tokenStore, tokens, endpoint, clock } = world()
    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    const leaving = new AbortController()
    const first = tokenStore.current(game, leaving.signal)
    const rest = Array.from({ length: 50 }, () => tokenStore.current(game, never))
    const left = expect(first).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    await settled()
    leaving.abort()
    await left
    expect(endpoint.refreshes).toHaveLength(1)
    expect(endpoint.refreshes[0]?.signal.aborted).toBe(false)
    endpoint.grant(0)
    for (const one of await Promise.all(rest)) expect(shown(one)?.[0]).toBe('access-2')
    expect(clock.pending).toBe(0)
  })

  it('deletes a grant that the platform ended, says so once, and rejects', { tags: ['3-13', '5-26'] }, async () => {
    const { tokenStore, tokens, endpoint, revoked, vault } = world()
    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    const outcomes = [tokenStore.current(game, never), tokenStore.current(game, never)].map((one) =>
      expect(one).rejects.toMatchObject({ error: 'INVALID_TOKEN' }),
    )
    await settled()
    endpoint.refreshes[0]?.answer.reject(new OAuthError('invalid_grant', undefined))
    await Promise.all(outcomes)
    expect(revoked).toEqual(['123:ada:refresh_refused'])
    expect(await vault.keys()).toEqual([])
    expect(await tokenStore.current(game, never)).toBeUndefined()
  })

  it('lives on while the endpoint is away, trying again only after a while', async () => {
    const { tokenStore, tokens, endpoint, clock, revoked } = world()
    await tokenStore.store(game, tokens())
    await clock.advance(HOUR - 200_000)
    const current = tokenStore.current(game, never)
    await settled()
    endpoint.refreshes[0]?.answer.reject(new BridgeError('SERVICE_UNAVAILABLE', 'away'))
    expect(shown(await current)?.[0]).toBe('access-1')
    expect(shown(await tokenStore.current(game, never))?.[0]).toBe('access-1')
    expect(endpoint.refreshes).toHaveLength(1)
    await clock.advance(200_000)
    const dead = expect(tokenStore.current(game, never)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    await settled()
    endpoint.refreshes[1]?.answer.reject(new BridgeError('SERVICE_UNAVAILABLE', 'away'))
    await dead
    expect(revoked).toEqual([])
    expect(await tokenStore.list()).toHaveLength(1)
  })

  it('keeps tokens whose refresh is refused for another reason than invalid_grant', { tags: ['3-13', '5-26'] }, async () => {
    const { tokenStore, tokens, endpoint, vault, revoked } = world()
    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    const refused = expect(tokenStore.current(game, never)).rejects.toMatchObject({ oauth: 'temporarily_unavailable' })
    await settled()
    endpoint.refreshes[0]?.answer.reject(new OAuthError('temporarily_unavailable', undefined))
    await refused
    expect(revoked).toEqual([])
    expect(await vault.keys()).toHaveLength(1)
  })

  it('gives a refresh thirty seconds', async () => {
    const { tokenStore, tokens, endpoint, clock } = world()
    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    void tokenStore.current(game, never).catch(() => {})
    await settled()
    await clock.advance(29_999)
    expect(endpoint.refreshes[0]?.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(endpoint.refreshes[0]?.signal.aborted).toBe(true)
  })

  it('uses tokens without a refresh token to their end, then deletes them', { tags: ['5-16'] }, async () => {
    const { tokenStore, clock, vault, tokens, revoked } = world()
    const { refreshToken: _, ...lone } = tokens()
    await tokenStore.store(game, lone)
    await clock.advance(HOUR - 1)
    expect(shown(await tokenStore.current(game, never))?.[0]).toBe('access-1')
    await clock.advance(1)
    await expect(tokenStore.current(game, never)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    expect(await vault.keys()).toEqual([])
    expect(revoked).toEqual(['123:ada:token_expired'])
  })

  it('deletes a user of an application everywhere, and no other', async () => {
    const { tokenStore, tokens, forgotten } = world()
    await tokenStore.store(game, tokens())
    await tokenStore.store({ ...game, uid: 5 }, tokens({ accessToken: new Secret('second') }))
    await tokenStore.store({ ...game, userId: 'bob' }, tokens({ userId: 'bob' }))
    await tokenStore.store({ ...game, applicationId: '9' }, tokens({ applicationId: '9' }))
    const deleted = await tokenStore.deleteAccount({ applicationId: '123', userId: 'ada' })
    expect(deleted.map((one) => one.accessToken.reveal()).toSorted()).toEqual(['access-1', 'second'])
    expect(forgotten).toEqual(['123:ada'])
    expect((await tokenStore.list()).map(({ account }) => `${account.applicationId} ${account.uid} ${account.userId}`).toSorted()).toEqual([
      '123 1000 bob',
      '9 1000 ada',
    ])
  })

  it('lists the accounts of a system user for an application', async () => {
    const { tokenStore, tokens } = world()
    await tokenStore.store(game, tokens())
    await tokenStore.store({ ...game, userId: 'bob' }, tokens({ userId: 'bob' }))
    await tokenStore.store({ ...game, uid: 5 }, tokens())
    await tokenStore.store({ ...game, applicationId: '9' }, tokens({ applicationId: '9' }))
    expect((await tokenStore.storedFor('123', 1000)).map(({ account }) => account.userId).toSorted()).toEqual(['ada', 'bob'])
  })

  it('drops what an older version kept for a path, and nothing of others', async () => {
    const { tokenStore, tokens, vault } = world()
    const older = JSON.stringify(['test', '123', 1000, '/opt/game/game'])
    const others = [JSON.stringify(['other', '123', 1000, '/opt/game/game']), 'bot:123', JSON.stringify(['test', 'bot', '123'])]
    for (const key of [older, ...others]) await vault.put(key, tokens())
    await tokenStore.store(game, tokens())
    expect(await tokenStore.list()).toHaveLength(1)
    expect((await vault.keys()).toSorted()).toEqual([JSON.stringify(['test', 'account', '123', 1000, 'ada']), ...others].toSorted())
  })

  it('does not bring back what was forgotten or replaced while it was being refreshed', async () => {
    const { tokenStore, tokens, endpoint } = world()
    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    const forgotten = expect(tokenStore.current(game, never)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    await settled()
    await tokenStore.deleteAccount({ applicationId: '123', userId: 'ada' })
    endpoint.grant(0)
    await forgotten
    expect(await tokenStore.list()).toEqual([])

    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    const replaced = tokenStore.current(game, never)
    await settled()
    await tokenStore.store(game, tokens({ accessToken: new Secret('newer') }))
    endpoint.refreshes[1]?.answer.reject(new OAuthError('invalid_grant', undefined))
    expect(shown(await replaced)?.[0]).toBe('newer')
    expect(shown(await tokenStore.current(game, never))?.[0]).toBe('newer')
  })

  it('keeps refreshed tokens that could not be stored, and stores them before the next use', async () => {
    const inner = createMemoryTokens()
    let isFull = false
    const vault: TokenCollection = {
      ...inner,
      put: (key, value) => (isFull ? Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'disk full')) : inner.put(key, value)),
    }
    const { tokenStore, tokens, endpoint } = world({ vault })
    await tokenStore.store(game, tokens({ expiresAt: 0 }))
    isFull = true
    const failing = expect(tokenStore.current(game, never)).rejects.toThrow('disk full')
    await settled()
    endpoint.grant(0)
    await failing
    await expect(tokenStore.current(game, never)).rejects.toThrow('disk full')
    isFull = false
    expect(shown(await tokenStore.current(game, never))).toEqual(['access-2', 'refresh-2', 'identify'])
    expect(endpoint.refreshes).toHaveLength(1)
  })
})
