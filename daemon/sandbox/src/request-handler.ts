/** Handles one request: host check, route, body, faults, rate limits, operation, and the request log. */
import { callerKey, authenticateCaller } from './api/authentication.ts'
import { type Faults, applyFault } from './faults.ts'
import type { SandboxReply, SandboxRequest } from './http/exchange.ts'
import { failureReply } from './http/failure-reply.ts'
import { checkHost } from './http/host.ts'
import { apiPath, type RouteMatch, type Router } from './http/router.ts'
import type { Outcome, Serve } from './http/server.ts'
import { PlatformError } from './platform-error.ts'
import type { Platform } from './platform.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RequestLog } from './request-log.ts'

interface RequestHandlerDeps {
  readonly platform: Platform
  /** Routes below the API base. */
  readonly api: Router
  /** Everything else: pages, OAuth in the browser, the control interface. */
  readonly site: Router
  readonly faults: Faults
  readonly limits: RateLimits
  readonly requests: RequestLog
}

/** In which the bridge names the call of a game. */
export const CALL_ID_HEADER = 'x-sallyport-call'
const MOST_CALL_ID = 64

/** The control interface has no faults and no rate limits. */
const isControl = (path: string): boolean => path === '/' || path.startsWith('/sandbox/')

export function createRequestHandler(deps: RequestHandlerDeps): Serve {
  const { platform, requests } = deps
  const { clock, log } = platform
  return async (head, body, port, signal) => {
    const startedAt = clock.now()
    const outcome = await outcomeOf(deps, head, body, port, signal).catch((failure: unknown) => {
      // Any other error means that the client disconnected or was too slow. The server closes its connection.
      if (!(failure instanceof PlatformError)) {
        log.debug('sandbox-request-abandoned', { method: head.method, reason: failure instanceof Error ? failure.message : 'unknown' })
        throw failure
      }
      return { reply: failureReply(failure, log) }
    })
    // The front page and the control interface are left out, since they would fill the log.
    if (!isControl(head.path)) {
      const call = head.headers[CALL_ID_HEADER]
      const { method, path } = head
      const entry = { at: startedAt, method, path, status: outcome.reply.status, tookMs: clock.now() - startedAt }
      requests.add(typeof call === 'string' ? { ...entry, call: call.slice(0, MOST_CALL_ID) } : entry)
      log.debug('sandbox-request', { method: entry.method, status: entry.status })
    }
    return outcome
  }
}

type Head = Omit<SandboxRequest, 'body'>

async function outcomeOf(
  deps: RequestHandlerDeps,
  head: Head,
  body: () => Promise<Buffer>,
  port: number,
  signal: AbortSignal,
): Promise<Outcome> {
  checkHost(head.headers, port)
  const request = { ...head, body: await body() }
  const below = belowApi(head.path)
  const fault = isControl(head.path) ? undefined : deps.faults.take(head.method, below === undefined ? [head.path] : [below, head.path])
  if (fault === undefined) return { reply: await replyTo(deps, request) }
  await delay(deps.platform, fault.latencyMs, signal)
  const real = fault.status === undefined ? await replyTo(deps, request) : undefined
  return { reply: applyFault(fault, real), ...(fault.drop === undefined ? {} : { drop: fault.drop }) }
}

/** The path below the API base, for faults that name it; undefined for an unsupported version. */
function belowApi(path: string): string | undefined {
  try {
    return apiPath(path)
  } catch {
    return undefined
  }
}

async function replyTo(deps: RequestHandlerDeps, request: SandboxRequest): Promise<SandboxReply> {
  const { log } = deps.platform
  try {
    const below = apiPath(request.path)
    if (below !== undefined) return await apiReply(deps, deps.api.find(request.method, below), request)
    const { route, params } = deps.site.find(request.method, request.path)
    return await route.handle({ request, params })
  } catch (failure) {
    return failureReply(failure, log)
  }
}

/** Counts the call before any other check, so that refused calls count too. */
async function apiReply(
  { platform, limits }: RequestHandlerDeps,
  { route, params }: RouteMatch,
  request: SandboxRequest,
): Promise<SandboxReply> {
  const caller = authenticateCaller(platform, request.headers.authorization)
  const application = caller?.applicationId
  const isApproved = application !== undefined && platform.store.applications.get(application)?.isApproved === true
  const major = route.majorParameter === undefined ? '' : (params[route.majorParameter] ?? '')
  const verdict = limits.consume({ method: route.method, path: route.path, major, caller: callerKey(caller), application, isApproved })
  if (verdict.refusal !== undefined) return verdict.refusal
  const result = await handled(route.handle, { request, params }, platform)
  return { ...result, headers: { ...result.headers, ...verdict.headers } }
}

async function handled(
  handle: RouteMatch['route']['handle'],
  call: Parameters<RouteMatch['route']['handle']>[0],
  { log }: Platform,
): Promise<SandboxReply> {
  try {
    return await handle(call)
  } catch (failure) {
    return failureReply(failure, log)
  }
}

/** Waits for a fault's latency. Rejects when the client disconnects. */
const delay = ({ clock }: Platform, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (ms === 0) return resolve()
    const onAbort = () => {
      cancel()
      reject(new Error('the client disconnected'))
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    signal.addEventListener('abort', onAbort, { once: true })
  })
