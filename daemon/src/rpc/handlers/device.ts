/** AUTHORIZE_DEVICE, GET_TOKEN_FROM_DEVICE: signing in where no browser can be opened. */
import { LIMITS } from '@sallyport/protocol'
import type { Handler } from '../context.ts'
import { requestedScopes } from './authorization-request.ts'
import { CONSENT_GRACE_MS, ownApplication } from './authorize.ts'
import { exchanged, mergeOf } from './tokens.ts'

export const authorizeDevice: Handler<'AUTHORIZE_DEVICE'> = (args, context) => {
  const { caller, services } = context
  ownApplication(args.client_id ?? undefined, context)
  return context.wait(async ({ signal }) => {
    const begin = () => services.devices.begin(caller.holder, requestedScopes(args), signal)
    const begun = await services.strangers.run(caller.program, begin)
    const { userCode, verificationUri, verificationUriComplete, expiresIn, interval } = begun
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
  const { caller, services } = context
  ownApplication(args.application_id, context)
  const merge = mergeOf(args)
  return context.wait(async (call) => {
    const request = { holder: caller.holder, userCode: args.user_code, ...merge }
    return exchanged(merge, context, call, () => services.devices.collect(request, call.signal))
  }, LIMITS.authorizationMs.value + CONSENT_GRACE_MS)
}
