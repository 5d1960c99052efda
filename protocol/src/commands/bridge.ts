/** Commands about the bridge itself. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { BridgeStatus } from '../records/bridge-status.ts'
import { noArguments, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const getBridgeStatus = defineCommand({
  name: 'GET_BRIDGE_STATUS',
  summary: 'What the bridge is, where it listens and who is connected.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: BridgeStatus,
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
