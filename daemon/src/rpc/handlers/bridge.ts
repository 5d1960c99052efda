/** Commands about the bridge itself. */
import type { Handler } from '../context.ts'
import { checkOperator } from './operator.ts'

/** Who else is connected is for the operator alone: a game has no use for the processes of others. */
export const getBridgeStatus: Handler<'GET_BRIDGE_STATUS'> = ({ operator_proof: proof }, context) => {
  if (proof === undefined) return context.services.status(context.caller)
  checkOperator(proof, context)
  return context.services.status()
}

export const setHttpRequestTimeout: Handler<'SET_HTTP_REQUEST_TIMEOUT'> = ({ timeout_ms: timeoutMs }, { caller }) => {
  caller.deadlineMs = timeoutMs
  return { timeout_ms: timeoutMs }
}
