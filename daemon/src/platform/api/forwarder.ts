/** Forwards calls: check → build → acquire a bucket slot → send → record limits → retry as the row allows → one value or one error. */
import { type EndpointRow, type Parser, responseParser } from '@sallyport/protocol'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { currentCall } from '@sallyport/core/current-call'
import { extractSecrets } from '@sallyport/core/secret-names'
import { type SecretSearch, secretVariants } from '@sallyport/core/secret-variants'
import type { CancelSignal } from '@sallyport/core/cancel'
import { type BucketState, createBuckets } from './buckets.ts'
import { Call } from './call.ts'
import { createDevelopmentLimits } from './development-limits.ts'
import { abortError, errorFromFailure, errorFromReply, invalidRequestsError } from './failure.ts'
import { createInvalidRequests } from './invalid-requests.ts'
import { readRateLimit } from './rate-limit.ts'
import { refusal } from './refusal.ts'
import { type RequestBuilder, requestBuilder } from './request.ts'
import { isSuccess, readResult } from './response.ts'
import { type Attempt, isRepeatable, retryDelayMs } from './retry.ts'
import { BucketQueue } from './bucket-queue.ts'
import { effectOf } from './effect.ts'
import type { Credential, Forwarder, HttpReply, HttpSend, RequestFollower } from './forwarder-port.ts'
import type { WaitMeter } from './wait-meter.ts'
import type { Warnings } from './warnings.ts'

interface ForwarderDeps {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'userAgent'>
  readonly send: HttpSend
  readonly clock: Clock
  readonly log: Logger
  readonly warnings: Warnings
  /** Undefined: waits are not counted. */
  readonly meter?: WaitMeter
  /** A number from 0 to 1, as retry jitter. */
  readonly random: () => number
  /** The platform responded 401 to this credential, so its sessions end. */
  readonly onUnauthorized?: (credential: Credential) => void
}

/** Prepared once per row. */
interface Prepared {
  readonly build: RequestBuilder
  readonly parse: Parser<EndpointRow['response']>
}

/** A forwarder that says how full its rate-limit buckets are: see `fullest` in buckets.ts. */
type OpenForwarder = Forwarder & { readonly fullestBuckets: (most: number) => readonly BucketState[] }

