/** Wraps the commands of direct messages with the message history. */
import { LIMITS, type EndpointName, type ParsedArgsOf, type UserMessage } from '@sallyport/protocol'
import type { Conversation, MessageHistory } from '../../events/messages/history.ts'
import { isKept } from '../../sessions/keys/kept-results.ts'
import type { Social } from '../../social/social.ts'
import type { AnyHandler, CallContext } from '../context.ts'

export interface UserMessageDeps {
  /** Cached direct messages. */
  readonly messageHistory: MessageHistory
  readonly social: { readonly gameInvites: Pick<Social['gameInvites'], 'onMessage'> }
}

type Wrapper = (remote: AnyHandler, deps: UserMessageDeps) => AnyHandler

/** The arguments that the wrappers use. */
interface PeerArgs {
  readonly user_id: string
  readonly message_id: string
  readonly limit?: number
}

/** The conversation of the current user, who may change during an await. */
const conversationOf = ({ user_id: peerId }: PeerArgs, { session }: CallContext): Conversation | undefined =>
  session.signedIn === undefined ? undefined : { applicationId: session.applicationId, userId: session.signedIn.userId, peerId }

const readingHistory: Wrapper =
  (remote, { messageHistory }) =>
  async (given, context) => {
    const args = given as PeerArgs
    const limit = args.limit ?? LIMITS.userMessages.value
    const before = conversationOf(args, context)
    const known = before === undefined ? undefined : await messageHistory.load(before, limit)
    const conversation = conversationOf(args, context)
    if (known !== undefined && conversation?.userId === before?.userId) return known
    const mark = messageHistory.mark()
    const messages = (await remote({ ...args, limit }, context)) as UserMessage[]
    if (conversation !== undefined) await messageHistory.store(conversation, mark, limit, messages)
    return messages
  }

/** Wraps sending an activity message: records a join request, because the invite that answers it is accepted without a prompt. */
const recordingRequest: Wrapper = (remote, deps) => {
  const send = recordingMessage(remote, deps)
  const { gameInvites } = deps.social
  return async (args, context) => {
    const { applicationId, signedIn } = context.session
    const message = (await send(args, context)) as UserMessage
    if (isKept(message)) return message
    const { activity } = args as ParsedArgsOf<'SEND_ACTIVITY_MESSAGE'>
    if (signedIn !== undefined) gameInvites.onMessage({ applicationId, userId: signedIn.userId }, { ...message, activity })
    return message
  }
}

/** Wraps a command that returns a new or changed message. */
const recordingMessage: Wrapper =
  (remote, { messageHistory }) =>
  async (given, context) => {
    const conversation = conversationOf(given as PeerArgs, context)
    const mark = messageHistory.mark()
    const message = (await remote(given, context)) as UserMessage
    if (conversation === undefined) return message
    // One of an earlier call may be changed or deleted since.
    if (isKept(message)) await messageHistory.invalidate(conversation)
    else await messageHistory.add(conversation, mark, message)
    return message
  }

const deletingMessage: Wrapper =
  (remote, { messageHistory }) =>
  async (given, context) => {
    const args = given as PeerArgs
    const conversation = conversationOf(args, context)
    const answer = await remote(given, context)
    if (conversation !== undefined) await messageHistory.remove(conversation, args.message_id)
    return answer
  }

/** Wraps a change that the application makes and that returns nothing: both users' histories are read again, also when the response was lost. */
const changingForBoth: Wrapper =
  (remote, { messageHistory }) =>
  async (given, context) => {
    const { user_id_1: one, user_id_2: other } = given as ParsedArgsOf<'UPDATE_USER_MESSAGE_MODERATION_METADATA'>
    const { applicationId } = context.session
    try {
      return await remote(given, context)
    } finally {
      await messageHistory.invalidate({ applicationId, userId: one, peerId: other })
      await messageHistory.invalidate({ applicationId, userId: other, peerId: one })
    }
  }

/** Wraps a change of the relationship with a user: a block hides their messages, and its end shows them again. */
const changingRelationship: Wrapper =
  (remote, { messageHistory }) =>
  async (given, context) => {
    const conversation = conversationOf(given as PeerArgs, context)
    try {
      return await remote(given, context)
    } finally {
      if (conversation !== undefined) await messageHistory.invalidate(conversation)
    }
  }

const WRAPPERS: { readonly [Name in EndpointName]?: Wrapper } = {
  CREATE_RELATIONSHIP: changingRelationship,
  DELETE_USER_MESSAGE: deletingMessage,
  EDIT_USER_MESSAGE: recordingMessage,
  GET_USER_MESSAGES: readingHistory,
  REMOVE_RELATIONSHIP: changingRelationship,
  SEND_ACTIVITY_MESSAGE: recordingRequest,
  SEND_USER_MESSAGE: recordingMessage,
  UPDATE_USER_MESSAGE_MODERATION_METADATA: changingForBoth,
}

/** The handler of an operation with its history wrapper, if it has one. */
export const withHistory = (name: EndpointName, remote: AnyHandler, deps: UserMessageDeps): AnyHandler =>
  WRAPPERS[name]?.(remote, deps) ?? remote
