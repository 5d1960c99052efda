/** Stores tokens and refreshes them before they expire, one refresh at a time per account. Returns only tokens that are stored. */
import { type AccountKey, isSameAccount } from '@sallyport/core/account-key'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { CancelSignal } from '@sallyport/core/cancel'
import { accountOfVaultKey, isOlderVaultKey, vaultKeyOf } from '../vault-key.ts'
import type { StoredTokens, TokenAccount, TokenEndpoint, TokenGrant, TokenStore } from '../auth.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { RefreshSchedule } from './refresh-schedule.ts'
import type { TokenSet, TokenCollection } from '../vault/vault.ts'

interface TokenStoreDeps {
  /** Separates the tokens of different platforms. */
  readonly platform: string
  readonly vault: TokenCollection
  readonly tokenEndpoint: TokenEndpoint
  readonly clock: Clock
  readonly log: Logger
  /** A number from 0 to 1, to spread the refreshes of many daemons. */
  readonly random: () => number
  /** Called after an authorization ended and its tokens were deleted: the platform rejects it, or it expired without a refresh token. */
  readonly onEnded: (account: AccountKey, cause: 'refresh_refused' | 'token_expired') => void
  /** Called when the tokens of an account are deleted; its grants end too. */
  readonly onDeleted: (account: AccountKey) => void
}

/** A refresh in progress. Its result is discarded when the tokens were replaced or deleted meanwhile. */
interface PendingRefresh {
  readonly done: Promise<TokenSet>
  isSuperseded: boolean
}

/** Timeout of a refresh, in ms. Several calls may wait for it, so none can cancel it. */
const REFRESH_MS = 30_000

/** A token that is refreshed after a rejection and rejected again within this time stays rejected, so that no call refreshes without end. */
const FRESH_MS = 60_000

