/** The inputs of the control interface. */
import { PRIVILEGED_INTENTS, type PrivilegedIntentName } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { FAULT_LATENCY_MAX_MS, FAULTS_MAX, REDIRECTS_MAX, TESTERS_MAX, TIME_MOVE_MAX_MS } from '../constants.ts'
import { APPROVED_SCOPES } from '../strict/rules.ts'

const Method = once(() =>
  z
    .string()
    .toUpperCase()
    .pipe(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
)
const Path = once(() => z.string().startsWith('/'))
const HeaderName = once(() => z.string().regex(/^[A-Za-z0-9-]+$/))
// Control characters are not allowed in a header.
const HeaderValue = once(() => z.string().regex(/^[\x20-\x7e]*$/))

export const FaultInput = once(() =>
  z.strictObject({
    match: z.strictObject({ method: Method().optional(), path: Path().optional() }).default({}),
    times: z.number().int().min(1).default(1),
    latency_ms: z.number().int().min(0).max(FAULT_LATENCY_MAX_MS).default(0),
    status: z.number().int().min(200).max(599).optional(),
    headers: z.record(HeaderName(), HeaderValue()).default({}),
    body: z.string().optional(),
    drop: z.enum(['before-reply', 'mid-reply']).optional(),
  }),
)

export const FAULTS_FULL = `At most ${FAULTS_MAX} faults can be pending.`

export const RevokeInput = once(() =>
  z
    .strictObject({ user_id: z.string().optional(), application_id: z.string().optional(), token: z.string().optional() })
    .refine((input) => Object.keys(input).length > 0, 'must have user_id, application_id or token'),
)

export const ApplicationId = once(() => z.string().regex(/^[0-9]{1,20}$/))
/** Id or username. */
const User = once(() => z.string().min(1))

export const UserInput = once(() => z.strictObject({ user: User() }))
/** Without `seconds` the ban has no end. */
export const BanInput = once(() => z.strictObject({ user: User(), seconds: z.number().int().min(1).max(31_536_000).optional() }))
/** The user accepts the invite. */
export const AcceptInviteInput = once(() => z.strictObject({ user: User(), code: z.string().min(1) }))
export const DeauthorizeInput = once(() => z.strictObject({ user: User(), application_id: ApplicationId() }))
/** Omitted fields stay unchanged. */
export const ApplicationInput = once(() =>
  z.strictObject({
    application_id: ApplicationId(),
    confidential: z.boolean().optional(),
    private_channel_obfuscation: z.boolean().optional(),
    verified: z.boolean().optional(),
    /** Approved now, for a year. */
    approved_intents: z.array(z.enum(Object.keys(PRIVILEGED_INTENTS) as [PrivilegedIntentName, ...PrivilegedIntentName[]])).optional(),
    user_count: z.number().int().min(0).optional(),
    /** Approved for identify.premium. */
    premium: z.boolean().optional(),
    social_sdk_terms: z.boolean().optional(),
    /** The limits before approval do not hold. */
    approved: z.boolean().optional(),
    /** All approved scopes. */
    approved_scopes: z.array(z.enum(APPROVED_SCOPES)).optional(),
    /** All testers, by id or username. */
    testers: z.array(User()).max(TESTERS_MAX).optional(),
    /** All registered redirects; null: those of loopback, and the default scheme. */
    redirect_uris: z.array(z.string().min(1).max(2048)).max(REDIRECTS_MAX).nullable().optional(),
    /** Approved as the parent of its publisher's applications. */
    publisher_linking: z.boolean().optional(),
    /** Null: no parent. */
    parent_application_id: ApplicationId().nullable().optional(),
  }),
)

/** A guild by id or name. Omitted fields stay unchanged. */
export const GuildInput = once(() =>
  z.strictObject({
    guild: z.string().min(1),
    name: z.string().min(2).max(100).optional(),
    online_count: z.number().int().min(0).optional(),
  }),
)

/** A rule, or whether the limits of the table count. */
export const LimitInput = once(() =>
  z.union([
    z.strictObject({ table: z.boolean() }),
    z.strictObject({
      method: Method().optional(),
      path: Path().optional(),
      scope: z.enum(['user', 'shared', 'global']).default('user'),
      limit: z.number().int().min(0),
      window_ms: z.number().int().min(1).max(3_600_000),
    }),
  ]),
)

/** Puts the clock of the sandbox forward. */
export const TimeInput = once(() => z.strictObject({ advance_ms: z.number().int().min(1).max(TIME_MOVE_MAX_MS) }))

/** A configured reply of the provider. The sandbox sends no requests to it. */
const ProviderReply = once(() => z.strictObject({ status: z.number().int().min(100).max(599).default(200), body: z.unknown() }))

export const OidcInput = once(() =>
  z.strictObject({
    application_id: ApplicationId(),
    issuer: z.string().min(1).max(2048),
    /** Client id at the provider. */
    audience: z.string().min(1).max(1024),
    discovery: ProviderReply(),
    keys: ProviderReply(),
  }),
)
