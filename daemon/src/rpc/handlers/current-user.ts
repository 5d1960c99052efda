/** GET_CURRENT_USER_V2: the signed-in user, or null. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import type { Handler } from '../context.ts'
import { forward } from './forward.ts'

const fromPlatform = forward(ENDPOINTS.GET_CURRENT_USER)

export const getCurrentUserV2: Handler<'GET_CURRENT_USER_V2'> = (_args, context) =>
  context.session.signedIn === undefined ? null : (fromPlatform({}, context, undefined) as Promise<DataOf<'GET_CURRENT_USER'>>)
