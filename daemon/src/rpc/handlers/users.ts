/** GET_USER, GET_RELATIONSHIPS: from the desktop client, else from the user's own data and gateway connection. */
import { anyOf, ENDPOINTS, type RpcUser, satisfies } from '@sallyport/protocol'
import { userFrom } from '../../events/providers/gateway/cache/user-cache.ts'
import type { UserRequests } from '../../events/providers/gateway/user-requests.ts'
import type { LocalUser } from '../../sessions/local-user.ts'
import { awaitsSignIn, requireScopes } from '../../sessions/required-scopes.ts'
import type { Session } from '../../sessions/session.ts'
import type { CallDeadline } from '../../sessions/timed-call.ts'
import type { HandlerMap } from '../context.ts'
import { clientFirst } from './client-first.ts'
import type { DesktopClientDeps } from './desktop-client.ts'
import type { ForwardDeps } from './forward.ts'

export interface UserDeps extends DesktopClientDeps, ForwardDeps {
  /** What the gateway connections know about users, guilds and channels. */
  readonly userRequests: UserRequests
  /** The user in READY. */
  readonly localUser: Pick<LocalUser, 'user'>
}

const READS_RELATIONSHIPS = anyOf('relationships.read')

/** Libraries of the platform's older SDK ask once, when they connect, and read the list of any answer. They get the relationships as events later. */
const BEFORE_SIGN_IN = {
  relationships: [],
  unserved: 'No user signed in, so there are no relationships: call AUTHENTICATE. RELATIONSHIP_UPDATE brings them then.',
}

export function userHandlers(deps: UserDeps) {
  const { api, userRequests, localUser } = deps

  /** Undefined without the scope to read it. */
  const ownUser = async (session: Session, call: CallDeadline): Promise<RpcUser | undefined> =>
    satisfies(ENDPOINTS.GET_CURRENT_USER.requires, session.scopes)
      ? userFrom(await api.asSessionWithin(call, session, ENDPOINTS.GET_CURRENT_USER, {}))
      : undefined

  const relationships = clientFirst(
    'GET_RELATIONSHIPS',
    async (_args, session, call) => {
      const { relationships: known, leftOut } = await userRequests.relationships(session, call.cancelSignal)
      return { relationships: [...known], ...(leftOut === 0 ? {} : { left_out: leftOut }) }
    },
    deps,
  )

  return {
    GET_USER: clientFirst(
      'GET_USER',
      async ({ id }, session, call) => {
        const own = session.signedIn?.userId === id ? await ownUser(session, call) : undefined
        return own ?? userRequests.user(session, id) ?? (localUser.user.id === id ? localUser.user : null)
      },
      deps,
    ),

    GET_RELATIONSHIPS: (args, context) => {
      if (awaitsSignIn(context.session)) return BEFORE_SIGN_IN
      requireScopes('GET_RELATIONSHIPS', READS_RELATIONSHIPS, context.session)
      return relationships(args, context)
    },
  } satisfies Partial<HandlerMap>
}
