/** Commands about the bridge itself. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { BridgeStatus } from '../records/bridge-status.ts'
import { wholeNumber } from '../schema/index.ts'
import { OperatorProof } from '../schema/operator-proof.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const getBridgeStatus = defineCommand({
  name: 'GET_BRIDGE_STATUS',
  summary: 'Status of the bridge, its addresses, its connections, and this connection; with operator_proof, all connections.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ operator_proof: OperatorProof().optional() }).nullish(),
  data: BridgeStatus,
  errors: ['INVALID_PERMISSIONS'],
  provenance: 'sallyport',
})

export const setHttpRequestTimeout = defineCommand({
  name: 'SET_HTTP_REQUEST_TIMEOUT',
  summary: 'Set the deadline of calls of this connection. Returns the deadline in effect.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ timeout_ms: wholeNumber(1, LIMITS.maxDeadlineMs.value) }),
  data: () => z.looseObject({ timeout_ms: z.number().int() }),
  provenance: 'sallyport',
})
