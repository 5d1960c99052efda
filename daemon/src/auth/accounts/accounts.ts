/** Keeps the state of every account in use here and carries out what the table says follows from an event. */
import { createHash } from 'node:crypto'
import type { AccountEndCause, AccountState, SignInWay } from '@sallyport/protocol'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import { type AccountDuty, type AccountEvent, END_REASONS, endCauseOf, isImpossible, nextOf } from './machine.ts'

/** What the connections of an account are told when its use ends. */
export interface EndNotice {
  readonly reason: string
  readonly cause: AccountEndCause
  readonly accountState: AccountState
  readonly signIn: readonly SignInWay[]
}

/** How an account stands after an event. */
export interface Standing {
  readonly state: AccountState
  readonly signIn: readonly SignInWay[]
}

export interface AccountPorts {
  /** Deletes what is stored of the account for whichever program. */
  deleteTokens(applicationId: string, userId: string): Promise<void>
  /** Signs every connection of the account out, with a word. */
  endSessions(applicationId: string, userId: string, notice: EndNotice): void
  /** What is stored of the account: tokens that can be refreshed, tokens that cannot, or nothing. */
  stored(applicationId: string, userId: string): Promise<'refreshable' | 'unrefreshable' | undefined>
}

/** A bridge serves the users of one machine; what is forgotten beyond these is recalled from what is stored. */
const ACCOUNTS_MAX = 10_000
const CHILD_TOKENS_MAX = 1_000

/** A provisional account is what has a stored token without a refresh token. */
const RECALLED = { refreshable: 'linked', unrefreshable: 'provisional' } as const satisfies Record<string, AccountState>

interface Account {
  readonly applicationId: string
  readonly userId: string
  readonly state: AccountState
  /** Of a child application's account: its parent application, when that is known here. */
  readonly parentId?: string | undefined
}

const keyOf = (applicationId: string, userId: string): string => `${applicationId}:${userId}`
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

function put<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}

export class Accounts {
  readonly #ports: AccountPorts
  readonly #log: Logger
  readonly #accounts = new Map<string, Account>()
  /** Hashes of child tokens given out here, with the parent application where it is known. */
  readonly #childTokens = new Map<string, string | undefined>()

  constructor(ports: AccountPorts, log: Logger) {
    this.#ports = ports
    this.#log = log
  }

  async stateOf(applicationId: string, userId: string): Promise<AccountState> {
    const key = keyOf(applicationId, userId)
    const known = this.#accounts.get(key)
    if (known !== undefined) return known.state
    const stored = await this.#ports.stored(applicationId, userId)
    return this.#accounts.get(key)?.state ?? (stored === undefined ? 'unlinked' : RECALLED[stored])
  }

  /**
   * Something happened to an account: moves it on and carries out what follows, in the order of the table. `reason` is what people are
   * told in place of the usual sentence. Rejects when tokens could not be deleted; connections are told all the same.
   */
  note(applicationId: string, userId: string, event: AccountEvent, reason?: string): Promise<Standing> {
    return this.#move(applicationId, userId, event, reason)
  }

  /** The platform says that a token, which a game brought or that was stored, is good for this user. */
  accepted(applicationId: string, userId: string, token: Secret<string>): Promise<Standing> {
    const hash = hashOf(token.reveal())
    if (!this.#childTokens.has(hash)) return this.#move(applicationId, userId, 'token_accepted')
    return this.#move(applicationId, userId, 'child_token', undefined, this.#childTokens.get(hash))
  }

  /** A token of a child application was given out; `parentId` is the parent application, when that is known. */
  childIssued(token: Secret<string>, parentId: string | undefined): void {
    put(this.#childTokens, hashOf(token.reveal()), parentId, CHILD_TOKENS_MAX)
  }

  async #move(applicationId: string, userId: string, event: AccountEvent, reason?: string, parentId?: string): Promise<Standing> {
    const from = await this.stateOf(applicationId, userId)
    const next = nextOf(from, event)
    if (isImpossible(next)) {
      this.#log.warn('account-event-unexpected', { application: applicationId, user: userId, state: from, event, because: next.impossible })
      return { state: from, signIn: [] }
    }
    const { to, duties, signIn } = next
    const key = keyOf(applicationId, userId)
    const parent = to === 'child' ? (parentId ?? this.#accounts.get(key)?.parentId) : undefined
    const isStranger = from === 'unlinked' && to === 'unlinked' && !this.#accounts.has(key)
    const account = { applicationId, userId, state: to, parentId: parent }
    put(this.#accounts, key, account, ACCOUNTS_MAX)
    if (from !== to || duties.length > 0)
      this.#log.info('account-state', {
        application: applicationId,
        user: userId,
        from,
        to,
        event,
        ...(reason === undefined ? {} : { reason }),
      })
    const cause = endCauseOf(event)
    const notice = cause === undefined ? undefined : { reason: reason ?? END_REASONS[cause], cause, accountState: to, signIn }
    await this.#carryOut(duties, applicationId, userId, notice)
    // An application may be told of the end of accounts that were never here: they must not push out those that are.
    if (isStranger && this.#accounts.get(key) === account) this.#accounts.delete(key)
    return { state: to, signIn }
  }

  /** Each duty is tried whatever became of those before it; the first failure is told at the end. */
  async #carryOut(duties: readonly AccountDuty[], applicationId: string, userId: string, notice: EndNotice | undefined): Promise<void> {
    const failures: unknown[] = []
    for (const duty of duties) {
      try {
        await this.#duty(duty, applicationId, userId, notice)
      } catch (failure) {
        failures.push(failure)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async #duty(duty: AccountDuty, applicationId: string, userId: string, notice: EndNotice | undefined): Promise<void> {
    switch (duty) {
      case 'delete-tokens':
        return this.#ports.deleteTokens(applicationId, userId)
      case 'end-sessions':
        if (notice !== undefined) this.#ports.endSessions(applicationId, userId, notice)
        return
      case 'end-children':
        for (const child of [...this.#accounts.values()]) {
          if (child.state === 'child' && child.userId === userId && child.parentId === applicationId)
            await this.#move(child.applicationId, userId, 'parent_ended')
        }
    }
  }
}
