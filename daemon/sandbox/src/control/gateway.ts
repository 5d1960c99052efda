/** Gateway faults on demand: terminated connections, ended sessions, late acknowledgements, made-up events. */
import { HOUR_MS } from '@sallyport/core/durations'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import type { CallerMatch } from '../gateway/gateway-faults.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform, rememberApplication } from '../platform.ts'

const TARGET = once(() => ({
  application_id: z
    .string()
    .regex(/^[0-9]{1,20}$/)
    .optional(),
  /** Id or username. */
  user: z.string().min(1).optional(),
}))
const targeted = <Action extends string, Shape extends z.ZodRawShape>(action: Action, shape: Shape) =>
  z.strictObject({ action: z.literal(action), ...TARGET(), ...shape })

const SHARDS_MAX = 64

export const GatewayInput = once(() =>
  z.discriminatedUnion('action', [
    targeted('drop', {}),
    targeted('close', {
      code: z
        .number()
        .int()
        .min(4000)
        .max(4999)
        .or(z.literal([1000, 1001]))
        .default(4000),
    }),
    targeted('reconnect', {}),
    targeted('heartbeat', {}),
    targeted('invalid_session', { resumable: z.boolean().default(false) }),
    targeted('refuse_resume', { times: z.number().int().min(0).max(1_000).default(1) }),
    targeted('slow_ack', { ms: z.union([z.number().int().min(0).max(HOUR_MS), z.literal('never')]).default('never') }),
    targeted('dispatch', { t: z.string().min(1).max(64), d: z.unknown().optional() }),
    targeted('hello', { heartbeat_interval: z.number().int().min(10).max(HOUR_MS) }),
    targeted('require_shards', { shards: z.number().int().min(1).max(SHARDS_MAX) }),
  ]),
)
type Input = z.output<ReturnType<typeof GatewayInput>>
type InputOf<Action extends Input['action']> = Extract<Input, { readonly action: Action }>

/** Runs the action and returns the number of matching connections. Throws unknownUser. */
export function applyGatewayAction(platform: Platform, gateway: Gateway, input: Input): number {
  const match = matchOf(platform, input)
  const act = ACTIONS[input.action] as (context: Context, input: Input) => void
  // Counted first, since the action may close them.
  const connections = gateway.connections(match)
  act({ platform, gateway, match, connections }, input)
  return connections.length
}

interface Context {
  readonly platform: Platform
  readonly gateway: Gateway
  readonly match: CallerMatch
  readonly connections: ReturnType<Gateway['connections']>
}

const ACTIONS: { readonly [Action in Input['action']]: (context: Context, input: InputOf<Action>) => void } = {
  drop: ({ connections }) => connections.forEach((one) => one.terminate()),
  close: ({ connections }, { code }) => connections.forEach((one) => one.close(code, 'Closed on demand.')),
  reconnect: ({ connections }) => connections.forEach((one) => one.requestReconnect()),
  heartbeat: ({ connections }) => connections.forEach((one) => one.requestHeartbeat()),
  invalid_session: ({ connections }, { resumable }) => connections.forEach((one) => one.invalidate(resumable)),
  refuse_resume: ({ platform, match }, { times }) => platform.gatewayControls.faults.setResumeRefusals(match, times),
  slow_ack: ({ platform, match }, { ms }) => platform.gatewayControls.faults.setSlowAck(match, ms),
  dispatch: ({ gateway, match }, { t, d }) => gateway.dispatch(match, t, d),
  hello: ({ platform }, { heartbeat_interval: ms }) => platform.gatewayControls.faults.setHeartbeatInterval(ms),
  require_shards({ platform }, { application_id: applicationId, shards }) {
    if (applicationId === undefined) throw new PlatformError('invalidForm', { message: 'Name the application_id.' })
    platform.store.commit(rememberApplication(platform, applicationId))
    platform.gatewayControls.faults.setRequiredShards(applicationId, shards)
  },
}

function matchOf(platform: Platform, { application_id: applicationId, user }: Input): CallerMatch {
  if (user === undefined) return { applicationId }
  const found = findUser(platform, user)
  if (found === undefined) throw new PlatformError('unknownUser')
  return { applicationId, userId: found.id }
}
