/** GET_BRIDGE_STATUS, SET_HTTP_REQUEST_TIMEOUT: the bridge itself. */
import type { BridgeStatus } from '@sallyport/protocol'
import type { Session } from '../../sessions/session.ts'
import type { HandlerMap } from '../context.ts'

export interface BridgeDeps {
  /** What this game may know of the state of the bridge. */
  readonly statusFor: (session: Session) => BridgeStatus
}

export const bridgeHandlers = ({ statusFor }: BridgeDeps) =>
  ({
    GET_BRIDGE_STATUS: (_args, { session }) => statusFor(session),

    SET_HTTP_REQUEST_TIMEOUT: ({ timeout_ms: timeoutMs }, { session }) => {
      session.deadlineMs = timeoutMs
      return { timeout_ms: timeoutMs }
    },
  }) satisfies Partial<HandlerMap>
