/** GET_USER, GET_IMAGE, GET_RELATIONSHIPS, USER_SETTINGS_GET_LOCALE: from the desktop client, else from the platform. */
import { anyOf, type DataOf, ENDPOINTS, type RpcUser, satisfies } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { userFrom } from '../../events/providers/gateway/cache/user-cache.ts'
import type { UserRequests } from '../../events/providers/gateway/user-requests.ts'
import { avatarUrl } from '../../events/user-avatar.ts'
import type { Applications } from '../../platform/applications/applications.ts'
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
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly applications: Pick<Applications, 'download'>
}

const READS_RELATIONSHIPS = anyOf('relationships.read')

/** Libraries of the platform's older SDK ask once, when they connect, and read the list of any answer. They get the relationships as events later. */
const BEFORE_SIGN_IN = {
  relationships: [],
  unserved: 'No user signed in, so there are no relationships: call AUTHENTICATE. RELATIONSHIP_UPDATE brings them then.',
}

const isAbout = (failure: unknown, error: BridgeError['error']): boolean => failure instanceof BridgeError && failure.error === error

const unknownUser = (id: string): BridgeError =>
  new BridgeError('INVALID_USER', `There is no user ${id} among those that this game can ask about.`, { path: 'id' })

const noWayToAsk = (): BridgeError =>
  new BridgeError(
    'SERVICE_UNAVAILABLE',
    'Without the desktop client, a friend is found with the scope gateway.connect, and any user with the bot token of the application.',
  )

export function userHandlers(deps: UserDeps) {
  const { api, userRequests, localUser, imageOrigin, applications } = deps

  const ownAccount = async (session: Session, call: CallDeadline) =>
    (await api.asSessionWithin(call, session, ENDPOINTS.GET_CURRENT_USER, {})) as DataOf<'GET_CURRENT_USER'>

  /** Undefined without the scope to read it. */
  const ownUser = async (session: Session, call: CallDeadline): Promise<RpcUser | undefined> =>
    satisfies(ENDPOINTS.GET_CURRENT_USER.requires, session.scopes) ? userFrom(await ownAccount(session, call)) : undefined

  /** Undefined where this game may not use a bot. A bot may ask about every user. */
  const byBot = async (user_id: string, session: Session, call: CallDeadline): Promise<RpcUser | undefined> => {
    if (api.plan(session, ENDPOINTS.GET_USER_BY_BOT, { user_id }).needsConsent) return undefined
    try {
      return userFrom(await api.asSessionWithin(call, session, ENDPOINTS.GET_USER_BY_BOT, { user_id }))
    } catch (failure) {
      if (isAbout(failure, 'INVALID_USER')) throw unknownUser(user_id)
      if (isAbout(failure, 'INVALID_PERMISSIONS')) return undefined
      throw failure
    }
  }

  const userOf = async (id: string, session: Session, call: CallDeadline): Promise<RpcUser> => {
    const own = session.signedIn?.userId === id ? await ownUser(session, call) : undefined
    const known = own ?? (localUser.user.id === id ? localUser.user : undefined) ?? (await byBot(id, session, call))
    if (known !== undefined) return known
    if (!userRequests.mayAsk(session)) throw noWayToAsk()
    const named = await userRequests.user(session, id, call.cancelSignal)
    if (named === undefined) throw unknownUser(id)
    return named
  }

  const relationships = clientFirst(
    'GET_RELATIONSHIPS',
    async (_args, session, call) => {
      const { relationships: known, leftOut } = await userRequests.relationships(session, call.cancelSignal)
      return { relationships: [...known], ...(leftOut === 0 ? {} : { left_out: leftOut }) }
    },
    deps,
  )

  return {
    GET_USER: clientFirst('GET_USER', ({ id }, session, call) => userOf(id, session, call), deps),

    GET_IMAGE: clientFirst(
      'GET_IMAGE',
      async ({ id, format, size }, session, call) => {
        const url = avatarUrl(await userOf(id, session, call), { format, size }, imageOrigin)
        const image = await applications.download(url)
        if (image === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', 'The platform sent no picture for this user.')
        return { data_url: `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}` }
      },
      deps,
    ),

    USER_SETTINGS_GET_LOCALE: clientFirst(
      'USER_SETTINGS_GET_LOCALE',
      async (_args, session, call) => {
        requireScopes('Without the desktop client, USER_SETTINGS_GET_LOCALE', ENDPOINTS.GET_CURRENT_USER.requires, session)
        const { locale } = await ownAccount(session, call)
        if (locale == null) throw new BridgeError('SERVICE_UNAVAILABLE', 'The platform names no locale of this user.')
        return { locale }
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
