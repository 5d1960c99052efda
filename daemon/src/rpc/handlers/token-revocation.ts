/** REVOKE_TOKEN, FORGET_TOKENS: end the use of tokens at the platform and here. */
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { UnauthenticatedRequests } from '../../accounting/unauthenticated-requests.ts'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import type { TokenEndpoint } from '../../auth/auth.ts'
import type { TokenSet } from '../../auth/vault/vault.ts'
import type { Session } from '../../sessions/session.ts'
import type { CallDeadline } from '../../sessions/timed-call.ts'
import type { HandlerMap } from '../context.ts'
import { heldUserOf } from './held-sign-ins.ts'
import { requireOwnApplication } from './own-application.ts'
import type { ProgramTokens } from './program-tokens.ts'
import type { TokenInspector } from './token-inspector.ts'

export interface TokenRevocationDeps {
  readonly tokenEndpoint: Pick<TokenEndpoint, 'revoke'>
  readonly unauthenticatedRequests: UnauthenticatedRequests
  readonly accounts: Pick<Accounts, 'apply'>
  readonly programTokens: ProgramTokens
  readonly tokenInspector: TokenInspector
  readonly log: Logger
}

export function tokenRevocationHandlers(deps: TokenRevocationDeps) {
  const { tokenEndpoint, unauthenticatedRequests, accounts, programTokens, tokenInspector, log } = deps

  /** The user of a token: from the platform for an access token, from the store for a refresh token. Called before the revocation. */
  const ownerOf = async (token: Secret<string>, session: Session, call: CallDeadline): Promise<string | undefined> => {
    const stored = await programTokens.stored(session)
    const match = stored.find(({ refreshToken: candidate }) => candidate?.reveal() === token.reveal())
    if (match !== undefined) return match.userId
    try {
      return (await tokenInspector.inspectOwn(token, session, call)).user?.id
    } catch {
      // Of another application, already invalid, or no access token: no account here uses it.
      return undefined
    }
  }

  /** Revokes the tokens at the platform if it is reachable. Signing out must work offline too: then the tokens are only deleted here. */
  const revokeAtPlatform = async ({ applicationId, refreshToken, accessToken }: TokenSet, call: CallDeadline): Promise<void> => {
    try {
      await tokenEndpoint.revoke({ applicationId, token: refreshToken ?? accessToken }, call.signal)
    } catch (failure) {
      log.warn('revocation-failed', { application: applicationId, err: failure })
    }
  }

  /** Deletes and revokes the stored tokens of the program, of one user or of all. */
  const forget = async (session: Session, call: CallDeadline, userId?: string): Promise<null> => {
    for (const tokens of await programTokens.stored(session)) {
      if (userId !== undefined && tokens.userId !== userId) continue
      await revokeAtPlatform(tokens, call)
      await accounts.apply({ applicationId: session.applicationId, userId: tokens.userId }, 'revoked_by_user', 'The user signed out.')
    }
    return null
  }

  return {
    REVOKE_TOKEN: (args, context) => {
      const { session } = context
      const applicationId = requireOwnApplication(args.application_id ?? undefined, session)
      return context.withDeadline(async (call) => {
        const heldUser = heldUserOf(args.token)
        if (heldUser !== undefined) return forget(context.session, call, heldUser)
        const token = new Secret(args.token)
        const owner = await ownerOf(token, session, call)
        await unauthenticatedRequests.run(session.program, () => tokenEndpoint.revoke({ applicationId, token }, call.signal))
        if (owner !== undefined) await accounts.apply({ applicationId, userId: owner }, 'revoked_by_game', 'The game revoked the token.')
        return null
      })
    },

    FORGET_TOKENS: (args, context) => {
      const { session } = context
      requireOwnApplication(args.application_id ?? undefined, session)
      return context.withDeadline((call) => forget(session, call))
    },
  } satisfies Partial<HandlerMap>
}
