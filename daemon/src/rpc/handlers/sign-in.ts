/** Signs a session in with a token after the platform accepted it. */
import { expandScopes, type RpcUser, withAllowedPremium } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import type { GrantKey, Grants } from '../../auth/grants/grants.ts'
import { grantedScopes, withoutDenied } from '../../auth/grants/terms.ts'
import type { SubscriptionRegistry } from '../../events/subscription-registry.ts'
import type { CallLimits } from '../../platform/api/forwarder-port.ts'
import { touchGrant } from '../../sessions/grant-use.ts'
import type { LocalUser } from '../../sessions/local-user.ts'
import type { Participants } from '../../sessions/participants.ts'
import { AUTHENTICATED_SCOPE } from '../../sessions/required-scopes.ts'
import type { Session, SignedIn } from '../../sessions/session.ts'
import type { ProgramTokens } from './program-tokens.ts'
import type { TokenInformation, TokenInspector } from './token-inspector.ts'

export interface SignInDeps {
  readonly tokenInspector: TokenInspector
  readonly programTokens: ProgramTokens
  /** The state of each account in use. */
  readonly accounts: Pick<Accounts, 'tokenAccepted'>
  readonly grants: Pick<Grants, 'allow' | 'find' | 'recordOwnToken' | 'touch'>
  readonly localUser: Pick<LocalUser, 'signedIn'>
  readonly participants: Pick<Participants, 'signedIn'>
  readonly subscriptions: Pick<SubscriptionRegistry<Session>, 'scopesChanged'>
  readonly log: Logger
}

/** A token that the platform accepted for the application of the session. */
interface AcceptedToken {
  readonly token: Secret<string>
  /** The daemon stores the token. */
  readonly isManaged: boolean
  /** The scopes of the token that this program was granted; all if absent. */
  readonly granted?: readonly string[]
}

const asRpcUser = (user: NonNullable<TokenInformation['user']>): RpcUser => ({
  id: user.id,
  username: user.username,
  discriminator: user.discriminator,
  avatar: user.avatar,
  global_name: user.global_name ?? null,
  bot: user.bot ?? false,
  flags: user.public_flags ?? 0,
  public_flags: user.public_flags ?? 0,
  premium_type: user.premium_type ?? 0,
})

const displayNames = ({ user, application }: TokenInformation) => ({ applicationName: application.name, username: user?.username })

export class SignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** Signs in with a token from the game, independent of any stored token. */
  async withToken(given: string, session: Session, limits: CallLimits) {
    const token = new Secret(given)
    const isStored = this.#isStored(given, session)
    const information = await this.#deps.tokenInspector.inspectUnlessStored(token, session, limits, isStored)
    const bound = await this.#bind({ token, isManaged: await isStored }, information, session)
    return { ...bound, access_token: given }
  }

  /** Signs in with a stored token. `granted`: the scopes of the token that this program was granted. */
  async withStoredToken(token: Secret<string>, granted: readonly string[], session: Session, limits: CallLimits) {
    const information = await this.#deps.tokenInspector.inspect(token, session.applicationId, limits)
    return this.#bind({ token, isManaged: true, granted }, information, session)
  }

  async #bind({ token, isManaged, granted }: AcceptedToken, information: TokenInformation, session: Session) {
    const { accounts, grants, localUser, participants, subscriptions } = this.#deps
    const { applicationId, program } = session
    const { user, application } = information
    if (user === undefined) {
      throw new BridgeError(
        'INVALID_TOKEN',
        'The token does not name its user; call AUTHORIZE, which asks for the scope identify, and exchange its code for a new token.',
      )
    }
    const key = { program, applicationId, userId: user.id }
    await accounts.tokenAccepted(key, token)
    if (granted === undefined) this.#recordOwnToken(key, information, session)
    else touchGrant(key, displayNames(information), this.#deps)
    const expiresAt = Date.parse(information.expires)
    const scopes = granted === undefined ? information.scopes : grantedScopes(information.scopes, granted)
    const signedIn: SignedIn = {
      userId: user.id,
      username: user.username,
      applicationName: application.name,
      accessToken: token,
      isManaged,
      expiresAt: Number.isNaN(expiresAt) ? Number.POSITIVE_INFINITY : expiresAt,
    }
    const denied = grants.find(key)?.deniedScopes ?? []
    session.signIn(signedIn, [AUTHENTICATED_SCOPE, ...expandScopes(scopes)], denied)
    const rpcUser = asRpcUser(withAllowedPremium(user, session.scopes))
    // A page must not change the local user of this machine.
    if (session.connection.peer.trust !== 'origin') localUser.signedIn(rpcUser)
    subscriptions.scopesChanged(session)
    participants.signedIn(session, rpcUser)
    return { user: rpcUser, scopes: [...withoutDenied(scopes, denied)], expires: information.expires, application }
  }

  /** Records the token that a game supplied: as allowed, if the user allowed these scopes on this connection and the game exchanged the code. */
  #recordOwnToken(key: GrantKey, information: TokenInformation, { allowances }: Session): void {
    const { grants } = this.#deps
    const { scopes } = information
    if (allowances.covers(undefined, scopes)) grants.allow(key, scopes, displayNames(information))
    else grants.recordOwnToken(key, scopes, displayNames(information))
  }

  /** Whether the daemon stores this token for this program. False while the vault does not open. */
  async #isStored(token: string, session: Session): Promise<boolean> {
    if (session.connection.peer.trust === 'origin') return false
    try {
      return (await this.#deps.programTokens.stored(session)).some(({ accessToken }) => accessToken.reveal() === token)
    } catch (failure) {
      if (failure instanceof BridgeError) return false
      throw failure
    }
  }
}
