/** What goes wrong at the gateway on demand: connections that break, sessions that end, answers that are late, events out of nowhere. */
import * as z from 'zod'
import type { Match } from '../gateway/breaks.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform, rememberApplication } from '../platform.ts'

const ABOUT = {
  application_id: z
    .string()
    .regex(/^[0-9]{1,20}$/)
    .optional(),
  /** Id or username. */
  user: z.string().min(1).optional(),
}
const about = <Action extends string, Shape extends z.ZodRawShape>(action: Action, shape: Shape) =>
  z.strictObject({ action: z.literal(action), ...ABOUT, ...shape })

const SHARDS_MAX = 64
const HOUR_MS = 3_600_000

export const GatewayInput = z.discriminatedUnion('action', [
  about('drop', {}),
  about('close', {
    code: z
      .number()
      .int()
      .min(4000)
      .max(4999)
      .or(z.literal([1000, 1001]))
      .default(4000),
  }),
  about('reconnect', {}),
  about('heartbeat', {}),
  about('invalid_session', { resumable: z.boolean().default(false) }),
  about('refuse_resume', { times: z.number().int().min(0).max(1_000).default(1) }),
  about('slow_ack', { ms: z.union([z.number().int().min(0).max(HOUR_MS), z.literal('never')]).default('never') }),
  about('dispatch', { t: z.string().min(1).max(64), d: z.unknown().optional() }),
  about('hello', { heartbeat_interval: z.number().int().min(10).max(HOUR_MS) }),
  about('require_shards', { shards: z.number().int().min(1).max(SHARDS_MAX) }),
])
type Input = z.output<typeof GatewayInput>
type Of<Action extends Input['action']> = Extract<Input, { readonly action: Action }>

/** Does what it says. Gives how many connections it met, now or as they come. Throws unknownUser. */
export function breakGateway(platform: Platform, gateway: Gateway, input: Input): number {
  const match = matchOf(platform, input)
  const act = ACTS[input.action] as (context: Context, input: Input) => void
  // Counted before, since what is broken is no longer there.
  const met = gateway.connections(match)
  act({ platform, gateway, match, met }, input)
  return met.length
}

interface Context {
  readonly platform: Platform
  readonly gateway: Gateway
  readonly match: Match
  readonly met: ReturnType<Gateway['connections']>
}

const ACTS: { readonly [Action in Input['action']]: (context: Context, input: Of<Action>) => void } = {
  drop: ({ met }) => met.forEach((one) => one.drop()),
  close: ({ met }, { code }) => met.forEach((one) => one.close(code, 'Closed on demand.')),
  reconnect: ({ met }) => met.forEach((one) => one.askToReconnect()),
  heartbeat: ({ met }) => met.forEach((one) => one.askForHeartbeat()),
  invalid_session: ({ met }, { resumable }) => met.forEach((one) => one.invalidate(resumable)),
  refuse_resume: ({ platform, match }, { times }) => platform.gatewayUse.breaks.setRefusals(match, times),
  slow_ack: ({ platform, match }, { ms }) => platform.gatewayUse.breaks.setSlowAck(match, ms),
  dispatch: ({ gateway, match }, { t, d }) => gateway.dispatch(match, t, d),
  hello: ({ platform }, { heartbeat_interval: ms }) => platform.gatewayUse.breaks.setHeartbeatInterval(ms),
  require_shards({ platform }, { application_id: applicationId, shards }) {
    if (applicationId === undefined) throw new PlatformError('invalidForm', { message: 'Name the application_id.' })
    platform.store.commit(rememberApplication(platform, applicationId))
    platform.gatewayUse.breaks.setShards(applicationId, shards)
  },
}

function matchOf(platform: Platform, { application_id: applicationId, user }: Input): Match {
  if (user === undefined) return { applicationId }
  const found = findUser(platform, user)
  if (found === undefined) throw new PlatformError('unknownUser')
  return { applicationId, userId: found.id }
}
