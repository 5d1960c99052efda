/** Forwards calls: refuse → build → wait for a turn → send → learn the limits → retry as the row allows → one value or one error. */
import { type EndpointRow, type Parser, parserOf } from '@sallyport/protocol'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { secretTexts } from '@sallyport/core/secret-names'
import { guarded } from '@sallyport/core/spellings'
import type { CancelSignal } from '@sallyport/core/cancel'
import { createBuckets } from './buckets.ts'
import { Call } from './call.ts'
import { createDevelopmentLimits } from './development-limits.ts'
import { endedEarly, fromHttpFailure, fromReply, tooManyInvalid } from './failure.ts'
import { HttpFailure } from './http-failure.ts'
import { createInvalidRequests } from './invalid-requests.ts'
import { readRateLimit } from './rate-limit.ts'
import { refusal } from './refusal.ts'
import { type RequestBuilder, requestBuilder } from './request.ts'
import { isSuccess, readResult } from './response.ts'
import { type Attempt, isRepeatable, retryDelayMs } from './retry.ts'
import { Shelf } from './shelf.ts'
import type { Credential, Forwarder, HttpReply, HttpSend } from './upstream.ts'
import type { Warnings } from './warnings.ts'

export interface ForwarderParts {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'userAgent'>
  readonly send: HttpSend
  readonly clock: Clock
  readonly log: Logger
  readonly warnings: Warnings
  /** A number from 0 to 1, to spread retries. */
  readonly random: () => number
  /** The platform answered 401 to this credential: the sessions behind it are over. */
  readonly onUnauthorized?: (credential: Credential) => void
}

/** What a row needs once, however often it is called. */
interface Prepared {
  readonly build: RequestBuilder
  readonly parse: Parser<EndpointRow['response']>
}

export function createForwarder(parts: ForwarderParts): Forwarder {
  const { profile, send, clock, log, warnings, random, onUnauthorized } = parts
  const buckets = createBuckets(clock)
  const invalidRequests = createInvalidRequests(clock, warnings)
  const developmentLimits = createDevelopmentLimits(clock, warnings)
  const prepared = new Map<EndpointRow, Prepared>()
  const calls = new Set<Call>()
  let isClosed = false

  const preparedFor = (row: EndpointRow): Prepared => {
    const known = prepared.get(row)
    if (known !== undefined) return known
    const made = { build: requestBuilder(row, profile.baseUrl, profile.userAgent), parse: parserOf(row.response) }
    prepared.set(row, made)
    return made
  }

  const notNow = (stop: CancelSignal): BridgeError | undefined => {
    const bannedMs = invalidRequests.waitMs()
    if (bannedMs > 0) return tooManyInvalid(bannedMs)
    return isClosed || stop.aborted ? endedEarly(isClosed ? 'closed' : 'left') : undefined
  }

  /** What waiting for a turn came to: RATE_LIMITED, or as the call ended. */
  const noTurn = (call: Call, earlier: Attempt | undefined, failure: unknown): unknown => {
    if (call.endedBy !== undefined) return endedEarly(call.endedBy === 'deadline' && earlier === undefined ? 'unsent' : call.endedBy)
    // The platform's own refusal says more than that the wait is too long.
    return isReturned(earlier) ? fromReply(earlier.reply, clock.now(), secretsOf(call)) : failure
  }

  /** Learns what a reply says about limits. */
  const learn = (call: Call, shelf: Shelf, reply: HttpReply): void => {
    // A gateway's error page carries no limits and must not teach that there are none.
    const reading = reply.status >= 500 ? undefined : readRateLimit(reply, clock.now())
    buckets.settle(shelf, call, reading)
    if (reading !== undefined) invalidRequests.count(reply.status, reading)
  }

  const errorOf = (attempt: Attempt, call: Call, sendings: number): BridgeError => {
    if (attempt.kind === 'reply') return fromReply(attempt.reply, clock.now(), secretsOf(call))
    if (call.endedBy === undefined) return fromHttpFailure(attempt.failure)
    const isUnsent = call.endedBy === 'deadline' && sendings === 1 && attempt.failure instanceof HttpFailure && !attempt.failure.sent
    return endedEarly(isUnsent ? 'unsent' : call.endedBy)
  }

  // One function rather than several that wait for each other: every promise between the game and the platform costs each call.
  const run = async (call: Call): Promise<unknown> => {
    const { row, args, credential } = call
    try {
      const { build, parse } = preparedFor(row)
      const request = build(args, credential)
      const repeatable = isRepeatable(row, args)
      let attempt: Attempt | undefined
      for (let sendings = 1; ; sendings += 1) {
        let shelf
        try {
          const turn = buckets.turn(call, isReturned(attempt))
          shelf = turn instanceof Shelf ? turn : await turn
        } catch (failure) {
          throw noTurn(call, attempt, failure)
        }
        developmentLimits.count(row, credential)
        try {
          attempt = { kind: 'reply', reply: await send(request, call) }
        } catch (failure) {
          attempt = { kind: 'failure', failure }
        }
        if (attempt.kind === 'reply') {
          learn(call, shelf, attempt.reply)
          if (isSuccess(row, attempt.reply.status)) return readResult(row, parse, attempt.reply)
        } else {
          buckets.settle(shelf, call, undefined)
        }

        const delayMs = call.endedBy === undefined ? retryDelayMs(attempt, repeatable, sendings, random(), clock.now()) : undefined
        if (delayMs === undefined || clock.now() + delayMs >= call.deadlineAt) throw failed(attempt, call, sendings)
        log.debug('upstream.retry', { row: row.name, sendings, delayMs })
        if (delayMs > 0) await call.pause(clock, delayMs)
        if (call.endedBy !== undefined) throw endedEarly(call.endedBy)
      }
    } finally {
      call.dispose()
      calls.delete(call)
    }
  }

  /** The error of the last sending, told to whoever must know of it. */
  const failed = (attempt: Attempt, call: Call, sendings: number): BridgeError => {
    const error = errorOf(attempt, call, sendings)
    const status = error.detail.http_status
    if (status === 401 && call.credential !== undefined) onUnauthorized?.(call.credential)
    log.info('upstream.failed', { row: call.row.name, error: error.error, status, sendings })
    return error
  }

  return {
    forward(row, args, credential, stop, deadlineAt) {
      const refused = refusal(row, credential) ?? notNow(stop)
      if (refused !== undefined) return Promise.reject(refused)
      const call = new Call(clock, { row, args, credential }, stop, deadlineAt)
      calls.add(call)
      return run(call)
    },
    async close() {
      isClosed = true
      for (const call of calls) call.end('closed')
    },
  }
}

const isReturned = (attempt: Attempt | undefined): attempt is Extract<Attempt, { kind: 'reply' }> =>
  attempt?.kind === 'reply' && attempt.reply.status === 429

/** What the platform may echo but the caller's error must not repeat: the token, and secrets among the arguments. */
const secretsOf = ({ args, credential }: Call): readonly string[] =>
  guarded([...(credential === undefined ? [] : [credential.token.reveal()]), ...secretTexts(args)])
