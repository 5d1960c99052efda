/** GET_PROVISIONAL_TOKEN, UNMERGE_PROVISIONAL_ACCOUNT: accounts that the platform creates for an external identity. */
import { ENDPOINTS, type ParsedArgsOf, type ProvisionalToken } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import type { TokenGrant } from '../../auth/auth.ts'
import type { HandlerMap } from '../context.ts'
import type { AccountEvents } from './account-events.ts'
import { asApplication, type AsApplicationDeps } from './as-application.ts'
import { requireOwnApplication } from './own-application.ts'
import { notKeptFields, type TokenIntake } from './token-intake.ts'

export interface ProvisionalAccountDeps extends AsApplicationDeps {
  readonly accounts: Pick<Accounts, 'stateOf'>
  readonly accountEvents: AccountEvents
  readonly tokenIntake: TokenIntake
}

const identityBody = (args: ParsedArgsOf<'GET_PROVISIONAL_TOKEN'>, applicationId: string) => ({
  client_id: applicationId,
  external_auth_type: args.external_auth_type,
  external_auth_token: args.external_auth_token,
})

/** Drops a refresh token: a provisional account signs in again with a token of its provider. */
const toTokenGrant = ({ access_token, id_token, scope, expires_in }: ProvisionalToken): TokenGrant => ({
  accessToken: new Secret(access_token),
  ...(id_token == null ? {} : { idToken: new Secret(id_token) }),
  scopes: scope.split(' ').filter(Boolean),
  expiresIn: expires_in,
})

export function provisionalAccountHandlers(deps: ProvisionalAccountDeps) {
  const { accounts, accountEvents, tokenIntake } = deps
  return {
    GET_PROVISIONAL_TOKEN: (args, context) => {
      const { session } = context
      const applicationId = requireOwnApplication(args.application_id, session)
      return context.withDeadline(async (call) => {
        const request = asApplication(ENDPOINTS.REQUEST_PROVISIONAL_TOKEN, identityBody(args, applicationId), session, call, deps)
        const answer = (await accountEvents.withAccountState(applicationId, [], request)) as ProvisionalToken
        const grant = toTokenGrant(answer)
        const stored = await tokenIntake.store(grant, 'provisional_token', session, call)
        const { userId } = stored
        const { access_token, token_type, expires_in, scope, id_token } = answer
        const state = userId === undefined ? {} : { account_state: await accounts.stateOf({ applicationId, userId }) }
        const held = tokenIntake.heldInPlace(grant, stored, session)
        if (held !== undefined) return { ...held, ...state }
        return {
          access_token,
          token_type,
          expires_in,
          scope,
          ...(id_token == null ? {} : { id_token }),
          ...state,
          ...notKeptFields(stored),
        }
      })
    },

    UNMERGE_PROVISIONAL_ACCOUNT: (args, context) => {
      const { session } = context
      const applicationId = requireOwnApplication(args.application_id, session)
      return context.withDeadline(async (call) => {
        await asApplication(ENDPOINTS.REQUEST_PROVISIONAL_ACCOUNT_UNMERGE, identityBody(args, applicationId), session, call, deps)
        await accountEvents.recordInvalidated(session, 'unmerged', call)
        return null
      })
    },
  } satisfies Partial<HandlerMap>
}
