/** Commands about the bridge itself. */
import type { Handler } from '../dispatch/context.ts'

export const getBridgeStatus: Handler<'GET_BRIDGE_STATUS'> = (_args, { services }) => services.status()

export const setHttpRequestTimeout: Handler<'SET_HTTP_REQUEST_TIMEOUT'> = ({ timeout_ms: timeoutMs }, { caller }) => {
  caller.deadlineMs = timeoutMs
  return { timeout_ms: timeoutMs }
}
