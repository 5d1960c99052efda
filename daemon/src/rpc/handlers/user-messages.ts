/** Commands of direct messages, which go through the history that the bridge keeps of them. */
import { LIMITS, type EndpointName, type ParsedArgsOf, type UserMessage } from '@sallyport/protocol'
import type { CallContext } from '../context.ts'
import type { AnyHandler } from '../router.ts'
import type { Conversation } from '../../messages/history.ts'

/** What the handlers around the plain forwarding know of its arguments. */
interface PeerArgs {
  readonly user_id: string
  readonly message_id: string
  readonly limit?: number
}

/** Of whoever is signed in now; the user may change while something is waited for. */
const conversationOf = ({ user_id: peerId }: PeerArgs, { caller }: CallContext): Conversation | undefined =>
  caller.signedIn === undefined ? undefined : { applicationId: caller.applicationId, userId: caller.signedIn.userId, peerId }

const read =
  (remote: AnyHandler): AnyHandler =>
  async (given, context) => {
    const args = given as PeerArgs
    const { history } = context.services
    const limit = args.limit ?? LIMITS.userMessages.value
    const asked = conversationOf(args, context)
    const known = asked === undefined ? undefined : await history.recall(asked, limit)
    const conversation = conversationOf(args, context)
    if (known !== undefined && conversation?.userId === asked?.userId) return known
    const mark = history.mark()
    const messages = (await remote({ ...args, limit }, context, undefined)) as UserMessage[]
    if (conversation !== undefined) await history.learn(conversation, mark, limit, messages)
    return messages
  }

/** Around inviting and asking: a request to join is remembered, since the invite that answers it needs no further word. */
const offered = (remote: AnyHandler): AnyHandler => {
  const send = noted(remote)
  return async (args, context) => {
    const { caller, services } = context
    const userId = caller.signedIn?.userId
    const message = (await send(args, context, undefined)) as UserMessage
    const { activity } = args as ParsedArgsOf<'SEND_ACTIVITY_MESSAGE'>
    if (userId !== undefined) services.social.joins.heard({ applicationId: caller.applicationId, userId }, { ...message, activity })
    return message
  }
}

/** Around a command that gives back a message that is new or changed. */
const noted =
  (remote: AnyHandler): AnyHandler =>
  async (given, context) => {
    const { history } = context.services
    const conversation = conversationOf(given as PeerArgs, context)
    const mark = history.mark()
    const message = (await remote(given, context, undefined)) as UserMessage
    if (conversation !== undefined) await history.note(conversation, mark, message)
    return message
  }

const dropped =
  (remote: AnyHandler): AnyHandler =>
  async (given, context) => {
    const args = given as PeerArgs
    const conversation = conversationOf(args, context)
    const answer = await remote(given, context, undefined)
    if (conversation !== undefined) await context.services.history.drop(conversation, args.message_id)
    return answer
  }

const AROUND: { readonly [Name in EndpointName]?: (remote: AnyHandler) => AnyHandler } = {
  DELETE_USER_MESSAGE: dropped,
  EDIT_USER_MESSAGE: noted,
  GET_USER_MESSAGES: read,
  SEND_ACTIVITY_MESSAGE: offered,
  SEND_USER_MESSAGE: noted,
}

/** The handler of an operation, with what the history adds to it. */
export const withHistory = (name: EndpointName, remote: AnyHandler): AnyHandler => AROUND[name]?.(remote) ?? remote
