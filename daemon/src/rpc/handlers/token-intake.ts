/** Stores the tokens that a command received from the platform. */
import { SECOND_MS } from '@sallyport/core/durations'
import type { ParsedArgsOf } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import type { AccountEvent } from '../../auth/accounts/machine.ts'
import type { ExternalIdentity, TokenGrant, TokenStore } from '../../auth/auth.ts'
import type { Grants } from '../../auth/grants/grants.ts'
import { deniedFor, requestable } from '../../auth/grants/terms.ts'
import { isKnown } from '../../identity/program.ts'
import type { CallLimits } from '../../platform/api/forwarder-port.ts'
import { type ProgramCheckDeps, readDigest, verifyProgram } from '../../sessions/program-check.ts'
import type { Session } from '../../sessions/session.ts'
import type { AccountEvents } from './account-events.ts'
import { heldResponse } from './held-sign-ins.ts'
import type { ProgramTokens } from './program-tokens.ts'
import type { TokenInspector } from './token-inspector.ts'

export interface TokenIntakeDeps extends Pick<ProgramCheckDeps, 'contents'> {
  readonly tokenInspector: TokenInspector
  readonly programTokens: ProgramTokens
  readonly accountEvents: AccountEvents
  readonly accounts: Pick<Accounts, 'apply'>
  readonly grants: Pick<Grants, 'allow' | 'find' | 'forPath'> & ProgramCheckDeps['grants']
  readonly tokenStore: Pick<TokenStore, 'store'>
  readonly clock: Clock
  readonly log: Logger
}

const NOT_STORED = {
  unnamedUser: 'The platform does not name the user of these tokens to the bridge: request the scope identify.',
  unknownProgram: 'The bridge cannot distinguish this program from others that run in the same way, such as scripts of one interpreter.',
  failure: 'The bridge failed to store them: read its log.',
} as const

/** Why the daemon did not store the tokens, if it did not. */
interface StoreResult {
  readonly notStored?: keyof typeof NOT_STORED
  /** The user of the tokens, if known and recorded. */
  readonly userId?: string
}

/** For a game that must pass its tokens itself, because the daemon did not store them. */
export const notKeptFields = ({ notStored }: StoreResult): { kept?: false; not_kept_reason?: string } =>
  notStored === undefined ? {} : { kept: false, not_kept_reason: NOT_STORED[notStored] }

/** The response to the game, in the form of the token endpoint's response. */
const tokenResponse = (grant: TokenGrant, result: StoreResult) => ({
  access_token: grant.accessToken.reveal(),
  token_type: 'Bearer',
  expires_in: grant.expiresIn,
  scope: grant.scopes.join(' '),
  ...(grant.refreshToken === undefined ? {} : { refresh_token: grant.refreshToken.reveal() }),
  ...(grant.idToken === undefined ? {} : { id_token: grant.idToken.reveal() }),
  ...notKeptFields(result),
})

/** An exchange that may merge a provisional account. */
interface Merge {
  readonly merge?: ExternalIdentity
}

/** Both halves of an external identity, or neither. */
export function mergeOf({
  external_auth_type: type,
  external_auth_token: token,
}: Pick<ParsedArgsOf<'GET_TOKEN'>, 'external_auth_type' | 'external_auth_token'>): Merge {
  if (type === undefined && token === undefined) return {}
  if (type !== undefined && token !== undefined) return { merge: { type, token: new Secret(token) } }
  const path = type === undefined ? 'external_auth_type' : 'external_auth_token'
  throw new BridgeError('INVALID_PAYLOAD', `A merge needs external_auth_type and external_auth_token; ${path} is missing.`, { path })
}

export class TokenIntake {
  readonly #deps: TokenIntakeDeps

  constructor(deps: TokenIntakeDeps) {
    this.#deps = deps
  }

  /** Stores the tokens for this program if the platform identifies their user. Never rejects: the code is used up, so the game gets them anyway. */
  async store(grant: TokenGrant, origin: AccountEvent, session: Session, limits: CallLimits): Promise<StoreResult> {
    try {
      return await this.#storeForProgram(grant, origin, session, limits)
    } catch (failure) {
      this.#deps.log.warn('tokens-not-stored', { application: session.applicationId, err: failure })
      return { notStored: 'failure' }
    }
  }

