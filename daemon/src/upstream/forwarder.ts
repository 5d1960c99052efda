/** Forwards calls: refuse → build → wait for a turn → send → learn the limits → retry as the row allows → one value or one error. */
import { type EndpointRow, type Parser, parserOf } from '@sallyport/protocol'
import type { PlatformProfile } from '../config/profile.ts'
import type { Clock } from '../core/clock.ts'
import type { BridgeError } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import { createBuckets } from './buckets.ts'
import { Call } from './call.ts'
import { endedEarly, fromHttpFailure, fromReply, rateLimited } from './failure.ts'
import { HttpFailure } from './http-failure.ts'
import { createInvalidRequests } from './invalid-requests.ts'
import { readRateLimit } from './rate-limit.ts'
import { refusal } from './refusal.ts'
import { type RequestBuilder, requestBuilder } from './request.ts'
import { isSuccess, readResult } from './response.ts'
import { type Attempt, isRepeatable, retryDelayMs } from './retry.ts'
import type { Shelf } from './shelf.ts'
import type { Credential, Forwarder, HttpRequest, HttpSend } from './upstream.ts'

export interface ForwarderParts {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'userAgent'>
  readonly send: HttpSend
  readonly clock: Clock
  readonly log: Logger
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
  const { profile, send, clock, log, random, onUnauthorized } = parts
  const buckets = createBuckets(clock)
  const invalidRequests = createInvalidRequests(clock)
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

  /** Rejects with RATE_LIMITED, or as the call ended. */
  const turnOf = async (call: Call, earlier: Attempt | undefined): Promise<Shelf> => {
    const isReturned = earlier?.kind === 'reply' && earlier.reply.status === 429
    try {
      return await buckets.turn(call, isReturned)
    } catch (failure) {
      if (call.endedBy !== undefined) throw endedEarly(call.endedBy === 'deadline' && earlier === undefined ? 'unsent' : call.endedBy)
      // The platform's own refusal says more than that the wait is too long.
      throw isReturned ? fromReply(earlier.reply, clock.now(), secretsOf(call)) : failure
    }
  }

  const sendOnce = async (request: HttpRequest, call: Call, shelf: Shelf): Promise<Attempt> => {
    let reply
    try {
      reply = await send(request, call.signal)
    } catch (failure) {
      buckets.settle(shelf, call, undefined)
      return { kind: 'failure', failure }
    }
    // A gateway's error page carries no limits and must not teach that there are none.
    const reading = reply.status >= 500 ? undefined : readRateLimit(reply, clock.now())
    buckets.settle(shelf, call, reading)
    if (reading !== undefined) invalidRequests.count(reply.status, reading)
    return { kind: 'reply', reply }
  }

  const errorOf = (attempt: Attempt, call: Call, sendings: number): BridgeError => {
    if (attempt.kind === 'reply') return fromReply(attempt.reply, clock.now(), secretsOf(call))
    if (call.endedBy === undefined) return fromHttpFailure(attempt.failure)
    const isUnsent = call.endedBy === 'deadline' && sendings === 1 && attempt.failure instanceof HttpFailure && !attempt.failure.sent
    return endedEarly(isUnsent ? 'unsent' : call.endedBy)
  }

  const run = async (call: Call): Promise<unknown> => {
    const { row, args, credential } = call
    const { build, parse } = preparedFor(row)
    const request = build(args, credential)
    const repeatable = isRepeatable(row, args)
    let attempt: Attempt | undefined
    for (let sendings = 1; ; sendings += 1) {
      const shelf = await turnOf(call, attempt)
      attempt = await sendOnce(request, call, shelf)
      if (attempt.kind === 'reply' && isSuccess(row, attempt.reply.status)) return readResult(parse, attempt.reply)

      const now = clock.now()
      const delayMs = call.endedBy === undefined ? retryDelayMs(attempt, repeatable, sendings, random(), now) : undefined
      if (delayMs === undefined || now + delayMs >= call.deadlineAt) {
        const error = errorOf(attempt, call, sendings)
        const status = error.detail.http_status
        if (status === 401 && credential !== undefined) onUnauthorized?.(credential)
        log.info('upstream.failed', { row: row.name, error: error.error, status, sendings })
        throw error
      }
      log.debug('upstream.retry', { row: row.name, sendings, delayMs })
      if (delayMs > 0) await call.pause(clock, delayMs)
      if (call.endedBy !== undefined) throw endedEarly(call.endedBy)
    }
  }

  return {
    async forward(row, args, credential, signal, deadlineAt) {
      const refused = refusal(row, credential)
      if (refused !== undefined) throw refused
      const bannedMs = invalidRequests.waitMs()
      if (bannedMs > 0) throw rateLimited(bannedMs)
      if (isClosed || signal.aborted) throw endedEarly(isClosed ? 'closed' : 'left')
      const call = new Call(clock, { row, args, credential }, signal, deadlineAt)
      calls.add(call)
      try {
        return await run(call)
      } finally {
        call.dispose()
        calls.delete(call)
      }
    },
    async close() {
      isClosed = true
      for (const call of calls) call.end('closed')
    },
  }
}

const SECRET_ARGUMENTS = [
  'secret',
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'access_token',
  'token',
  'external_auth_token',
  'parent_access_token',
  'parent_client_secret',
]
/** Shorter texts are ordinary words. */
const SECRET_CHARACTERS = 8

/** What the platform may echo but the caller's error must not repeat: the token, and secrets among the arguments. */
function secretsOf({ args, credential }: Call): readonly string[] {
  const candidates = [credential?.token.reveal(), ...SECRET_ARGUMENTS.map((name) => args[name])]
  return candidates.filter((value) => typeof value === 'string' && value.length >= SECRET_CHARACTERS) as string[]
}
