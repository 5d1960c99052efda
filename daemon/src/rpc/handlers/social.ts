/** Commands of invites and join requests: sent via the desktop client if it runs, else via the platform's API as the signed-in user. */
import { type DataOf, ENDPOINTS, MESSAGE_ACTIVITY_TYPES, type ParsedArgsOf } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { CallContext } from '../context.ts'
import { requireScopes } from '../../sessions/required-scopes.ts'
import type { AccountKey } from '../../social/activity-message.ts'
import { forward } from './forward.ts'
import { withHistory } from './user-messages.ts'

type JoinCommand =
  | 'SEND_ACTIVITY_JOIN_INVITE'
  | 'CLOSE_ACTIVITY_REQUEST'
  | 'CLOSE_ACTIVITY_JOIN_REQUEST'
  | 'ACTIVITY_INVITE_USER'
  | 'ACCEPT_ACTIVITY_INVITE'

type ByPlatform<Name extends JoinCommand> = (args: ParsedArgsOf<Name>, account: AccountKey, context: CallContext) => null | Promise<null>

/** Commands that have another name at the desktop client. */
const CLIENT_NAMES: { readonly [Name in JoinCommand]?: JoinCommand } = { CLOSE_ACTIVITY_REQUEST: 'CLOSE_ACTIVITY_JOIN_REQUEST' }

/** Forwards the arguments to the desktop client unchanged. Without a signed-in user it is the only way. */
const viaClientOrPlatform =
  <Name extends JoinCommand>(name: Name, byPlatform: ByPlatform<Name>) =>
  async (args: ParsedArgsOf<Name>, context: CallContext): Promise<null> => {
    const { session, services } = context
    const { applicationId, signedIn } = session
    if (signedIn !== undefined && !services.desktopClient.isConnected(applicationId, signedIn.userId))
      return byPlatform(args, { applicationId, userId: signedIn.userId }, context)
    await context.withDeadline(({ cancelSignal }) => services.desktopClient.call(session, CLIENT_NAMES[name] ?? name, args, cancelSignal))
    return null
  }

const sendMessage = withHistory('SEND_ACTIVITY_MESSAGE', forward(ENDPOINTS.SEND_ACTIVITY_MESSAGE))
const readSecret = forward(ENDPOINTS.GET_ACTIVITY_SECRET)

/** The activity fields of an invite. Throws NO_ELIGIBLE_ACTIVITY. */
function joinableActivity(account: AccountKey, { services: { social } }: CallContext) {
  const activity = social.joinableActivity(account)
  if (activity === undefined)
    throw new BridgeError(
      'NO_ELIGIBLE_ACTIVITY',
      'The activity cannot be joined; set one with party.id, party.size and secrets.join by SET_ACTIVITY first.',
    )
  const sessionId = social.sessionOf(account)
  if (sessionId === undefined)
    throw new BridgeError('NO_ELIGIBLE_ACTIVITY', 'The platform does not show the activity, so no user can join it; try again in a moment.')
  return { type: MESSAGE_ACTIVITY_TYPES.join, session_id: sessionId, party_id: activity.party?.id }
}

async function invite(
  name: JoinCommand,
  userId: string,
  content: string | undefined,
  account: AccountKey,
  context: CallContext,
): Promise<null> {
  requireScopes(name, ENDPOINTS.SEND_ACTIVITY_MESSAGE.requires, context.session.scopes)
  const activity = joinableActivity(account, context)
  await sendMessage({ user_id: userId, ...(content === undefined ? {} : { content }), activity }, context, undefined)
  return null
}

export const sendActivityJoinInvite = viaClientOrPlatform('SEND_ACTIVITY_JOIN_INVITE', async ({ user_id: userId }, account, context) => {
  const { gameInvites } = context.services.social
  // Consumed before anything is sent, so that each request is answered once.
  const request = gameInvites.consumeRequest(account, userId)
  try {
    return await invite('SEND_ACTIVITY_JOIN_INVITE', userId, undefined, account, context)
  } catch (failure) {
    gameInvites.reopenRequest(account, request)
    throw failure
  }
})

const close = ({ user_id: userId }: { readonly user_id: string }, account: AccountKey, { services }: CallContext): null => {
  services.social.gameInvites.consumeRequest(account, userId)
  return null
}

export const closeActivityRequest = viaClientOrPlatform('CLOSE_ACTIVITY_REQUEST', close)
export const closeActivityJoinRequest = viaClientOrPlatform('CLOSE_ACTIVITY_JOIN_REQUEST', close)

const UNKNOWN_USER = 10_013

export const activityInviteUser = viaClientOrPlatform('ACTIVITY_INVITE_USER', async ({ user_id: userId, content }, account, context) => {
  try {
    return await invite('ACTIVITY_INVITE_USER', userId, content === '' ? undefined : (content ?? undefined), account, context)
  } catch (failure) {
    if (!(failure instanceof BridgeError) || failure.detail.platform_code !== UNKNOWN_USER) throw failure
    throw new BridgeError('INVALID_USER', `There is no user ${userId} who could be invited.`, { path: 'user_id' })
  }
})

export const acceptActivityInvite = viaClientOrPlatform('ACCEPT_ACTIVITY_INVITE', async (args, account, context) => {
  const { services, session } = context
  requireScopes('ACCEPT_ACTIVITY_INVITE', ENDPOINTS.GET_ACTIVITY_SECRET.requires, session.scopes)
  const { user_id, session_id, channel_id, message_id } = args
  const application_id = args.application_id ?? account.applicationId
  const target = { userId: user_id, sessionId: session_id, applicationId: application_id, channelId: channel_id, messageId: message_id }
  const query = { user_id, session_id, application_id, action: '1', channel_id, message_id }
  await services.social.gameInvites.accept(account, target, async () => {
    const { secret } = (await readSecret(query, context, undefined)) as DataOf<'GET_ACTIVITY_SECRET'>
    return new Secret(secret)
  })
  return null
})
