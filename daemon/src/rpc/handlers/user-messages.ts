/** Wraps the commands of direct messages with the message history. */
import { LIMITS, type EndpointName, type ParsedArgsOf, type UserMessage } from '@sallyport/protocol'
import type { CallContext } from '../context.ts'
import type { AnyHandler } from '../router.ts'
import type { Conversation } from '../../messages/history.ts'

/** The arguments that the wrappers use. */
interface PeerArgs {
  readonly user_id: string
  readonly message_id: string
  readonly limit?: number
}

/** The conversation of the current user, who may change during an await. */
const conversationOf = ({ user_id: peerId }: PeerArgs, { session }: CallContext): Conversation | undefined =>
  session.signedIn === undefined ? undefined : { applicationId: session.applicationId, userId: session.signedIn.userId, peerId }

const readingHistory =
  (remote: AnyHandler): AnyHandler =>
  async (given, context) => {
    const args = given as PeerArgs
    const { messageHistory } = context.services
    const limit = args.limit ?? LIMITS.userMessages.value
    const before = conversationOf(args, context)
    const known = before === undefined ? undefined : await messageHistory.load(before, limit)
    const conversation = conversationOf(args, context)
    if (known !== undefined && conversation?.userId === before?.userId) return known
    const mark = messageHistory.mark()
    const messages = (await remote({ ...args, limit }, context, undefined)) as UserMessage[]
    if (conversation !== undefined) await messageHistory.store(conversation, mark, limit, messages)
    return messages
  }

/** Wraps sending an activity message: records a join request, because the invite that answers it is accepted without a prompt. */
const recordingRequest = (remote: AnyHandler): AnyHandler => {
  const send = recordingMessage(remote)
  return async (args, context) => {
    const { session, services } = context
    const userId = session.signedIn?.userId
    const message = (await send(args, context, undefined)) as UserMessage
    const { activity } = args as ParsedArgsOf<'SEND_ACTIVITY_MESSAGE'>
    if (userId !== undefined)
      services.social.gameInvites.onMessage({ applicationId: session.applicationId, userId }, { ...message, activity })
    return message
  }
}

/** Wraps a command that returns a new or changed message. */
const recordingMessage =
  (remote: AnyHandler): AnyHandler =>
  async (given, context) => {
    const { messageHistory } = context.services
    const conversation = conversationOf(given as PeerArgs, context)
    const mark = messageHistory.mark()
    const message = (await remote(given, context, undefined)) as UserMessage
    if (conversation !== undefined) await messageHistory.add(conversation, mark, message)
    return message
  }

const deletingMessage =
  (remote: AnyHandler): AnyHandler =>
  async (given, context) => {
    const args = given as PeerArgs
    const conversation = conversationOf(args, context)
    const answer = await remote(given, context, undefined)
    if (conversation !== undefined) await context.services.messageHistory.remove(conversation, args.message_id)
    return answer
  }

const WRAPPERS: { readonly [Name in EndpointName]?: (remote: AnyHandler) => AnyHandler } = {
  DELETE_USER_MESSAGE: deletingMessage,
  EDIT_USER_MESSAGE: recordingMessage,
  GET_USER_MESSAGES: readingHistory,
  SEND_ACTIVITY_MESSAGE: recordingRequest,
  SEND_USER_MESSAGE: recordingMessage,
}

/** The handler of an operation with its history wrapper, if it has one. */
export const withHistory = (name: EndpointName, remote: AnyHandler): AnyHandler => WRAPPERS[name]?.(remote) ?? remote
