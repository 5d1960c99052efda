/** Commands about the bridge itself. */
import type { Handler } from '../context.ts'
import { requireOperator } from './operator.ts'

/** Only the operator receives the other sessions: a game does not need them. */
export const getBridgeStatus: Handler<'GET_BRIDGE_STATUS'> = ({ operator_proof: proof }, context) => {
  if (proof === undefined) return context.services.status(context.session)
  requireOperator(proof, context)
  return context.services.status()
}

export const setHttpRequestTimeout: Handler<'SET_HTTP_REQUEST_TIMEOUT'> = ({ timeout_ms: timeoutMs }, { session }) => {
  session.deadlineMs = timeoutMs
  return { timeout_ms: timeoutMs }
}