  /**
   * Stores the tokens and returns the response to the game: the tokens, or held ones in their place when they give more than the user allows the
   * program. Rejects with SERVICE_UNAVAILABLE when tokens that the game must not get cannot be stored.
   */
  async storeAndRespond(grant: TokenGrant, origin: AccountEvent, session: Session, limits: CallLimits) {
    const result = await this.store(grant, origin, session, limits)
    return this.heldInPlace(grant, result, session) ?? tokenResponse(grant, result)
  }

  /** The response in place of tokens that give more than the user allows the program; undefined for others. Throws like `storeAndRespond`. */
  heldInPlace(grant: TokenGrant, result: StoreResult, session: Session) {
    const { isWider } = requestable(grant.scopes, deniedFor(this.#deps.grants, session))
    return isWider ? this.#held(grant, result, session).response : undefined
  }

  /** Runs an exchange whose tokens give more than the user allows the program, so that only the daemon has them. */
  async exchangeAndHold({ merge }: Merge, session: Session, limits: CallLimits, exchange: () => Promise<TokenGrant>) {
    const { accountEvents } = this.#deps
    const grant = await accountEvents.withAccountState(session.applicationId, [], exchange())
    const result = await this.store(grant, merge === undefined ? 'code_exchanged' : 'merged', session, limits)
    return this.#held(grant, result, session)
  }

  #held(grant: TokenGrant, { notStored, userId }: StoreResult, { program, applicationId }: Session) {
    if (notStored !== undefined || userId === undefined)
      throw new BridgeError(
        'SERVICE_UNAVAILABLE',
        'The bridge could not store the tokens of this sign-in; see its log, and authorize again.',
      )
    const denied = this.#deps.grants.find({ program, applicationId, userId })?.deniedScopes ?? []
    return { userId, response: heldResponse(userId, grant.scopes, denied, grant.expiresIn) }
  }

  /** The response for a held token that the game refreshes: the daemon refreshes the tokens behind it by itself. */
  async heldAgain(userId: string, session: Session) {
    const { programTokens, grants, clock } = this.#deps
    const { program, applicationId } = session
    const tokens = (await programTokens.stored(session)).find((one) => one.userId === userId)
    if (tokens === undefined)
      throw new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: invalid_grant: The user ended this sign-in; authorize again.')
    const denied = grants.find({ program, applicationId, userId })?.deniedScopes ?? []
    return heldResponse(userId, tokens.scopes, denied, Math.max(0, Math.floor((tokens.expiresAt - clock.now()) / SECOND_MS)))
  }

  /** Runs an exchange that the user allowed, stores its tokens and returns the response. */
  async exchangeAndStore({ merge }: Merge, session: Session, limits: CallLimits, exchange: () => Promise<TokenGrant>) {
    const { accountEvents, programTokens } = this.#deps
    // A merge ends the provisional account of the identity, which this session may use.
    const before = merge === undefined ? [] : await programTokens.inUse(session)
    const grant = await accountEvents.withAccountState(session.applicationId, before, exchange())
    const response = await this.storeAndRespond(grant, merge === undefined ? 'code_exchanged' : 'merged', session, limits)
    await accountEvents.recordInvalidated(session, 'absorbed', limits, before)
    return response
  }

  async #storeForProgram(grant: TokenGrant, origin: AccountEvent, session: Session, limits: CallLimits): Promise<StoreResult> {
    const { tokenInspector, contents, accounts, tokenStore, grants, clock } = this.#deps
    const { applicationId } = session
    const { user, application } = await tokenInspector.inspect(grant.accessToken, applicationId, limits)
    if (user === undefined) return { notStored: 'unnamedUser' }
    await verifyProgram(session, this.#deps)
    await readDigest(session, contents)
    const account = session.account(user.id)
    await accounts.apply(account, origin)
    // An unidentified program must store its tokens itself, because others like it cannot be distinguished. The command line is the exception.
    if (!isKnown(session.program) && session.program.session === undefined) return { notStored: 'unknownProgram', userId: user.id }
    await tokenStore.store(account, {
      applicationId,
      userId: user.id,
      accessToken: grant.accessToken,
      ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
      scopes: grant.scopes,
      expiresAt: clock.now() + grant.expiresIn * SECOND_MS,
    })
    const names = { applicationName: application.name, username: user.username }
    grants.allow({ program: session.program, applicationId, userId: user.id }, grant.scopes, names)
    return { userId: user.id }
  }
}
