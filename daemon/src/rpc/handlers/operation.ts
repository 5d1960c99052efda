/** WATCH_BRIDGE, GET_BRIDGE_METRICS and OPERATE_BRIDGE: what an operator sees and does, for example in the tray. */
import type { BridgeMetrics } from '@sallyport/protocol'
import { currentCall, workFor } from '@sallyport/core/current-call'
import { BridgeError } from '@sallyport/core/errors'
import type { Operate, OperationName } from '../../operator/operations.ts'
import type { OperatorConnections } from '../../operator/connections.ts'
import { type OperatorDeps, requireOperator, requireUser } from '../../operator/proof.ts'
import type { SessionRegistry } from '../../sessions/registry.ts'
import type { HandlerMap } from '../context.ts'

export interface OperationDeps extends OperatorDeps {
  readonly operators: Pick<OperatorConnections, 'start' | 'isWatching' | 'read'>
  readonly sessions: Pick<SessionRegistry, 'remove'>
  readonly operate: Operate
  readonly readMetrics: () => Promise<BridgeMetrics>
}

const ALLOWING: ReadonlySet<OperationName> = new Set(['allow', 'allow-once'])

export const operationHandlers = ({ operators, sessions, operate, readMetrics, redeemOperatorProof }: OperationDeps) =>
  ({
    WATCH_BRIDGE: async ({ operator_proof: proof, wait_ms: waitMs = 0, shows_prompts: showsPrompts = false }, { session }) => {
      const { connection, deadlineMs } = session
      if (proof !== undefined) {
        requireOperator(proof, redeemOperatorProof)
        // An operator is no game: it is not listed, and does not keep the bridge from ending when idle.
        sessions.remove(session)
        operators.start(connection.id, showsPrompts)
      } else if (!operators.isWatching(connection.id)) {
        throw new BridgeError('INVALID_PERMISSIONS', 'This connection is not of an operator: call WATCH_BRIDGE with operator_proof first.')
      }
      return operators.read(connection.id, Math.min(waitMs, deadlineMs))
    },

    GET_BRIDGE_METRICS: async ({ operator_proof: proof }, { session }) => {
      requireOperator(proof, redeemOperatorProof)
      sessions.remove(session)
      return readMetrics()
    },

    OPERATE_BRIDGE: async ({ operator_proof: proof, action, id, scopes, places }, { session }) => {
      if (proof !== undefined) requireOperator(proof, redeemOperatorProof)
      else if (!operators.isWatching(session.connection.id))
        throw new BridgeError(
          'INVALID_PERMISSIONS',
          'Only an operator may do this: add operator_proof, or call WATCH_BRIDGE with it first.',
        )
      // The tray, which any program can start too, answers what its user clicked.
      if (proof !== undefined && ALLOWING.has(action)) requireUser(session.program)
      return { done: await workFor(currentCall(), async () => operate(action, id, { scopes, places })) }
    },
  }) satisfies Partial<HandlerMap>
