/** WATCH_BRIDGE and OPERATE_BRIDGE: what an operator sees and does, for example in the tray. */
import type { ArgsOf } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { SessionRegistry } from '../../sessions/registry.ts'
import type { BridgeWatch } from '../bridge-watch.ts'
import type { HandlerMap } from '../context.ts'
import { type OperatorDeps, requireOperator } from './operator.ts'

/** What an operator may do, here and on the dashboard. */
export interface Operations {
  /** Answers a prompt. False when no such prompt is open. */
  answer(id: string, isAllowed: boolean): boolean
  /** Revokes a grant. False when it does not exist. Rejects when its data could not be deleted. */
  revoke(id: string): Promise<boolean>
  /** Requests the games of an application to link the account. False without a subscriber. */
  link(applicationId: string): boolean
  /** While it is paused, no activity is shown outside. */
  pausePresence(isPaused: boolean): void
  /** Ends the bridge. */
  stop(): void
}

export interface OperationDeps extends OperatorDeps {
  readonly watch: Pick<BridgeWatch, 'start' | 'isWatching' | 'read'>
  readonly sessions: Pick<SessionRegistry, 'remove'>
  readonly operations: Operations
}

type Action = ArgsOf<'OPERATE_BRIDGE'>['action']

const ACTIONS: Readonly<Record<Action, (operations: Operations, id: string) => boolean | Promise<boolean>>> = {
  allow: (operations, id) => operations.answer(id, true),
  deny: (operations, id) => operations.answer(id, false),
  revoke: (operations, id) => operations.revoke(id),
  link: (operations, id) => operations.link(id),
  'pause-presence': (operations) => {
    operations.pausePresence(true)
    return true
  },
  'resume-presence': (operations) => {
    operations.pausePresence(false)
    return true
  },
  stop: (operations) => {
    operations.stop()
    return true
  },
}

export const operationHandlers = ({ watch, sessions, operations, redeemOperatorProof }: OperationDeps) =>
  ({
    WATCH_BRIDGE: async ({ operator_proof: proof, wait_ms: waitMs = 0 }, { session }) => {
      const { connection, deadlineMs } = session
      if (proof !== undefined) {
        requireOperator(proof, redeemOperatorProof)
        // An operator is no game: it is not listed, and does not keep the bridge from ending when idle.
        sessions.remove(session)
        watch.start(connection.id)
      } else if (!watch.isWatching(connection.id)) {
        throw new BridgeError('INVALID_PERMISSIONS', 'This connection is not of an operator: call WATCH_BRIDGE with operator_proof first.')
      }
      return watch.read(connection.id, Math.min(waitMs, deadlineMs))
    },

    OPERATE_BRIDGE: async ({ operator_proof: proof, action, id = '' }, { session }) => {
      if (proof !== undefined) requireOperator(proof, redeemOperatorProof)
      else if (!watch.isWatching(session.connection.id))
        throw new BridgeError(
          'INVALID_PERMISSIONS',
          'Only an operator may do this: add operator_proof, or call WATCH_BRIDGE with it first.',
        )
      return { done: await ACTIONS[action](operations, id) }
    },
  }) satisfies Partial<HandlerMap>
