/** GET_CURRENT_USER_V2: the signed-in user, or null. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import type { HandlerMap } from '../context.ts'
import { forward, type ForwardDeps } from './forward.ts'

export function currentUserHandlers(deps: ForwardDeps) {
  const fromPlatform = forward(ENDPOINTS.GET_CURRENT_USER, deps)
  return {
    GET_CURRENT_USER_V2: (_args, context) =>
      context.session.signedIn === undefined ? null : (fromPlatform({}, context) as Promise<DataOf<'GET_CURRENT_USER'>>),
  } satisfies Partial<HandlerMap>
}
