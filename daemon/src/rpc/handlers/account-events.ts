/** Account changes that commands detect: tokens that a change invalidated, and errors of the platform that reveal an account's state. */
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import type { AccountEvent } from '../../auth/accounts/machine.ts'
import type { CallLimits } from '../../platform/api/forwarder-port.ts'
import type { Session } from '../../sessions/session.ts'
import type { ProgramTokens, TokenInUse } from './program-tokens.ts'
import type { TokenInspector } from './token-inspector.ts'

export interface AccountEventsDeps {
  readonly tokenInspector: TokenInspector
  readonly programTokens: ProgramTokens
  /** The state of each account in use. It receives every event that begins or ends an account. */
  readonly accounts: Pick<Accounts, 'apply' | 'stateOf'>
  readonly log: Logger
}

/** Platform codes: the identity of a merge has a banned account; the identity of a provisional token is linked. */
const MERGE_BANNED = 530017
const IDENTITY_LINKED = 530010

/** States of accounts that a merge can concern: those created for an external identity. */
const MERGEABLE: ReadonlySet<string> = new Set(['provisional', 'restricted', 'expired'])

export class AccountEvents {
  readonly #deps: AccountEventsDeps

  constructor(deps: AccountEventsDeps) {
    this.#deps = deps
  }

  /**
   * Checks each token at the platform and applies `event` to the accounts of invalid ones. The previous response does not name them.
   * `tokens`: those that the program of the session uses now, unless given.
   */
  async recordInvalidated(session: Session, event: AccountEvent, limits: CallLimits, tokens?: readonly TokenInUse[]): Promise<void> {
    const { tokenInspector, programTokens, accounts, log } = this.#deps
    const { applicationId } = session
    for (const { userId, accessToken } of tokens ?? (await programTokens.inUse(session))) {
      try {
        await tokenInspector.inspect(accessToken, applicationId, limits)
      } catch (failure) {
        const isInvalid = failure instanceof BridgeError && failure.error === 'INVALID_TOKEN'
        if (isInvalid) await accounts.apply({ applicationId, userId }, event)
        else log.warn('token-not-checked', { application: applicationId, err: failure })
      }
    }
  }

  /**
   * Awaits work that the platform may reject because of the account's state, and adds the state and the sign-in methods to the error.
   * `tokens`: those in use before.
   */
  async withAccountState<T>(applicationId: string, tokens: readonly TokenInUse[], work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (failure) {
      throw await this.#addAccountState(failure, applicationId, tokens)
    }
  }

  async #addAccountState(failure: unknown, applicationId: string, tokens: readonly TokenInUse[]): Promise<unknown> {
    if (!(failure instanceof BridgeError)) return failure
    const { platform_code, user_id } = failure.detail
    const { accounts } = this.#deps
    if (platform_code === IDENTITY_LINKED && typeof user_id === 'string') {
      const { state, signIn } = await accounts.apply({ applicationId, userId: user_id }, 'identity_linked')
      return withDetail(failure, { account_state: state, sign_in: signIn })
    }
    if (platform_code !== MERGE_BANNED) return failure
    for (const userId of new Set(tokens.map((one) => one.userId))) {
      const account = { applicationId, userId }
      if (!MERGEABLE.has(await accounts.stateOf(account))) continue
      const { state, signIn } = await accounts.apply(account, 'merge_refused_banned')
      return withDetail(failure, { account_state: state, sign_in: signIn })
    }
    return withDetail(failure, { sign_in: ['provisional'] })
  }
}

const withDetail = (failure: BridgeError, more: BridgeError['detail']): BridgeError =>
  new BridgeError(failure.error, failure.message, { ...failure.detail, ...more }, { cause: failure })
