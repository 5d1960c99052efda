/** The signed-in user, for callers that may call before signing in. */
import { User } from '../records/user.ts'
import { noArguments } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const getCurrentUserV2 = defineCommand({
  name: 'GET_CURRENT_USER_V2',
  summary: 'The user of this connection; null if it is not signed in.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: () => User().nullable(),
  errors: ['INVALID_TOKEN', 'RATE_LIMITED'],
  provenance: 'sallyport',
})
