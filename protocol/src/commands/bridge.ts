/** Commands about the bridge itself. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { BridgeMetrics } from '../records/bridge-metrics.ts'
import { BridgeState, BridgeStatus } from '../records/bridge-state.ts'
import { noArguments, text, wholeNumber } from '../schema/index.ts'
import { OperatorProof } from '../schema/operator-proof.ts'
import { scopeNames } from '../schema/scope-list.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const OPERATION_ID_CHARACTERS = 64
const OPERATIONS = [
  'allow',
  'allow-once',
  'deny',
  'revoke',
  'block',
  'narrow',
  'hide',
  'hide-now',
  'show',
  'for-session',
  'keep',
  'choose-places',
  'link',
  'sign-out',
  'accept-invite',
  'pause-presence',
  'resume-presence',
  'open-vault',
  'stop',
] as const

export const getBridgeStatus = defineCommand({
  name: 'GET_BRIDGE_STATUS',
  summary: 'What a game learns of the state of the bridge: facts, itself, providers, and the warnings that concern it.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: BridgeStatus,
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

export const getBridgeMetrics = defineCommand({
  name: 'GET_BRIDGE_METRICS',
  summary: 'Metrics of the bridge, for an operator: calls, events, waits, connections and memory. No secrets.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ operator_proof: OperatorProof() }),
  data: BridgeMetrics,
  errors: ['INVALID_PERMISSIONS'],
  provenance: 'sallyport',
})

export const watchBridge = defineCommand({
  name: 'WATCH_BRIDGE',
  summary: 'State of the bridge, for an operator. The first call needs operator_proof; each later one waits for a change.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z
      .strictObject({
        operator_proof: OperatorProof().optional(),
        wait_ms: wholeNumber(0, LIMITS.stateWaitMs.value)
          .optional()
          .meta({ description: 'Time to wait for a change since the last response; 0 if absent.' }),
        shows_prompts: z.boolean().optional().meta({
          description: 'With operator_proof: this connection shows prompts to the user, so the bridge need not start its tray for them.',
        }),
      })
      .nullish(),
  data: BridgeState,
  errors: ['INVALID_PERMISSIONS'],
  provenance: 'sallyport',
})

export const operateBridge = defineCommand({
  name: 'OPERATE_BRIDGE',
  summary: 'An action of the operator. Needs operator_proof, or a connection that WATCH_BRIDGE has admitted.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      operator_proof: OperatorProof().optional(),
      action: z.enum(OPERATIONS).meta({
        description:
          '`allow`, `allow-once`, `deny`: answer a prompt; `scopes` are left out; once: until the program has left. `revoke`: revoke a grant, or lift a block. `block`: refuse all calls of the program of a grant. `narrow`: take `scopes` from a grant; absent, it has all of its scopes again. `hide`, `hide-now`, `show`: hide the activities of the program of a grant always, or until it has left, or show them. `for-session`, `keep`: end a grant when its program has left, or keep it. `choose-places`: show the activities of the program of a grant, or with the id `all` those of every game, at `places` only; absent: no choice. The id of `block`, `hide`, `hide-now`, `show` and `choose-places` may also be the number of a connection. `sign-out`: delete and revoke the tokens of an account. `link`: request the games of an application to link the account. `accept-invite`: join a game as the receiver of an invite. `open-vault`: read the stored sign-ins, for which the system may ask the user to unlock the keychain. `stop`: end the bridge.',
      }),
      id: text(1, OPERATION_ID_CHARACTERS).optional().meta({
        description: 'The prompt, the grant, the connection, the application, the account or the invite; absent for the other actions.',
      }),
      scopes: scopeNames().optional().meta({ description: 'Of `narrow`, `allow` and `allow-once`.' }),
      places: z.array(text(1, OPERATION_ID_CHARACTERS)).min(1).max(LIMITS.places.value).optional().meta({
        description: 'Of `choose-places`: ids of places.',
      }),
    }),
  data: () =>
    z.looseObject({ done: z.boolean().meta({ description: 'False if no such prompt, grant, invite or subscribed game exists.' }) }),
  errors: ['INVALID_PERMISSIONS'],
  provenance: 'sallyport',
})
