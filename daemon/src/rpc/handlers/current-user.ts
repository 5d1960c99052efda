/** GET_CURRENT_USER_V2: who is signed in, asked at any time. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import type { Handler } from '../context.ts'
import { forward } from './forward.ts'

const fromPlatform = forward(ENDPOINTS.GET_CURRENT_USER)

export const getCurrentUserV2: Handler<'GET_CURRENT_USER_V2'> = (_args, context) =>
  context.caller.signedIn === undefined ? null : (fromPlatform({}, context, undefined) as Promise<DataOf<'GET_CURRENT_USER'>>)
