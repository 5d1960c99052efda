/** GET_TOKEN, REFRESH_TOKEN: the token endpoint; the daemon stores the tokens that it returns. */
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { UnauthenticatedRequests } from '../../accounting/unauthenticated-requests.ts'
import type { TokenEndpoint } from '../../auth/auth.ts'
import type { HandlerMap } from '../context.ts'
import type { AccountEvents } from './account-events.ts'
import { requireOwnApplication } from './own-application.ts'
import { type HeldCodes, heldUserOf } from './held-sign-ins.ts'
import { mergeOf, type TokenIntake } from './token-intake.ts'

export interface TokenDeps {
  readonly tokenEndpoint: Pick<TokenEndpoint, 'exchange' | 'refresh'>
  readonly unauthenticatedRequests: UnauthenticatedRequests
  readonly accountEvents: AccountEvents
  readonly tokenIntake: TokenIntake
  readonly heldCodes: HeldCodes
}

/** Whether it is invalid_grant (RFC 6749), in the form of OAuth 2 errors on the local protocol. */
const isInvalidGrant = (failure: unknown): boolean =>
  failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR' && failure.message.startsWith('OAuth2 Error: invalid_grant')

export const tokenHandlers = ({ tokenEndpoint, unauthenticatedRequests, accountEvents, tokenIntake, heldCodes }: TokenDeps) =>
  ({
    GET_TOKEN: (args, context) => {
      const { session } = context
      const applicationId = requireOwnApplication(args.application_id ?? undefined, session)
      const merge = mergeOf(args)
      const codeVerifier = new Secret(args.code_verifier)
      const held = heldCodes.take(args.code, codeVerifier, session)
      return context.withDeadline(async (call) => {
        const request = {
          applicationId,
          code: new Secret(args.code),
          codeVerifier,
          redirectUri: args.redirect_uri,
          ...held,
          ...merge,
        }
        const exchange = () => unauthenticatedRequests.run(session.program, () => tokenEndpoint.exchange(request, call.signal))
        if (held !== undefined) return (await tokenIntake.exchangeAndHold(merge, session, call, exchange)).response
        return tokenIntake.exchangeAndStore(merge, session, call, exchange)
      })
    },

    REFRESH_TOKEN: (args, context) => {
      const { session } = context
      const applicationId = requireOwnApplication(args.application_id ?? undefined, session)
      const heldUser = heldUserOf(args.refresh_token)
      if (heldUser !== undefined) return context.withDeadline(() => tokenIntake.heldAgain(heldUser, session))
      return context.withDeadline(async (call) => {
        const request = { applicationId, refreshToken: new Secret(args.refresh_token) }
        try {
          const grant = await unauthenticatedRequests.run(session.program, () => tokenEndpoint.refresh(request, call.signal))
          return await tokenIntake.storeAndRespond(grant, 'refreshed', session, call)
        } catch (failure) {
          // A refresh token may just be used up. The account ends here only if its access tokens are invalid too.
          if (isInvalidGrant(failure)) await accountEvents.recordInvalidated(session, 'refresh_refused', call)
          throw failure
        }
      })
    },
  }) satisfies Partial<HandlerMap>
