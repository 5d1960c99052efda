/** Parses and checks Identify and Resume. Each error has its close code. */
import { GATEWAY_CLOSE_CODES, GATEWAY_INTENTS, PRIVILEGED_INTENTS, type PrivilegedIntentName } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { hasIntentOf } from '../api/application-flags.ts'
import { authenticateCaller } from '../api/authentication.ts'
import { bearerOf } from '../oauth/sign-ins.ts'
import type { Platform } from '../platform.ts'
import { PresenceInput } from './presence-registry.ts'
import { type GatewayCaller, type Shard, type Viewer, SINGLE_SHARD } from './viewer.ts'

/** Closes a connection with a close code of the platform. */
export class GatewayCloseError extends Error {
  override readonly name = 'GatewayCloseError'
  readonly code: number

  constructor(name: keyof typeof GATEWAY_CLOSE_CODES, reason: string) {
    super(reason)
    this.code = GATEWAY_CLOSE_CODES[name].code
  }
}

/** Intents and shard have close codes of their own, so a later step checks them. */
const IdentifyInput = once(() =>
  z.looseObject({
    token: z.string().min(1),
    properties: z.looseObject({}),
    intents: z.unknown().optional(),
    compress: z.boolean().nullish(),
    large_threshold: z.number().int().min(50).max(250).nullish(),
    shard: z.unknown().optional(),
    presence: PresenceInput().nullish(),
    capabilities: z.number().int().min(0).nullish(),
  }),
)
const ResumeInput = once(() => z.looseObject({ token: z.string().min(1), session_id: z.string(), seq: z.number().int() }))

export interface Identified extends Viewer {
  readonly presence: z.output<ReturnType<typeof PresenceInput>> | undefined
}

/** Throws GatewayCloseError with the decode error for invalid data. */
export function parsePayload<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new GatewayCloseError('DECODE_ERROR', 'Error while decoding payload.')
}

/** Throws GatewayCloseError. */
export function parseIdentify(platform: Platform, given: unknown, shardsNeeded: (applicationId: string) => number): Identified {
  const { token, intents, shard, presence, capabilities } = parsePayload(IdentifyInput(), given)
  const caller = authenticateToken(platform, token)
  const allowedIntents = intentsOf(platform, caller, intents)
  const parsedShard = parseShard(shard)
  if (caller.kind === 'bot' && parsedShard.count < shardsNeeded(caller.applicationId))
    throw new GatewayCloseError('SHARDING_REQUIRED', 'Sharding required.')
  return { caller, intents: allowedIntents, shard: parsedShard, capabilities: capabilities ?? 0, presence: presence ?? undefined }
}

/** Throws GatewayCloseError. */
export function parseResume(platform: Platform, given: unknown) {
  const { token, session_id: sessionId, seq } = parsePayload(ResumeInput(), given)
  return { caller: authenticateToken(platform, token), sessionId, seq }
}

const REQUIRED_SCOPES = ['identify', 'gateway.connect'] as const

/** Bots send their token with or without its scheme. Users need the scheme and the scopes. */
function authenticateToken(platform: Platform, token: string): GatewayCaller {
  const [, scheme = 'Bot', bare = token] = /^(bot|bearer) +(\S+)$/i.exec(token) ?? []
  const caller = authenticateCaller(platform, `${scheme} ${bare}`)
  if (caller?.kind === 'bot') return caller
  const authorizationId = bearerOf(platform, bare)?.authorization.id
  if (caller === undefined || authorizationId === undefined || !REQUIRED_SCOPES.every((scope) => caller.held.has(scope)))
    throw new GatewayCloseError('AUTHENTICATION_FAILED', 'Authentication failed.')
  return { ...caller, authorizationId }
}

const ALL_INTENTS = Object.values(GATEWAY_INTENTS).reduce((sum, bit) => sum | bit, 0)

function intentsOf(platform: Platform, caller: GatewayCaller, given: unknown): number {
  // Intents have no effect for users, so users may omit them.
  if (caller.kind === 'user') return typeof given === 'number' ? given : 0
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 0 || (given & ~ALL_INTENTS) !== 0 || given > ALL_INTENTS)
    throw new GatewayCloseError('INVALID_INTENTS', 'Invalid intent(s).')
  const isAllowed = ([name, { intent }]: [string, { readonly intent: number }]): boolean =>
    (given & intent) === 0 || hasIntentOf(platform, caller.applicationId, name as PrivilegedIntentName)
  if (!Object.entries(PRIVILEGED_INTENTS).every(isAllowed)) throw new GatewayCloseError('DISALLOWED_INTENTS', 'Disallowed intent(s).')
  return given
}

const ShardInput = once(() =>
  z
    .tuple([z.number().int().min(0), z.number().int().min(1).max(65_536)])
    .refine(([id, count]) => id < count)
    .nullish(),
)

function parseShard(given: unknown): Shard {
  const result = ShardInput().safeParse(given)
  if (!result.success) throw new GatewayCloseError('INVALID_SHARD', 'Invalid shard.')
  return result.data == null ? SINGLE_SHARD : { id: result.data[0], count: result.data[1] }
}
