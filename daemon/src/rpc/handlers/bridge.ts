/** GET_BRIDGE_STATUS, SET_HTTP_REQUEST_TIMEOUT: the bridge itself. */
import type { DataOf } from '@sallyport/protocol'
import type { Session } from '../../sessions/session.ts'
import type { HandlerMap } from '../context.ts'
import { type OperatorDeps, requireOperator } from './operator.ts'

export interface BridgeDeps extends OperatorDeps {
  /** Result of `GET_BRIDGE_STATUS` for this session. Without a session: for the operator, with all sessions. */
  readonly status: (session?: Session) => DataOf<'GET_BRIDGE_STATUS'>
}

export const bridgeHandlers = ({ status, redeemOperatorProof }: BridgeDeps) =>
  ({
    /** Only the operator receives the other sessions: a game does not need them. */
    GET_BRIDGE_STATUS: ({ operator_proof: proof }, { session }) => {
      if (proof === undefined) return status(session)
      requireOperator(proof, redeemOperatorProof)
      return status()
    },

    SET_HTTP_REQUEST_TIMEOUT: ({ timeout_ms: timeoutMs }, { session }) => {
      session.deadlineMs = timeoutMs
      return { timeout_ms: timeoutMs }
    },
  }) satisfies Partial<HandlerMap>
