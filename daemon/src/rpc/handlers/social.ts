/** Commands of invites and join requests: sent via the desktop client if it runs, else via the platform's API as the signed-in user. */
import { type DataOf, ENDPOINTS, MESSAGE_ACTIVITY_TYPES, type ParsedArgsOf } from '@sallyport/protocol'
import type { AccountKey } from '@sallyport/core/account-key'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { requireScopes } from '../../sessions/required-scopes.ts'
import type { Social } from '../../social/social.ts'
import type { CallContext, HandlerMap } from '../context.ts'
import type { DesktopClientDeps } from './desktop-client.ts'
import { forward, type ForwardDeps } from './forward.ts'
import { type UserMessageDeps, withHistory } from './user-messages.ts'

export interface SocialDeps extends DesktopClientDeps, ForwardDeps, Pick<UserMessageDeps, 'messageHistory'> {
  /** Invites and join requests. */
  readonly social: Omit<Social, 'launcher'>
}

type JoinCommand =
  | 'SEND_ACTIVITY_JOIN_INVITE'
  | 'CLOSE_ACTIVITY_REQUEST'
  | 'CLOSE_ACTIVITY_JOIN_REQUEST'
  | 'ACTIVITY_INVITE_USER'
  | 'ACCEPT_ACTIVITY_INVITE'

type ByPlatform<Name extends JoinCommand> = (args: ParsedArgsOf<Name>, account: AccountKey, context: CallContext) => null | Promise<null>

/** Commands that have another name at the desktop client. */
const CLIENT_NAMES: { readonly [Name in JoinCommand]?: JoinCommand } = { CLOSE_ACTIVITY_REQUEST: 'CLOSE_ACTIVITY_JOIN_REQUEST' }

const UNKNOWN_USER = 10_013

const notSignedIn = (name: JoinCommand): BridgeError =>
  new BridgeError(
    'INVALID_PERMISSIONS',
    `${name} needs a signed-in user, because the platform's desktop client does not run; sign in with AUTHORIZE and AUTHENTICATE first.`,
  )

export function socialHandlers(deps: SocialDeps) {
  const { desktopClient, social } = deps
  const { gameInvites } = social
  const sendMessage = withHistory('SEND_ACTIVITY_MESSAGE', forward(ENDPOINTS.SEND_ACTIVITY_MESSAGE, deps), deps)
  const readSecret = forward(ENDPOINTS.GET_ACTIVITY_SECRET, deps)

  /** Forwards the arguments to the desktop client unchanged. Without a signed-in user it is the only way. */
  const viaClientOrPlatform =
    <Name extends JoinCommand>(name: Name, byPlatform: ByPlatform<Name>) =>
    async (args: ParsedArgsOf<Name>, context: CallContext): Promise<null> => {
      const { session } = context
      const { applicationId, signedIn } = session
      const account = signedIn === undefined ? undefined : { applicationId, userId: signedIn.userId }
      if (account !== undefined && !desktopClient.isConnected(account)) return byPlatform(args, account, context)
      try {
        await context.withDeadline(({ cancelSignal }) => desktopClient.call(session, CLIENT_NAMES[name] ?? name, args, cancelSignal))
        return null
      } catch (failure) {
        const isWithoutClient = failure instanceof BridgeError && failure.error === 'SERVICE_UNAVAILABLE'
        if (!isWithoutClient || account !== undefined || desktopClient.isConnected({ applicationId, userId: undefined })) throw failure
        throw notSignedIn(name)
      }
    }

  /** The activity fields of an invite. Throws NO_ELIGIBLE_ACTIVITY. */
  const joinableActivity = (account: AccountKey) => {
    const activity = social.joinableActivity(account)
    if (activity === undefined)
      throw new BridgeError(
        'NO_ELIGIBLE_ACTIVITY',
        'The activity cannot be joined; set one with party.id, party.size and secrets.join by SET_ACTIVITY first.',
      )
    const sessionId = social.sessionOf(account)
    if (sessionId === undefined)
      throw new BridgeError(
        'NO_ELIGIBLE_ACTIVITY',
        'The platform does not show the activity, so no user can join it; try again in a moment.',
      )
    return { type: MESSAGE_ACTIVITY_TYPES.join, session_id: sessionId, party_id: activity.party?.id }
  }

  const invite = async (
    name: JoinCommand,
    userId: string,
    content: string | undefined,
    account: AccountKey,
    context: CallContext,
  ): Promise<null> => {
    requireScopes(name, ENDPOINTS.SEND_ACTIVITY_MESSAGE.requires, context.session)
    const activity = joinableActivity(account)
    await sendMessage({ user_id: userId, ...(content === undefined ? {} : { content }), activity }, context)
    return null
  }

  const close = ({ user_id: userId }: { readonly user_id: string }, account: AccountKey): null => {
    gameInvites.consumeRequest(account, userId)
    return null
  }

  return {
    SEND_ACTIVITY_JOIN_INVITE: viaClientOrPlatform('SEND_ACTIVITY_JOIN_INVITE', async ({ user_id: userId }, account, context) => {
      // Consumed before anything is sent, so that each request is answered once.
      const request = gameInvites.consumeRequest(account, userId)
      try {
        return await invite('SEND_ACTIVITY_JOIN_INVITE', userId, undefined, account, context)
      } catch (failure) {
        gameInvites.reopenRequest(account, request)
        throw failure
      }
    }),

    CLOSE_ACTIVITY_REQUEST: viaClientOrPlatform('CLOSE_ACTIVITY_REQUEST', close),
    CLOSE_ACTIVITY_JOIN_REQUEST: viaClientOrPlatform('CLOSE_ACTIVITY_JOIN_REQUEST', close),

    ACTIVITY_INVITE_USER: viaClientOrPlatform('ACTIVITY_INVITE_USER', async ({ user_id: userId, content }, account, context) => {
      try {
        return await invite('ACTIVITY_INVITE_USER', userId, content === '' ? undefined : (content ?? undefined), account, context)
      } catch (failure) {
        if (!(failure instanceof BridgeError) || failure.detail.platform_code !== UNKNOWN_USER) throw failure
        throw new BridgeError('INVALID_USER', `There is no user ${userId} who could be invited.`, { path: 'user_id' })
      }
    }),

    ACCEPT_ACTIVITY_INVITE: viaClientOrPlatform('ACCEPT_ACTIVITY_INVITE', async (args, account, context) => {
      requireScopes('ACCEPT_ACTIVITY_INVITE', ENDPOINTS.GET_ACTIVITY_SECRET.requires, context.session)
      const { user_id, session_id, channel_id, message_id } = args
      const application_id = args.application_id ?? account.applicationId
      const target = {
        userId: user_id,
        sessionId: session_id,
        applicationId: application_id,
        channelId: channel_id,
        messageId: message_id,
      }
      const query = { user_id, session_id, application_id, action: '1', channel_id, message_id }
      await gameInvites.accept(account, target, async () => {
        const { secret } = (await readSecret(query, context)) as DataOf<'GET_ACTIVITY_SECRET'>
        return new Secret(secret)
      })
      return null
    }),
  } satisfies Partial<HandlerMap>
}
