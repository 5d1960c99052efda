/** Commands of embedded activities that the bridge can serve. The rows of the others have a refusal. */
import type { Logger } from '@sallyport/core/logger'
import type { Participants } from '../../sessions/participants.ts'
import type { HandlerMap } from '../context.ts'

export interface EmbeddedDeps {
  readonly participants: Pick<Participants, 'of'>
  readonly log: Logger
}

/** Longer words may be codes or tokens, which must not reach the log. */
const LONG_WORD = /[\w.~+/=-]{20,}/g
const LOGGED_CHARACTERS = 1024

const loggable = (message: string): string => message.slice(0, LOGGED_CHARACTERS).replace(LONG_WORD, '[long word]')

/** `twins`: the commands of games that do the same. */
export const embeddedHandlers = ({ log, participants }: EmbeddedDeps, twins: Pick<HandlerMap, 'ACTIVITY_INVITE_USER'>) =>
  ({
    /** The browser's console shows the message in full. */
    CAPTURE_LOG: ({ level, message }, { session }) => {
      log.debug('activity-log', { session: session.connection.id, severity: level, message: loggable(message) })
      return null
    },

    GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: (_args, { session }) => ({ participants: participants.of(session.applicationId) }),

    GET_PLATFORM_BEHAVIORS: () => ({}),

    INVITE_USER_EMBEDDED: (args, context) => twins.ACTIVITY_INVITE_USER({ ...args, type: 1, pid: NO_PROCESS }, context),
  }) satisfies Partial<HandlerMap>

/** A page has no process of its own. */
const NO_PROCESS = 0
