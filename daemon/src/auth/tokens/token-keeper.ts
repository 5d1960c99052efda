/** Keeps tokens alive: refreshes them ahead of their end, once at a time per account, and never hands out what is not stored yet. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { CancelSignal } from '@sallyport/core/cancel'
import { accountKey, accountOf, isOlderKey } from '../account-key.ts'
import type { StoredTokens, TokenAccount, TokenEndpoint, TokenGrant, TokenKeeper } from '../auth.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { RefreshPlan } from './refresh-plan.ts'
import type { TokenSet, TokenVault } from '../vault/vault.ts'

export interface TokenKeeperParts {
  /** Keeps the tokens of different platforms apart. */
  readonly platform: string
  readonly vault: TokenVault
  readonly tokenEndpoint: TokenEndpoint
  readonly clock: Clock
  readonly log: Logger
  /** A number from 0 to 1, to spread the refreshes of many daemons. */
  readonly random: () => number
  /** A grant is over: the platform no longer accepts it, or it has expired and cannot be refreshed. Its tokens are deleted already. */
  readonly onEnded: (applicationId: string, userId: string, cause: 'refresh_refused' | 'token_expired') => void
  /** The tokens of an account are forgotten: what programs were granted of it is over. */
  readonly onForgotten: (applicationId: string, userId: string) => void
}

/** One refresh under way. What it brings is thrown away when the tokens were replaced or forgotten meanwhile. */
interface Flight {
  readonly done: Promise<TokenSet>
  isSuperseded: boolean
}

/** How long a refresh may take; it belongs to no single caller, so none of them can break it off. */
const REFRESH_MS = 30_000

export function createTokenKeeper(parts: TokenKeeperParts): TokenKeeper {
  const { platform, vault, tokenEndpoint, clock, log, onEnded, onForgotten } = parts
  const plan = new RefreshPlan(parts.random)
  const flights = new Map<string, Flight>()
  /** Refreshed tokens that could not be stored; the platform may have ended the older ones already. */
  const unsaved = new Map<string, TokenSet>()

  const supersede = (key: string) => {
    const flight = flights.get(key)
    if (flight !== undefined) flight.isSuperseded = true
    flights.delete(key)
    unsaved.delete(key)
    plan.forget(key)
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
    log.info('tokens.ended', { applicationId, reason })
  }

  const refresh = async (key: string, old: TokenSet, flight: { isSuperseded: boolean }): Promise<TokenSet> => {
    const timeout = new AbortController()
    const cancelTimer = clock.after(REFRESH_MS, () => timeout.abort())
    let grant: TokenGrant
    try {
      grant = await tokenEndpoint.refresh(
        { applicationId: old.applicationId, refreshToken: old.refreshToken as NonNullable<TokenSet['refreshToken']> },
        timeout.signal,
      )
    } catch (failure) {
      if (flight.isSuperseded) return await replaced(key)
      if (failure instanceof OAuthError && failure.oauth === 'invalid_grant') {
        await end(key, old, 'invalid_grant')
        onEnded(old.applicationId, old.userId, 'refresh_refused')
        throw gone()
      }
      plan.failed(key, clock.now())
      throw failure
    } finally {
      cancelTimer()
    }
    if (flight.isSuperseded) return replaced(key)
    const now = clock.now()
    plan.issued(key, grant.expiresIn * 1000)
    return save(key, {
      ...old,
      accessToken: grant.accessToken,
      ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
      scopes: grant.scopes.length > 0 ? grant.scopes : old.scopes,
      expiresAt: now + grant.expiresIn * 1000,
    })
  }

  /** What took the place of the tokens that a refresh began with. */
  const replaced = async (key: string): Promise<TokenSet> => {
    const tokens = await vault.get(key)
    if (tokens === undefined) throw gone()
    return tokens
  }

  const takeOff = (key: string, old: TokenSet): Promise<TokenSet> => {
    const known = flights.get(key)
    if (known !== undefined) return known.done
    const state = { isSuperseded: false }
    const flight: Flight = Object.assign(state, {
      done: refresh(key, old, state).finally(() => {
        if (flights.get(key) === flight) flights.delete(key)
      }),
    })
    flights.set(key, flight)
    return flight.done
  }

  const read = async (isWanted: (account: TokenAccount) => boolean): Promise<readonly StoredTokens[]> => {
    const found: StoredTokens[] = []
    for (const key of await vault.keys()) {
      if (isOlderKey(platform, key)) await dropOlder(key)
      const account = accountOf(platform, key)
      if (account === undefined || !isWanted(account)) continue
      const tokens = unsaved.get(key) ?? (await vault.get(key))
      if (tokens !== undefined) found.push({ account, tokens })
    }
    return found
  }

  /** Kept for a program at a path, and nobody knows any more which file that was: its user signs in again. */
  const dropOlder = async (key: string) => {
    const tokens = await vault.get(key)
    await vault.delete(key)
    log.warn('tokens.older-form-dropped', { applicationId: tokens?.applicationId })
  }

  return {
    async store(account, tokens) {
      const key = accountKey(platform, account)
      supersede(key)
      plan.issued(key, tokens.expiresAt - clock.now())
      await vault.put(key, tokens)
    },

    async current(account, signal) {
      const key = accountKey(platform, account)
      const pending = unsaved.get(key)
      if (pending !== undefined && !flights.has(key)) await save(key, pending)
      const tokens = await vault.get(key)
      if (tokens === undefined) return undefined
      const now = clock.now()
      if (!plan.isDue(key, tokens.expiresAt, now)) return tokens
      const isLive = now < tokens.expiresAt
      if (tokens.refreshToken === undefined) {
        if (isLive) return tokens
        await end(key, tokens, 'expired')
        onEnded(tokens.applicationId, tokens.userId, 'token_expired')
        throw expired()
      }
      try {
        return await orAbort(takeOff(key, tokens), signal)
      } catch (failure) {
        // A token that still lives serves while the endpoint is away; a dead grant does not.
        const isAway = failure instanceof BridgeError && failure.error !== 'INVALID_TOKEN' && !signal.aborted
        if (!isAway || !isLive || unsaved.has(key)) throw failure
        log.warn('tokens.refresh-failed', { applicationId: tokens.applicationId, error: failure.error })
        return tokens
      }
    },

    async storedFor(applicationId, uid) {
      return read((account) => account.applicationId === applicationId && account.uid === uid)
    },

    async forget(applicationId, userId) {
      // First, so that a failing vault leaves no grant of what should be gone.
      onForgotten(applicationId, userId)
      const found = await read((account) => account.applicationId === applicationId && account.userId === userId)
      for (const { account } of found) {
        const key = accountKey(platform, account)
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
    'The stored token has expired and cannot be refreshed. For a provisional account, pass a fresh token of the external provider to ' +
      'GET_PROVISIONAL_TOKEN and what it answers to UPDATE_TOKEN; for any other, authorize again.',
  )

/** Gives up waiting when the caller leaves; what is waited for goes on. */
function orAbort<Value>(work: Promise<Value>, signal: CancelSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = {
      handleEvent: () => reject(new BridgeError('TRANSACTION_ABORTED', 'The call was given up before the tokens were refreshed.')),
    }
    if (signal.aborted) leave.handleEvent()
    signal.addEventListener('abort', leave)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
