/** SET_ACTIVITY: validates and stores the activity, and returns before it is sent. */
import { type Activity, type ParsedArgsOf, storeActivity } from '@sallyport/protocol'
import type { CallWarning } from '@sallyport/protocol/wire'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Grants } from '../../auth/grants/grants.ts'
import { withWarnings } from '../../ipc/connection/with-warnings.ts'
import type { Applications } from '../../platform/applications/applications.ts'
import type { PresenceArbiter } from '../../presence/arbiter.ts'
import type { OutboundPresence } from '../../presence/outbound-presence.ts'
import type { Session } from '../../sessions/session.ts'
import type { HandlerMap } from '../context.ts'
import { droppedFrom } from '../dropped-arguments.ts'
import { pathOf } from '../validate.ts'

export interface ActivityDeps {
  readonly clock: Clock
  readonly presence: Pick<PresenceArbiter, 'set' | 'clear'>
  readonly outbound: Pick<OutboundPresence, 'notCarried'>
  readonly grants: Pick<Grants, 'applicationName' | 'presenceOf'>
  /** Public names of applications. */
  readonly applications: Pick<Applications, 'nameOf'>
}

const DROPPED = 'This bridge does not know the field, so it is not shown.'
const NOT_CARRIED =
  'The bridge shows this activity with a headless session, which has no such field. It is shown where the desktop client shows the activity.'

const warningsOf = (paths: readonly string[] | undefined, reason: string): readonly CallWarning[] =>
  paths === undefined ? [] : paths.map((path) => ({ path, reason }))

export const activityHandlers = ({ clock, presence, outbound, grants, applications }: ActivityDeps) => {
  const warningsFor = (args: ParsedArgsOf<'SET_ACTIVITY'>, given: unknown, carried: readonly string[]): readonly CallWarning[] => {
    const dropped = droppedFrom(given, args)
    if (dropped === undefined && carried.length === 0) return carried as readonly []
    return [...warningsOf(dropped?.map(pathOf), DROPPED), ...warningsOf(carried, NOT_CARRIED)]
  }

  return {
    SET_ACTIVITY: (args, { session, given }) => {
      const { pid, activity } = args
      const { applicationId, connection, program, signedIn } = session
      if (pid == null && connection.peer.trust !== 'origin') {
        throw new BridgeError('INVALID_PAYLOAD', '"pid" is missing: a program names its process.', { path: 'pid' })
      }
      const nowMs = clock.now()
      const outcome = storeActivity(activity, {
        applicationId,
        nowMs,
        // Before its sign-in, a game has the name that an earlier sign-in of its application brought, or the public one.
        applicationName: () =>
          signedIn?.applicationName ?? grants.applicationName(applicationId) ?? applications.nameOf(applicationId, nowMs),
      })
      if ('error' in outcome) throw new BridgeError(outcome.error, outcome.message, { path: outcome.path })
      if (outcome.stored === null) {
        presence.clear(applicationId, connection.id)
        return null
      }
      const { stored } = outcome
      const owner = presence.set({ applicationId, sessionId: connection.id, claimedPid: pid ?? undefined, stored, since: nowMs })
      // The game learns why its activity is not seen.
      const isHidden = grants.presenceOf(program, applicationId) !== 'shown'
      const warnings = warningsFor(args, given, outbound.notCarried(owner, stored))
      return withWarnings(answerOf(stored.activity, session, isHidden), warnings)
    },
  } satisfies Partial<HandlerMap>
}

/**
 * The id stands for a name that is not known yet. It is not sent on: who shows an activity without a name looks the name up. Libraries of typed
 * languages, which have no contract, fail at an echo without buttons. One copy at most: this runs for each activity.
 */
function answerOf(
  activity: Activity,
  { applicationId, contract }: Pick<Session, 'applicationId' | 'contract'>,
  isHidden: boolean,
): Activity {
  const lacksButtons = contract === undefined && activity.buttons === undefined
  if (activity.name !== '' && !isHidden && !lacksButtons) return activity
  const answer: { -readonly [Key in keyof Activity]: Activity[Key] } = { ...activity }
  if (activity.name === '') answer.name = applicationId
  if (lacksButtons) answer.buttons = []
  if (isHidden) answer.hidden = true
  return answer
}