export function createTokenStore(deps: TokenStoreDeps): TokenStore {
  const { platform, vault, tokenEndpoint, clock, log, onEnded, onDeleted } = deps
  const schedule = new RefreshSchedule(deps.random)
  const refreshes = new Map<string, PendingRefresh>()
  /** Refreshed tokens that could not be stored; the platform may have revoked the older ones already. */
  const unsaved = new Map<string, TokenSet>()
  /** When tokens were last refreshed after a rejection, in monotonic ms. */
  const renewedAt = new Map<string, number>()

  const supersede = (key: string) => {
    const pendingRefresh = refreshes.get(key)
    if (pendingRefresh !== undefined) pendingRefresh.isSuperseded = true
    refreshes.delete(key)
    unsaved.delete(key)
    renewedAt.delete(key)
    schedule.remove(key)
  }

  const save = async (key: string, tokens: TokenSet): Promise<TokenSet> => {
    unsaved.set(key, tokens)
    await vault.put(key, tokens)
    if (unsaved.get(key) === tokens) unsaved.delete(key)
    return tokens
  }

  const end = async (key: string, { applicationId }: TokenSet, reason: string) => {
    supersede(key)
    await vault.delete(key)
    log.info('tokens-ended', { applicationId, reason })
  }

  const refresh = async (key: string, old: TokenSet, pendingRefresh: { isSuperseded: boolean }): Promise<TokenSet> => {
    const timeout = new AbortController()
    const cancelTimer = clock.after(REFRESH_MS, () => timeout.abort())
    let grant: TokenGrant
    try {
      grant = await tokenEndpoint.refresh(
        { applicationId: old.applicationId, refreshToken: old.refreshToken as NonNullable<TokenSet['refreshToken']> },
        timeout.signal,
      )
    } catch (failure) {
      if (pendingRefresh.isSuperseded) return await replaced(key)
      if (failure instanceof OAuthError && failure.oauth === 'invalid_grant') {
        await end(key, old, 'invalid_grant')
        onEnded(old, 'refresh_refused')
        throw gone()
      }
      schedule.failed(key, clock.now())
      throw failure
    } finally {
      cancelTimer()
    }
    if (pendingRefresh.isSuperseded) return replaced(key)
    const now = clock.now()
    schedule.issued(key, grant.expiresIn * 1000)
    return save(key, {
      ...old,
      accessToken: grant.accessToken,
      ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
      scopes: grant.scopes.length > 0 ? grant.scopes : old.scopes,
      expiresAt: now + grant.expiresIn * 1000,
    })
  }

  /** The tokens that replaced those of a superseded refresh. */
  const replaced = async (key: string): Promise<TokenSet> => {
    const tokens = await vault.get(key)
    if (tokens === undefined) throw gone()
    return tokens
  }

  const startRefresh = (key: string, old: TokenSet): Promise<TokenSet> => {
    const known = refreshes.get(key)
    if (known !== undefined) return known.done
    const state = { isSuperseded: false }
    const pendingRefresh: PendingRefresh = Object.assign(state, {
      done: refresh(key, old, state).finally(() => {
        if (refreshes.get(key) === pendingRefresh) refreshes.delete(key)
      }),
    })
    refreshes.set(key, pendingRefresh)
    return pendingRefresh.done
  }

  const read = async (matches: (account: TokenAccount) => boolean): Promise<readonly StoredTokens[]> => {
    const found: StoredTokens[] = []
    for (const key of await vault.keys()) {
      if (isOlderVaultKey(platform, key)) await deleteOldFormat(key)
      const account = accountOfVaultKey(platform, key)
      if (account === undefined || !matches(account)) continue
      const tokens = unsaved.get(key) ?? (await vault.get(key))
      if (tokens !== undefined) found.push({ account, tokens })
    }
    return found
  }

  /** Deletes an entry of the older format, which does not identify the program's file. Its user signs in again. */
  const deleteOldFormat = async (key: string) => {
    const tokens = await vault.get(key)
    await vault.delete(key)
    log.warn('tokens-of-older-format-deleted', { applicationId: tokens?.applicationId })
  }

  return {
    async store(account, tokens) {
      const key = vaultKeyOf(platform, account)
      supersede(key)
      schedule.issued(key, tokens.expiresAt - clock.now())
      await vault.put(key, tokens)
    },

    async current(account, signal) {
      const key = vaultKeyOf(platform, account)
      const pending = unsaved.get(key)
      if (pending !== undefined && !refreshes.has(key)) await save(key, pending)
      const tokens = await vault.get(key)
      if (tokens === undefined) return undefined
      const now = clock.now()
      if (!schedule.isDue(key, tokens.expiresAt, now)) return tokens
      const isLive = now < tokens.expiresAt
      if (tokens.refreshToken === undefined) {
        if (isLive) return tokens
        await end(key, tokens, 'expired')
        onEnded(tokens, 'token_expired')
        throw expired()
      }
      try {
        return await orAbort(startRefresh(key, tokens), signal)
      } catch (failure) {
        // While the endpoint is unreachable, an unexpired token is still used, but not after the grant ended.
        const isUnreachable = failure instanceof BridgeError && failure.error !== 'INVALID_TOKEN' && !signal.aborted
        if (!isUnreachable || !isLive || unsaved.has(key)) throw failure
        log.warn('token-refresh-failed', { applicationId: tokens.applicationId, error: failure.error })
        return tokens
      }
    },

    async renew(account, rejected, signal) {
      const key = vaultKeyOf(platform, account)
      const tokens = unsaved.get(key) ?? (await vault.get(key))
      if (tokens === undefined) return false
      if (tokens.accessToken.reveal() !== rejected.reveal()) return true
      const lastAt = renewedAt.get(key)
      const isFresh = lastAt !== undefined && clock.elapsed() < lastAt + FRESH_MS
      if (tokens.refreshToken === undefined || isFresh) return false
      await orAbort(startRefresh(key, tokens), signal)
      renewedAt.set(key, clock.elapsed())
      return true
    },

    async storedFor(applicationId, uid) {
      return read((account) => account.applicationId === applicationId && account.uid === uid)
    },

    async deleteAccount(deleted) {
      // First, so that a vault error does not leave grants behind.
      onDeleted(deleted)
      const found = await read((account) => isSameAccount(account, deleted))
      for (const { account } of found) {
        const key = vaultKeyOf(platform, account)
        supersede(key)
        await vault.delete(key)
      }
      return found.map(({ tokens }) => tokens)
    },

    list: () => read(() => true),
  }
}

const gone = (): BridgeError =>
  new BridgeError('INVALID_TOKEN', 'The platform no longer accepts the stored authorization; authorize again.')

const expired = (): BridgeError =>
  new BridgeError(
    'INVALID_TOKEN',
    'The stored token has expired and cannot be refreshed. For a provisional account, pass a new token of the external provider to ' +
      'GET_PROVISIONAL_TOKEN and its result to UPDATE_TOKEN. For any other account, authorize again.',
  )

/** Stops waiting when the call is cancelled; the work continues. */
function orAbort<Value>(work: Promise<Value>, signal: CancelSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = {
      handleEvent: () => reject(new BridgeError('TRANSACTION_ABORTED', 'The call was cancelled before the tokens were refreshed.')),
    }
    if (signal.aborted) cancel.handleEvent()
    signal.addEventListener('abort', cancel)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel))
  })
}
