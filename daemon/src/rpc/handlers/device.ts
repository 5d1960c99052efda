/** AUTHORIZE_DEVICE, GET_TOKEN_FROM_DEVICE: sign-in on devices without a browser. */
import { LIMITS } from '@sallyport/protocol'
import type { Handler } from '../context.ts'
import { requestedScopes } from './authorization-request.ts'
import { CONSENT_GRACE_MS, requireOwnApplication } from './authorize.ts'
import { exchangeAndStore, mergeOf } from './tokens.ts'

export const authorizeDevice: Handler<'AUTHORIZE_DEVICE'> = (args, context) => {
  const { session, services } = context
  requireOwnApplication(args.client_id ?? undefined, context)
  return context.withDeadline(async ({ signal }) => {
    const begin = () => services.devices.begin(session.signInOwner, requestedScopes(args), signal)
    const authorization = await services.unverifiedRequests.run(session.program, begin)
    const { userCode, verificationUri, verificationUriComplete, expiresIn, interval } = authorization
    return {
      user_code: userCode,
      verification_uri: verificationUri,
      ...(verificationUriComplete === undefined ? {} : { verification_uri_complete: verificationUriComplete }),
      expires_in: expiresIn,
      interval,
    }
  })
}

export const getTokenFromDevice: Handler<'GET_TOKEN_FROM_DEVICE'> = (args, context) => {
  const { session, services } = context
  requireOwnApplication(args.application_id, context)
  const merge = mergeOf(args)
  return context.withDeadline(async (call) => {
    const request = { owner: session.signInOwner, userCode: args.user_code, ...merge }
    return exchangeAndStore(merge, context, call, () => services.devices.collect(request, call.signal))
  }, LIMITS.authorizationMs.value + CONSENT_GRACE_MS)
}
