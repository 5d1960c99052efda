/** AUTHORIZE_DEVICE, GET_TOKEN_FROM_DEVICE: sign-in on devices without a browser. */
import { LIMITS } from '@sallyport/protocol'
import type { UnauthenticatedRequests } from '../../accounting/unauthenticated-requests.ts'
import type { DeviceSignIns } from '../../auth/auth.ts'
import type { Grants } from '../../auth/grants/grants.ts'
import { deniedFor, requestable } from '../../auth/grants/terms.ts'
import type { HandlerMap } from '../context.ts'
import { requestedScopes } from './authorization-request.ts'
import { CONSENT_GRACE_MS } from './authorize.ts'
import { requireOwnApplication } from './own-application.ts'
import { mergeOf, type TokenIntake } from './token-intake.ts'

export interface DeviceDeps {
  readonly devices: DeviceSignIns
  readonly grants: Pick<Grants, 'forPath'>
  readonly unauthenticatedRequests: UnauthenticatedRequests
  readonly tokenIntake: TokenIntake
}

export const deviceHandlers = ({ devices, grants, unauthenticatedRequests, tokenIntake }: DeviceDeps) =>
  ({
    AUTHORIZE_DEVICE: (args, context) => {
      const { session } = context
      requireOwnApplication(args.client_id ?? undefined, session)
      return context.withDeadline(async ({ signal }) => {
        const { scopes } = requestable(requestedScopes(args), deniedFor(grants, session))
        const begin = () => devices.begin(session.signInOwner, scopes, signal)
        const authorization = await unauthenticatedRequests.run(session.program, begin)
        const { userCode, verificationUri, verificationUriComplete, expiresIn, interval } = authorization
        return {
          user_code: userCode,
          verification_uri: verificationUri,
          ...(verificationUriComplete === undefined ? {} : { verification_uri_complete: verificationUriComplete }),
          expires_in: expiresIn,
          interval,
        }
      })
    },

    GET_TOKEN_FROM_DEVICE: (args, context) => {
      const { session } = context
      requireOwnApplication(args.application_id, session)
      const merge = mergeOf(args)
      return context.withDeadline((call) => {
        const request = { owner: session.signInOwner, userCode: args.user_code, ...merge }
        return tokenIntake.exchangeAndStore(merge, session, call, () => devices.collect(request, call.signal))
      }, LIMITS.authorizationMs.value + CONSENT_GRACE_MS)
    },
  }) satisfies Partial<HandlerMap>