export function createForwarder(deps: ForwarderDeps): OpenForwarder {
  const { profile, send, clock, log, warnings, random, onUnauthorized } = deps
  const buckets = createBuckets(clock, deps.meter)
  const invalidRequests = createInvalidRequests(clock, warnings)
  const developmentLimits = createDevelopmentLimits(clock, warnings)
  const prepared = new Map<EndpointRow, Prepared>()
  const calls = new Set<Call>()
  let isClosed = false

  const preparedFor = (row: EndpointRow): Prepared => {
    const known = prepared.get(row)
    if (known !== undefined) return known
    const made = { build: requestBuilder(row, profile.baseUrl, profile.userAgent), parse: responseParser(row) }
    prepared.set(row, made)
    return made
  }

  const admissionError = (stop: CancelSignal): BridgeError | undefined => {
    const bannedMs = invalidRequests.waitMs()
    if (bannedMs > 0) return invalidRequestsError(bannedMs)
    return isClosed || stop.aborted ? abortError(isClosed ? 'closed' : 'cancelled') : undefined
  }

  /** The error of a failed acquire: RATE_LIMITED, or the reason why the call ended. */
  const queueError = (call: Call, earlier: Attempt | undefined, failure: unknown): unknown => {
    if (call.endedBy !== undefined) return abortError(call.endedBy)
    // The platform's own error has more detail than the failed wait.
    return isRetry(earlier) ? errorFromReply(earlier.reply, clock.now(), secretsOf(call), call.row) : failure
  }

  /** Records the limits from a reply. */
  const recordLimits = (call: Call, queue: BucketQueue, reply: HttpReply): void => {
    // Error pages of a proxy have no limit headers; that must not count as "no limits".
    const reading = reply.status >= 500 ? undefined : readRateLimit(reply, clock.now())
    buckets.release(queue, call, reading)
    if (reading !== undefined) invalidRequests.count(reply.status, reading)
  }

  /** Gives the place in the bucket back if the request must not leave. */
  const letLeave = (call: Call, queue: BucketQueue, follower: RequestFollower): void => {
    try {
      follower.leaving()
    } catch (failure) {
      buckets.release(queue, call, undefined)
      throw failure
    }
  }

  const errorOf = (attempt: Attempt, call: Call): BridgeError => {
    if (attempt.kind === 'reply') return errorFromReply(attempt.reply, clock.now(), secretsOf(call), call.row)
    return call.endedBy === undefined ? errorFromFailure(attempt.failure) : abortError(call.endedBy)
  }

  // One function instead of several, because each awaited promise adds latency to every call.
  const run = async (call: Call, follower: RequestFollower | undefined): Promise<unknown> => {
    const { row, args, credential } = call
    try {
      const { build, parse } = preparedFor(row)
      const steps = currentCall()?.steps
      const built = build(args, credential)
      const request = steps === undefined ? built : { ...built, shownPath: row.path }
      const repeatable = isRepeatable(row, args)
      let attempt: Attempt | undefined
      for (let attempts = 1; ; attempts += 1) {
        let queue
        try {
          const acquired = buckets.acquire(call, isRetry(attempt))
          if (acquired instanceof BucketQueue) queue = acquired
          else {
            const since = clock.elapsed()
            queue = await acquired
            steps?.waited(`the rate-limit bucket ${queue.name ?? `of ${row.name}`}`, clock.elapsed() - since)
          }
        } catch (failure) {
          throw queueError(call, attempt, failure)
        }
        if (follower !== undefined) letLeave(call, queue, follower)
        developmentLimits.count(row, credential)
        try {
          attempt = { kind: 'reply', reply: await send(request, call) }
        } catch (failure) {
          attempt = { kind: 'failure', failure }
        }
        follower?.ended(effectOf(row, attempt), attempt.kind === 'reply')
        if (attempt.kind === 'reply') {
          recordLimits(call, queue, attempt.reply)
          if (isSuccess(row, attempt.reply.status)) return readResult(row, parse, attempt.reply)
        } else {
          buckets.release(queue, call, undefined)
        }

        const delayMs = call.endedBy === undefined ? retryDelayMs(attempt, repeatable, attempts, random(), clock.now()) : undefined
        if (delayMs === undefined || clock.elapsed() + delayMs >= call.deadlineAt) throw finalError(attempt, call, attempts)
        log.debug('platform-call-retried', { row: row.name, attempts, delayMs })
        if (delayMs > 0) {
          await call.pause(clock, delayMs)
          steps?.waited('a retry', delayMs)
        }
        if (call.endedBy !== undefined) throw abortError(call.endedBy)
      }
    } finally {
      call.dispose()
      calls.delete(call)
    }
  }

  /** The error of the last attempt. Reports it to the log, and a 401 to `onUnauthorized`. */
  const finalError = (attempt: Attempt, call: Call, attempts: number): BridgeError => {
    const error = errorOf(attempt, call)
    const status = error.detail.http_status
    if (status === 401 && call.credential !== undefined) onUnauthorized?.(call.credential)
    log.info('platform-call-failed', { row: call.row.name, error: error.error, status, attempts })
    return error
  }

  return {
    forward(row, args, credential, stop, deadlineAt, follower) {
      const refused = refusal(row, credential) ?? admissionError(stop)
      if (refused !== undefined) return Promise.reject(refused)
      const call = new Call({ row, args, credential }, stop, deadlineAt)
      calls.add(call)
      return run(call, follower)
    },
    fullestBuckets: (most) => buckets.fullest(most),
    async close() {
      isClosed = true
      for (const call of calls) call.end('closed')
    },
  }
}

const isRetry = (attempt: Attempt | undefined): attempt is Extract<Attempt, { kind: 'reply' }> =>
  attempt?.kind === 'reply' && attempt.reply.status === 429

/** Secrets that the platform may echo but an error must not repeat: the token, and secret arguments. */
const secretsOf = ({ args, credential }: Call): SecretSearch =>
  secretVariants([...(credential === undefined ? [] : [credential.token.reveal()]), ...extractSecrets(args)])
