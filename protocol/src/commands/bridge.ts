/** Commands about the bridge itself. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { BridgeStatus } from '../records/bridge-status.ts'
import { wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { OperatorProof } from './bot-tokens.ts'
import { defineCommand } from './define.ts'

export const getBridgeStatus = defineCommand({
  name: 'GET_BRIDGE_STATUS',
  summary:
    'What the bridge is, where it listens, how many are connected, and what it knows of this connection; of all with operator_proof.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ operator_proof: OperatorProof.optional() }).nullish(),
  data: BridgeStatus,
  errors: ['INVALID_PERMISSIONS'],
  provenance: 'sallyport',
})

export const setHttpRequestTimeout = defineCommand({
  name: 'SET_HTTP_REQUEST_TIMEOUT',
  summary: 'How long calls of this connection may take before they fail. Answers what is in force.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ timeout_ms: wholeNumber(1, LIMITS.maxDeadlineMs.value) }),
  data: z.looseObject({ timeout_ms: z.number().int() }),
  provenance: 'sallyport',
})
