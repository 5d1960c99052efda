/** Reads Identify and Resume: whose token it is, what is asked for, and the close code of everything that is wrong with it. */
import {
  GATEWAY_CLOSE_CODES,
  GATEWAY_INTENTS,
  hasPrivilegedIntent,
  PRIVILEGED_INTENTS,
  type PrivilegedIntentName,
} from '@sallyport/protocol'
import * as z from 'zod'
import { flagsOf, usersOf } from '../api/application-flags.ts'
import { callerOf } from '../api/caller.ts'
import { bearerOf } from '../oauth/sign-ins.ts'
import type { Platform } from '../platform.ts'
import { PresenceInput } from './presences.ts'
import { type Party, type Shard, type Viewer, WHOLE } from './viewer.ts'

/** Ends a connection with a close code of the platform. */
export class Closed extends Error {
  override readonly name = 'Closed'
  readonly code: number

  constructor(name: keyof typeof GATEWAY_CLOSE_CODES, reason: string) {
    super(reason)
    this.code = GATEWAY_CLOSE_CODES[name].code
  }
}

/** Intents and shard have close codes of their own, so that their form is looked at later. */
const IdentifyInput = z.looseObject({
  token: z.string().min(1),
  properties: z.looseObject({}),
  intents: z.unknown().optional(),
  compress: z.boolean().nullish(),
  large_threshold: z.number().int().min(50).max(250).nullish(),
  shard: z.unknown().optional(),
  presence: PresenceInput.nullish(),
  capabilities: z.number().int().min(0).nullish(),
})
const ResumeInput = z.looseObject({ token: z.string().min(1), session_id: z.string(), seq: z.number().int() })

export interface Identified extends Viewer {
  readonly presence: z.output<typeof PresenceInput> | undefined
}

/** Throws Closed with the decode error for what does not have the form. */
export function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new Closed('DECODE_ERROR', 'Error while decoding payload.')
}

/** Throws Closed. */
export function readIdentify(platform: Platform, given: unknown, shardsNeeded: (applicationId: string) => number): Identified {
  const { token, intents, shard, presence, capabilities } = read(IdentifyInput, given)
  const party = partyOf(platform, token)
  const chosen = intentsOf(platform, party, intents)
  const place = shardFrom(shard)
  if (party.kind === 'bot' && place.count < shardsNeeded(party.applicationId)) throw new Closed('SHARDING_REQUIRED', 'Sharding required.')
  return { party, intents: chosen, shard: place, capabilities: capabilities ?? 0, presence: presence ?? undefined }
}

/** Throws Closed. */
export function readResume(platform: Platform, given: unknown) {
  const { token, session_id: sessionId, seq } = read(ResumeInput, given)
  return { party: partyOf(platform, token), sessionId, seq }
}

const ENOUGH = ['identify', 'gateway.connect'] as const

/** Bots come with their token, with its scheme or without; users need the scheme and the scopes. */
function partyOf(platform: Platform, token: string): Party {
  const [, scheme = 'Bot', bare = token] = /^(bot|bearer) +(\S+)$/i.exec(token) ?? []
  const caller = callerOf(platform, `${scheme} ${bare}`)
  if (caller?.kind === 'bot') return caller
  const authorizationId = bearerOf(platform, bare)?.authorization.id
  if (caller === undefined || authorizationId === undefined || !ENOUGH.every((scope) => caller.held.has(scope)))
    throw new Closed('AUTHENTICATION_FAILED', 'Authentication failed.')
  return { ...caller, authorizationId }
}

const ALL_INTENTS = Object.values(GATEWAY_INTENTS).reduce((sum, bit) => sum | bit, 0)

function intentsOf(platform: Platform, party: Party, given: unknown): number {
  // What a user asks for decides nothing, so that it may also ask for nothing.
  if (party.kind === 'user') return typeof given === 'number' ? given : 0
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 0 || (given & ~ALL_INTENTS) !== 0 || given > ALL_INTENTS)
    throw new Closed('INVALID_INTENTS', 'Invalid intent(s).')
  const standing = { flags: flagsOf(platform, party.applicationId), users: usersOf(platform, party.applicationId) }
  const isAllowed = ([name, { intent }]: [string, { readonly intent: number }]): boolean =>
    (given & intent) === 0 || hasPrivilegedIntent(name as PrivilegedIntentName, standing, platform.clock.now())
  if (!Object.entries(PRIVILEGED_INTENTS).every(isAllowed)) throw new Closed('DISALLOWED_INTENTS', 'Disallowed intent(s).')
  return given
}

const ShardInput = z
  .tuple([z.number().int().min(0), z.number().int().min(1).max(65_536)])
  .refine(([id, count]) => id < count)
  .nullish()

function shardFrom(given: unknown): Shard {
  const result = ShardInput.safeParse(given)
  if (!result.success) throw new Closed('INVALID_SHARD', 'Invalid shard.')
  return result.data == null ? WHOLE : { id: result.data[0], count: result.data[1] }
}
