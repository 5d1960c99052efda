/** Who is signed in, for callers that may ask too early. */
import { User } from '../records/user.ts'
import { noArguments } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const getCurrentUserV2 = defineCommand({
  name: 'GET_CURRENT_USER_V2',
  summary: 'The user this connection is signed in as; null, not an error, while nobody is.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: User.nullable(),
  errors: ['INVALID_TOKEN', 'RATE_LIMITED'],
  provenance: 'sallyport',
})
