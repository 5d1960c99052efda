/** What the control interface takes. */
import * as z from 'zod'
import { FAULT_LATENCY_MAX_MS, FAULTS_MAX } from '../constants.ts'

const Method = z
  .string()
  .toUpperCase()
  .pipe(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
const Path = z.string().startsWith('/')
const HeaderName = z.string().regex(/^[A-Za-z0-9-]+$/)
// Line breaks and other control characters cannot stand in a header.
const HeaderValue = z.string().regex(/^[\x20-\x7e]*$/)

export const FaultInput = z.strictObject({
  match: z.strictObject({ method: Method.optional(), path: Path.optional() }).default({}),
  times: z.number().int().min(1).default(1),
  latency_ms: z.number().int().min(0).max(FAULT_LATENCY_MAX_MS).default(0),
  status: z.number().int().min(200).max(599).optional(),
  headers: z.record(HeaderName, HeaderValue).default({}),
  body: z.string().optional(),
  drop: z.enum(['before-reply', 'mid-reply']).optional(),
})

export const FAULTS_FULL = `No more than ${FAULTS_MAX} faults can wait.`

export const RevokeInput = z
  .strictObject({ user_id: z.string().optional(), application_id: z.string().optional(), token: z.string().optional() })
  .refine((input) => Object.keys(input).length > 0, 'name user_id, application_id or token')

export const LimitInput = z.strictObject({
  method: Method.optional(),
  path: Path.optional(),
  scope: z.enum(['user', 'shared', 'global']).default('user'),
  limit: z.number().int().min(0),
  window_ms: z.number().int().min(1).max(3_600_000),
})
