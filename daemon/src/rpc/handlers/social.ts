/** Commands of joining: carried by the platform's own client where it runs, else by the platform itself in the name of whoever signed in. */
import { type DataOf, ENDPOINTS, MESSAGE_ACTIVITY_TYPES, type ParsedArgsOf } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { CallContext } from '../context.ts'
import { admit } from '../../sessions/required-scopes.ts'
import type { Party } from '../../social/activity-message.ts'
import { forward } from './forward.ts'
import { withHistory } from './user-messages.ts'

type JoinCommand =
  | 'SEND_ACTIVITY_JOIN_INVITE'
  | 'CLOSE_ACTIVITY_REQUEST'
  | 'CLOSE_ACTIVITY_JOIN_REQUEST'
  | 'ACTIVITY_INVITE_USER'
  | 'ACCEPT_ACTIVITY_INVITE'

type ByPlatform<Name extends JoinCommand> = (args: ParsedArgsOf<Name>, party: Party, context: CallContext) => null | Promise<null>

/** Names that the client knows by another one. */
const CLIENT_NAMES: { readonly [Name in JoinCommand]?: JoinCommand } = { CLOSE_ACTIVITY_REQUEST: 'CLOSE_ACTIVITY_JOIN_REQUEST' }

/** The client is handed what the game sent, as it sent it. Without a user of our own it is the only one who could do it. */
const carried =
  <Name extends JoinCommand>(name: Name, byPlatform: ByPlatform<Name>) =>
  async (args: ParsedArgsOf<Name>, context: CallContext): Promise<null> => {
    const { caller, services } = context
    const { applicationId, signedIn } = caller
    if (signedIn !== undefined && !services.desktopClient.isLinked(applicationId, signedIn.userId))
      return byPlatform(args, { applicationId, userId: signedIn.userId }, context)
    await context.wait(({ stop }) => services.desktopClient.call(caller, CLIENT_NAMES[name] ?? name, args, stop))
    return null
  }

const sendMessage = withHistory('SEND_ACTIVITY_MESSAGE', forward(ENDPOINTS.SEND_ACTIVITY_MESSAGE))
const readSecret = forward(ENDPOINTS.GET_ACTIVITY_SECRET)

/** What an invite says of the activity. Throws NO_ELIGIBLE_ACTIVITY. */
function offered(party: Party, { services: { social } }: CallContext) {
  const activity = social.joinable(party)
  if (activity === undefined)
    throw new BridgeError(
      'NO_ELIGIBLE_ACTIVITY',
      'The activity cannot be joined; set one with party.id, party.size and secrets.join by SET_ACTIVITY first.',
    )
  const sessionId = social.sessionOf(party)
  if (sessionId === undefined)
    throw new BridgeError('NO_ELIGIBLE_ACTIVITY', 'The platform does not show the activity, so nobody can join it; try again in a moment.')
  return { type: MESSAGE_ACTIVITY_TYPES.join, session_id: sessionId, party_id: activity.party?.id }
}

async function invite(name: JoinCommand, userId: string, content: string | undefined, party: Party, context: CallContext): Promise<null> {
  admit(name, ENDPOINTS.SEND_ACTIVITY_MESSAGE.requires, context.caller.scopes)
  const activity = offered(party, context)
  await sendMessage({ user_id: userId, ...(content === undefined ? {} : { content }), activity }, context, undefined)
  return null
}

export const sendActivityJoinInvite = carried('SEND_ACTIVITY_JOIN_INVITE', async ({ user_id: userId }, party, context) => {
  const { joins } = context.services.social
  // Taken before anything is sent, so that one request is answered once.
  const request = joins.takeRequest(party, userId)
  try {
    return await invite('SEND_ACTIVITY_JOIN_INVITE', userId, undefined, party, context)
  } catch (failure) {
    joins.reopen(party, request)
    throw failure
  }
})

const close = ({ user_id: userId }: { readonly user_id: string }, party: Party, { services }: CallContext): null => {
  services.social.joins.takeRequest(party, userId)
  return null
}

export const closeActivityRequest = carried('CLOSE_ACTIVITY_REQUEST', close)
export const closeActivityJoinRequest = carried('CLOSE_ACTIVITY_JOIN_REQUEST', close)

const UNKNOWN_USER = 10_013

export const activityInviteUser = carried('ACTIVITY_INVITE_USER', async ({ user_id: userId, content }, party, context) => {
  try {
    return await invite('ACTIVITY_INVITE_USER', userId, content === '' ? undefined : (content ?? undefined), party, context)
  } catch (failure) {
    if (!(failure instanceof BridgeError) || failure.detail.platform_code !== UNKNOWN_USER) throw failure
    throw new BridgeError('INVALID_USER', `There is no user ${userId} who could be invited.`, { path: 'user_id' })
  }
})

export const acceptActivityInvite = carried('ACCEPT_ACTIVITY_INVITE', async (args, party, context) => {
  const { services, caller } = context
  admit('ACCEPT_ACTIVITY_INVITE', ENDPOINTS.GET_ACTIVITY_SECRET.requires, caller.scopes)
  const { user_id, session_id, channel_id, message_id } = args
  const application_id = args.application_id ?? party.applicationId
  const offer = { userId: user_id, sessionId: session_id, applicationId: application_id, channelId: channel_id, messageId: message_id }
  const asked = { user_id, session_id, application_id, action: '1', channel_id, message_id }
  await services.social.joins.take(party, offer, async () => {
    const { secret } = (await readSecret(asked, context, undefined)) as DataOf<'GET_ACTIVITY_SECRET'>
    return new Secret(secret)
  })
  return null
})
