/** Which token stands for a session, an account or a bot. The one place that says so, and what is wrong when there is none. */
import type { CancelSignal } from '@sallyport/core/cancel'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { CallLimits, Credential } from '../platform/api/forwarder-port.ts'
import type { TokenAccount, TokenStore } from './auth.ts'
import type { BotTokens } from './tokens/bot-tokens.ts'

/** The sign-in of a session. */
export interface SessionSignIn {
  readonly applicationId: string
  /** The system user who runs the game. */
  readonly uid: number | undefined
  /** Undefined before AUTHENTICATE. */
  readonly signedIn: { readonly userId: string; readonly accessToken: Secret<string>; readonly isManaged: boolean } | undefined
}

export interface CredentialsDeps {
  readonly tokenStore: Pick<TokenStore, 'current' | 'renew'>
  readonly botTokens: Pick<BotTokens, 'of' | 'onRejected'>
  readonly log: Logger
}

/** The error when an application has no bot token. */
export const missingBotToken = (applicationId: string): BridgeError =>
  new BridgeError(
    'INVALID_PERMISSIONS',
    `Only the bot of application ${applicationId} may do this, and the bridge has no token for it; its operator stores one with: sallyport login --bot`,
  )

const notSignedIn = (): BridgeError => new BridgeError('INVALID_PERMISSIONS', 'Sign in with AUTHORIZE and AUTHENTICATE first.')

/** The error when the tokens of an account are not stored any more. */
export const missingTokens = (): BridgeError =>
  new BridgeError(
    'INVALID_TOKEN',
    'The stored grant does not exist any more, because the user signed out or the platform ended it. Sign in again.',
  )

const REJECTED_BOT_TOKEN = {
  stored: (applicationId: string) =>
    `The platform no longer accepts the bot token of application ${applicationId}, so the bridge deleted it; its operator stores a new one with: sallyport login --bot`,
  configured: (applicationId: string) =>
    `The platform does not accept the bot token of application ${applicationId} in the bridge's settings; its operator sets another, or removes it and stores one with: sallyport login --bot`,
}

/** Whether the platform refused the token of a call. */
export const isRefusedToken = (failure: unknown): failure is BridgeError =>
  failure instanceof BridgeError && failure.error === 'INVALID_TOKEN' && failure.detail.http_status === 401

export class Credentials {
  readonly #deps: CredentialsDeps

  constructor(deps: CredentialsDeps) {
    this.#deps = deps
  }

  /**
   * The token that the game supplied, or the stored one of its user. Only a stored one is a promise, because waiting slows every call.
   * Throws INVALID_PERMISSIONS before AUTHENTICATE. Rejects with INVALID_TOKEN when the tokens are no longer stored.
   */
  forSession({ applicationId, uid, signedIn }: SessionSignIn, cancelSignal: CancelSignal): Credential | Promise<Credential> {
    if (signedIn === undefined) throw notSignedIn()
    const { userId, accessToken, isManaged } = signedIn
    return isManaged
      ? this.forAccount({ applicationId, uid, userId }, cancelSignal)
      : { kind: 'user', applicationId, userId, token: accessToken }
  }

  /** The stored token of an account. Rejects with INVALID_TOKEN when there is none. */
  async forAccount(account: TokenAccount, cancelSignal: CancelSignal): Promise<Credential> {
    const tokens = await this.#deps.tokenStore.current(account, cancelSignal)
    if (tokens === undefined) throw missingTokens()
    return { kind: 'user', applicationId: account.applicationId, userId: account.userId, token: tokens.accessToken }
  }

  /**
   * A refreshed credential for a call that the platform refused because of the stored token of its session; undefined if there is none. The
   * refusal came before any effect, so the call can be made again.
   */
  async renewed(
    failure: unknown,
    { applicationId, uid, signedIn }: SessionSignIn,
    refused: Credential | undefined,
    cancelSignal: CancelSignal,
  ): Promise<Credential | undefined> {
    if (!isRefusedToken(failure) || refused?.kind !== 'user' || signedIn?.isManaged !== true || refused.userId !== signedIn.userId)
      return undefined
    const account = { applicationId, uid, userId: signedIn.userId }
    try {
      return (await this.#deps.tokenStore.renew(account, refused.token, cancelSignal))
        ? await this.forAccount(account, cancelSignal)
        : undefined
    } catch (refreshFailure) {
      if (refreshFailure instanceof BridgeError) return undefined
      throw refreshFailure
    }
  }

  /** Rejects with INVALID_PERMISSIONS when the application has no bot token. */
  async forBot(applicationId: string, limits: CallLimits): Promise<Credential> {
    const token = await this.#deps.botTokens.of(applicationId, limits)
    if (token === undefined) throw missingBotToken(applicationId)
    return { kind: 'bot', applicationId, token }
  }

  async hasBot(applicationId: string, limits: CallLimits): Promise<boolean> {
    return (await this.#deps.botTokens.of(applicationId, limits)) !== undefined
  }

  /**
   * The error of a call that failed with this credential: advice when the platform no longer accepts a bot token, which is deleted if it was
   * stored; `failure` in every other case.
   */
  async errorOf(failure: unknown, credential: Credential | undefined, limits: CallLimits): Promise<unknown> {
    if (!isRefusedToken(failure) || credential?.kind !== 'bot' || credential.applicationId === undefined) return failure
    const { applicationId, token } = credential
    const origin = await this.#deps.botTokens.onRejected(applicationId, token, limits)
    if (origin === undefined) return failure
    this.#deps.log.warn('bot-token-refused', { application: applicationId, was: origin })
    return new BridgeError('INVALID_TOKEN', REJECTED_BOT_TOKEN[origin](applicationId), failure.detail, { cause: failure })
  }
}
