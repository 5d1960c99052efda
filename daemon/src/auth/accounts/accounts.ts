/** Holds the state of every account in use here and runs the effects that the state machine returns for an event. */
import { type AccountKey, accountText } from '@sallyport/core/account-key'
import { BoundedMap } from '@sallyport/core/bounded-map'
import { createHash } from 'node:crypto'
import type { AccountEndCause, AccountState, SignInMethod } from '@sallyport/protocol'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import { type AccountEffect, type AccountEvent, REVOCATION_REASONS, endCauseOf, isInvalid, transition } from './machine.ts'

/** What the sessions of an account receive when its use ends. */
export interface RevocationNotice {
  readonly reason: string
  readonly cause: AccountEndCause
  readonly accountState: AccountState
  readonly signIn: readonly SignInMethod[]
}

/** The state of an account after an event. */
interface AccountStatus {
  readonly state: AccountState
  readonly signIn: readonly SignInMethod[]
}

export interface AccountDeps {
  /** Deletes the account's stored tokens for all programs. */
  deleteTokens(account: AccountKey): Promise<void>
  /** Signs out every session of the account and notifies it. */
  endSessions(account: AccountKey, notice: RevocationNotice): void
  /** The kind of tokens stored for the account; undefined when there are none. */
  stored(account: AccountKey): Promise<'refreshable' | 'unrefreshable' | undefined>
}

/** A bridge serves the users of one machine. The state of evicted accounts is derived from their stored tokens. */
const ACCOUNTS_MAX = 10_000
const CHILD_TOKENS_MAX = 1_000

/** Only provisional accounts have a stored token without a refresh token. */
const STATE_FROM_STORED = { refreshable: 'linked', unrefreshable: 'provisional' } as const satisfies Record<string, AccountState>

interface Account extends AccountKey {
  readonly state: AccountState
  /** Parent application of a child application's account, when known. */
  readonly parentId?: string | undefined
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export class Accounts {
  readonly #deps: AccountDeps
  readonly #log: Logger
  readonly #accounts = new BoundedMap<string, Account>(ACCOUNTS_MAX)
  /** Hashes of the child tokens issued here, with the parent application where it is known. */
  readonly #childTokens = new BoundedMap<string, string | undefined>(CHILD_TOKENS_MAX)

  constructor(deps: AccountDeps, log: Logger) {
    this.#deps = deps
    this.#log = log
  }

  async stateOf(account: AccountKey): Promise<AccountState> {
    const key = accountText(account)
    const known = this.#accounts.get(key)
    if (known !== undefined) return known.state
    const stored = await this.#deps.stored(account)
    return this.#accounts.get(key)?.state ?? (stored === undefined ? 'unlinked' : STATE_FROM_STORED[stored])
  }

  /**
   * Applies an event to an account: changes its state and runs the effects in the order of the table. `reason` replaces the default
   * sentence for users. Rejects when tokens could not be deleted; sessions are notified all the same.
   */
  apply(account: AccountKey, event: AccountEvent, reason?: string): Promise<AccountStatus> {
    return this.#transition(account, event, reason)
  }

  /** The platform accepted a token of this user, either stored or supplied by a game. */
  tokenAccepted(account: AccountKey, token: Secret<string>): Promise<AccountStatus> {
    const hash = hashOf(token.reveal())
    if (!this.#childTokens.has(hash)) return this.#transition(account, 'token_accepted')
    return this.#transition(account, 'child_token', undefined, this.#childTokens.get(hash))
  }

  /** Records that a child application received a token. `parentId`: its parent application, when known. */
  childTokenIssued(token: Secret<string>, parentId: string | undefined): void {
    this.#childTokens.set(hashOf(token.reveal()), parentId)
  }

  async #transition(of: AccountKey, event: AccountEvent, reason?: string, parentId?: string): Promise<AccountStatus> {
    const { applicationId, userId } = of
    const from = await this.stateOf(of)
    const next = transition(from, event)
    if (isInvalid(next)) {
      this.#log.warn('account-event-unexpected', { application: applicationId, user: userId, state: from, event, because: next.invalid })
      return { state: from, signIn: [] }
    }
    const { to, effects, signIn } = next
    const key = accountText(of)
    const parent = to === 'child' ? (parentId ?? this.#accounts.get(key)?.parentId) : undefined
    const isUntracked = from === 'unlinked' && to === 'unlinked' && !this.#accounts.has(key)
    const account = { applicationId, userId, state: to, parentId: parent }
    this.#accounts.set(key, account)
    if (from !== to || effects.length > 0)
      this.#log.info('account-state', {
        application: applicationId,
        user: userId,
        from,
        to,
        event,
        ...(reason === undefined ? {} : { reason }),
      })
    const cause = endCauseOf(event)
    const notice = cause === undefined ? undefined : { reason: reason ?? REVOCATION_REASONS[cause], cause, accountState: to, signIn }
    await this.#runEffects(effects, account, notice)
    // Events may name accounts that were never used here; they must not evict those that are.
    if (isUntracked && this.#accounts.get(key) === account) this.#accounts.delete(key)
    return { state: to, signIn }
  }

  /** Runs every effect even when an earlier one failed, then throws the first failure. */
  async #runEffects(effects: readonly AccountEffect[], account: AccountKey, notice: RevocationNotice | undefined): Promise<void> {
    const failures: unknown[] = []
    for (const effect of effects) {
      try {
        await this.#runEffect(effect, account, notice)
      } catch (failure) {
        failures.push(failure)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async #runEffect(effect: AccountEffect, account: AccountKey, notice: RevocationNotice | undefined): Promise<void> {
    switch (effect) {
      case 'delete-tokens':
        return this.#deps.deleteTokens(account)
      case 'end-sessions':
        if (notice !== undefined) this.#deps.endSessions(account, notice)
        return
      case 'end-children':
        for (const child of [...this.#accounts.values()]) {
          if (child.state === 'child' && child.userId === account.userId && child.parentId === account.applicationId)
            await this.#transition(child, 'parent_ended')
        }
    }
  }
}
