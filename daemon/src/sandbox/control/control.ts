/** The control interface under /sandbox: faults, revocation, limits, and a look at the state. For the developer's tests, never for games. */
import type * as z from 'zod'
import { formErrors, REPORTED } from '../api/form-errors.ts'
import { FAULTS_MAX } from '../constants.ts'
import { type Answer, type Call, reply } from '../http/exchange.ts'
import { jsonBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import type { Route } from '../http/router.ts'
import { authorizationOfToken, revokeAll } from '../oauth/sign-ins.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredAuthorization } from '../store/records.ts'
import type { Controlled } from './controlled.ts'
import { FAULTS_FULL, FaultInput, LimitInput, RevokeInput } from './schemas.ts'
import { stateReport } from './state.ts'

function parsed<S extends z.ZodType>(schema: S, { request }: Call): z.output<S> {
  const result = schema.safeParse(jsonBody(request) ?? {}, REPORTED)
  if (result.success) return result.data
  throw new PlatformError('invalidForm', { errors: formErrors(result.error.issues, undefined) })
}

export function controlRoutes(controlled: Controlled): Route[] {
  const { platform, faults, limits } = controlled
  const route = (method: string, path: string, answer: Answer): Route => ({
    method,
    path,
    answer: (call) => {
      checkOrigin(call.request.headers, controlled.port())
      return answer(call)
    },
  })
  return [
    route('POST', '/sandbox/faults', (call) => {
      const { latency_ms, ...input } = parsed(FaultInput, call)
      if (faults.waiting.length >= FAULTS_MAX) throw new PlatformError('invalidForm', { message: FAULTS_FULL })
      faults.add({ ...input, latencyMs: latency_ms })
      return reply.json(201, { waiting: faults.waiting.length })
    }),
    route('DELETE', '/sandbox/faults', () => {
      faults.clear()
      return reply.empty()
    }),
    route('POST', '/sandbox/limits', (call) => {
      const { window_ms, ...input } = parsed(LimitInput, call)
      limits.set({ ...input, windowMs: window_ms })
      return reply.json(201, { rules: limits.rules.length })
    }),
    route('DELETE', '/sandbox/limits', () => {
      limits.clear()
      return reply.empty()
    }),
    route('POST', '/sandbox/revoke', (call) => reply.json(200, { revoked: revoke(platform, parsed(RevokeInput, call)) })),
    route('GET', '/sandbox/state', () => reply.json(200, stateReport(controlled))),
  ]
}

/** Ends the sign-ins that fit; gives their number. */
function revoke(platform: Platform, { user_id, application_id, token }: z.output<typeof RevokeInput>): number {
  const behindToken = token === undefined ? undefined : authorizationOfToken(platform, token)
  const fits = (one: StoredAuthorization): boolean =>
    (user_id ?? one.userId) === one.userId &&
    (application_id ?? one.applicationId) === one.applicationId &&
    (token === undefined || (behindToken?.userId === one.userId && behindToken.applicationId === one.applicationId))
  const pairs = new Map(
    platform.store.authorizations
      .all()
      .filter(fits)
      .map((one) => [`${one.applicationId}:${one.userId}`, one]),
  )
  return [...pairs.values()].reduce((sum, { applicationId, userId }) => sum + revokeAll(platform, applicationId, userId), 0)
}
