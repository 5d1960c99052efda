/** One request from the first check to the reply: host, route, body, faults, rate limits, operation; and a line in the request log. */
import { callerKey, callerOf } from './api/caller.ts'
import { type Faults, spoiled } from './faults.ts'
import type { SandboxReply, SandboxRequest } from './http/exchange.ts'
import { failureReply } from './http/failure-reply.ts'
import { checkHost } from './http/host.ts'
import { apiPath, type Found, type Router } from './http/router.ts'
import type { Outcome, Serve } from './http/server.ts'
import { PlatformError } from './platform-error.ts'
import type { Platform } from './platform.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RequestLog } from './request-log.ts'

export interface Dispatch {
  readonly platform: Platform
  /** Paths below the API base. */
  readonly api: Router
  /** Everything else: pages, OAuth in the browser, the control interface. */
  readonly site: Router
  readonly faults: Faults
  readonly limits: RateLimits
  readonly requests: RequestLog
}

/** The control interface must stay reachable whatever goes wrong on demand. */
const isControl = (path: string): boolean => path === '/' || path.startsWith('/sandbox/')

export function dispatcher(dispatch: Dispatch): Serve {
  const { platform, requests } = dispatch
  const { clock, log } = platform
  return async (head, body, port, gone) => {
    const startedAt = clock.now()
    const outcome = await outcomeOf(dispatch, head, body, port, gone).catch((failure: unknown) => {
      // Anything else than a refusal means that the peer went away or was too slow: the listener ends its connection.
      if (!(failure instanceof PlatformError)) {
        log.debug('sandbox-request-abandoned', { method: head.method, reason: failure instanceof Error ? failure.message : 'unknown' })
        throw failure
      }
      return { reply: failureReply(failure, log) }
    })
    // The pages watch; listing them would push out what they show.
    if (!isControl(head.path)) {
      const entry = { at: startedAt, method: head.method, path: head.path, status: outcome.reply.status, tookMs: clock.now() - startedAt }
      requests.add(entry)
      log.debug('sandbox-request', { method: entry.method, status: entry.status })
    }
    return outcome
  }
}

type Head = Omit<SandboxRequest, 'body'>

async function outcomeOf(dispatch: Dispatch, head: Head, body: () => Promise<Buffer>, port: number, gone: AbortSignal): Promise<Outcome> {
  checkHost(head.headers, port)
  const request = { ...head, body: await body() }
  const below = belowApi(head.path)
  const fault = isControl(head.path) ? undefined : dispatch.faults.take(head.method, below === undefined ? [head.path] : [below, head.path])
  if (fault === undefined) return { reply: await replyTo(dispatch, request) }
  await delay(dispatch.platform, fault.latencyMs, gone)
  const real = fault.status === undefined ? await replyTo(dispatch, request) : undefined
  return { reply: spoiled(fault, real), ...(fault.drop === undefined ? {} : { drop: fault.drop }) }
}

/** The path below the API base, for faults to name; a version that is not served has none. */
function belowApi(path: string): string | undefined {
  try {
    return apiPath(path)
  } catch {
    return undefined
  }
}

async function replyTo(dispatch: Dispatch, request: SandboxRequest): Promise<SandboxReply> {
  const { log } = dispatch.platform
  try {
    const below = apiPath(request.path)
    if (below !== undefined) return await apiReply(dispatch, dispatch.api.find(request.method, below), request)
    const { route, params } = dispatch.site.find(request.method, request.path)
    return await route.answer({ request, params })
  } catch (failure) {
    return failureReply(failure, log)
  }
}

/** Counts the call before anything else is looked at, so that refused calls count too. */
async function apiReply({ platform, limits }: Dispatch, { route, params }: Found, request: SandboxRequest): Promise<SandboxReply> {
  const caller = callerKey(callerOf(platform, request.headers.authorization))
  const major = route.majorParameter === undefined ? '' : (params[route.majorParameter] ?? '')
  const verdict = limits.charge({ method: route.method, path: route.path, major, caller })
  if (verdict.refusal !== undefined) return verdict.refusal
  const answer = await answered(route.answer, { request, params }, platform)
  return { ...answer, headers: { ...answer.headers, ...verdict.headers } }
}

async function answered(
  answer: Found['route']['answer'],
  call: Parameters<Found['route']['answer']>[0],
  { log }: Platform,
): Promise<SandboxReply> {
  try {
    return await answer(call)
  } catch (failure) {
    return failureReply(failure, log)
  }
}

/** Waits for a fault's latency, or until the peer gives up. */
const delay = ({ clock }: Platform, ms: number, gone: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (ms === 0) return resolve()
    const giveUp = () => {
      cancel()
      reject(new Error('the peer is gone'))
    }
    const cancel = clock.after(ms, () => {
      gone.removeEventListener('abort', giveUp)
      resolve()
    })
    gone.addEventListener('abort', giveUp, { once: true })
  })
