/** The one place where what the platform did wrong becomes one error for the caller. Messages carry no tokens, bodies or addresses. */
import type { ErrorName } from '@sallyport/protocol'
import { BridgeError, type ErrorDetail } from '@sallyport/core/errors'
import { repeats } from '@sallyport/core/spellings'
import type { EndReason } from './call.ts'
import { HttpFailure, type HttpFailureKind } from './http-failure.ts'
import { IDENTITY_ERRORS } from './identity-errors.ts'
import { INTERACTION_ERRORS } from './interaction-errors.ts'
import { type FieldError, fieldErrors, type LinkedIdentity, type PlatformError, readPlatformError } from './platform-error.ts'
import { retryAfterMs } from './rate-limit.ts'
import type { HttpReply } from './upstream.ts'

/** JSON codes of the platform that say more than their HTTP status. */
const BY_PLATFORM_CODE: Readonly<Record<number, ErrorName>> = {
  10003: 'INVALID_CHANNEL',
  10004: 'INVALID_GUILD',
  10006: 'INVALID_INVITE',
  10007: 'INVALID_USER',
  10012: 'INVALID_TOKEN',
  10013: 'INVALID_USER',
  10029: 'INVALID_ENTITLEMENT',
  10031: 'INVALID_LOBBY',
  10097: 'INVALID_SOUND',
  10124: 'INVALID_INVITE',
  10129: 'INVALID_INVITE',
  20012: 'UNAUTHORIZED_FOR_APPLICATION',
  20016: 'RATE_LIMITED',
  20028: 'RATE_LIMITED',
  20029: 'RATE_LIMITED',
  40012: 'NO_CONNECTION_FOUND',
  40062: 'RATE_LIMITED',
  40333: 'SERVICE_UNAVAILABLE',
  50001: 'INVALID_PERMISSIONS',
  50013: 'INVALID_PERMISSIONS',
  50014: 'INVALID_TOKEN',
  50020: 'INVALID_INVITE',
  50025: 'INVALID_TOKEN',
  50026: 'INVALID_PERMISSIONS',
  50035: 'INVALID_PAYLOAD',
  50229: 'INVALID_USER',
  110000: 'SERVICE_UNAVAILABLE',
  110001: 'SERVICE_UNAVAILABLE',
  130000: 'SERVICE_UNAVAILABLE',
}

const BY_STATUS: Readonly<Record<number, ErrorName>> = {
  400: 'INVALID_PAYLOAD',
  401: 'INVALID_TOKEN',
  403: 'INVALID_PERMISSIONS',
  404: 'INVALID_PAYLOAD',
  409: 'INVALID_PAYLOAD',
  413: 'INVALID_PAYLOAD',
  429: 'RATE_LIMITED',
}

/** Families of codes that have advice of their own. */
const ADVISED = { ...IDENTITY_ERRORS, ...INTERACTION_ERRORS }

/** What the caller can do about each. */
const ADVICE: Partial<Record<ErrorName, string>> = {
  INVALID_TOKEN: 'The platform does not accept the token; authorize again.',
  INVALID_PERMISSIONS: 'The platform refuses this for want of a permission or scope.',
  INVALID_PAYLOAD: 'The platform refuses the arguments.',
  RATE_LIMITED: 'The platform limits how often this may be called; try again later.',
  SERVICE_UNAVAILABLE: 'The platform cannot do this now; try again later.',
}

/** The error for a reply that is not a success. `secrets` must not come back in what the platform says. */
export function fromReply(reply: HttpReply, now: number, secrets: readonly string[]): BridgeError {
  const said = readPlatformError(reply.body)
  if (said?.oauthError !== undefined && said.code === undefined) return fromOAuthReply(reply.status, said, secrets)
  const error = nameFor(reply.status, said)
  const fields = fieldErrors(said?.errors)
  const retryMs = said?.retryAfterMs ?? retryAfterMs(reply, now)
  const detail: ErrorDetail = {
    http_status: reply.status,
    ...(said?.code === undefined ? {} : { platform_code: said.code }),
    ...(fields[0] === undefined || fields[0].path === '' ? {} : { path: clean(fields[0].path, secrets) }),
    ...(reply.body.length > FIELD_DETAIL_CHARACTERS ? {} : fieldDetail(said?.errors, secrets)),
    ...(retryMs === undefined ? {} : { retry_after: toSeconds(retryMs) }),
    ...linkedDetail(said?.linked, secrets),
  }
  return new BridgeError(error, sentence(error, said, fields, secrets), detail)
}

/** The error for a refusal that carries a JSON code of the platform; undefined for any other reply. */
export const fromCodedReply = (reply: HttpReply, now: number, secrets: readonly string[]): BridgeError | undefined =>
  (readPlatformError(reply.body)?.code ?? 0) === 0 ? undefined : fromReply(reply, now, secrets)

function nameFor(status: number, said: PlatformError | undefined): ErrorName {
  if (status === 401) return 'INVALID_TOKEN'
  if (status === 429) return 'RATE_LIMITED'
  const byCode = said?.code === undefined ? undefined : (BY_PLATFORM_CODE[said.code] ?? ADVISED[said.code]?.error)
  // A page instead of JSON comes from something before the API, whatever its status.
  return byCode ?? (said === undefined ? undefined : BY_STATUS[status]) ?? 'SERVICE_UNAVAILABLE'
}

function fromOAuthReply(status: number, said: PlatformError, secrets: readonly string[]): BridgeError {
  const text = [said.oauthError, said.oauthDescription].filter((part) => part !== undefined).join(': ')
  return new BridgeError('OAUTH2_ERROR', `OAuth2 Error: ${clean(text, secrets)}`, { http_status: status })
}

const SHOWN_FIELDS = 5

function sentence(error: ErrorName, said: PlatformError | undefined, fields: readonly FieldError[], secrets: readonly string[]): string {
  const told =
    fields.length > 0
      ? fields
          .slice(0, SHOWN_FIELDS)
          .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
          .join('; ')
      : said?.message
  const advice = ADVISED[said?.code ?? 0]?.advice ?? ADVICE[error]
  const parts = [advice, told === undefined ? undefined : `It says: ${clean(told, secrets)}`].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(' ') : 'The platform refused the call.'
}

/** Field errors of larger bodies would not fit beside everything else in one frame, and may be nested without end. */
const FIELD_DETAIL_CHARACTERS = 8192

function fieldDetail(errors: object | undefined, secrets: readonly string[]): ErrorDetail {
  if (errors === undefined) return {}
  return repeats(JSON.stringify(errors), secrets) ? {} : { errors }
}

const linkedDetail = (linked: LinkedIdentity | undefined, secrets: readonly string[]): ErrorDetail =>
  Object.fromEntries(Object.entries(linked ?? {}).map(([key, value]) => [key, value === null ? null : clean(value, secrets)]))

const SHOWN_CHARACTERS = 500
const CONTROLS = /\p{Cc}+/gu

function clean(text: string, secrets: readonly string[]): string {
  if (repeats(text, secrets)) return '[withheld]'
  return text.slice(0, SHOWN_CHARACTERS).replace(CONTROLS, ' ')
}

const BY_FAILURE: Record<HttpFailureKind, string> = {
  unreachable: 'The platform cannot be reached; check the network and try again.',
  'timed-out': 'The platform did not answer in time; try again later.',
  interrupted: 'The connection to the platform broke before its answer was complete; whether the call took effect is not known.',
  'too-large': 'The answer of the platform is larger than the bridge accepts; ask for less.',
  aborted: 'The request was given up.',
}

/** The error for a request that got no complete reply. */
export const fromHttpFailure = (failure: unknown): BridgeError =>
  brokenOff(failure) ??
  new BridgeError('SERVICE_UNAVAILABLE', BY_FAILURE[failure instanceof HttpFailure ? failure.kind : 'interrupted'], {}, { cause: failure })

/** The reason of our own for which a body ended early, such as a file that changed while it was read. */
const brokenOff = (failure: unknown): BridgeError | undefined =>
  failure instanceof HttpFailure && failure.cause instanceof BridgeError ? failure.cause : undefined

/** The error for a success whose body is not what the row describes. `problem` names where, not what. */
export const malformedReply = (status: number, problem: string): BridgeError =>
  new BridgeError('SERVICE_UNAVAILABLE', `The answer of the platform is malformed (${problem}).`, { http_status: status })

const BY_END: Record<EndReason | 'unsent', readonly [error: ErrorName, message: string]> = {
  unsent: ['SERVICE_UNAVAILABLE', 'The platform answers too slowly: the deadline of the call passed before it could be sent.'],
  deadline: [
    'SERVICE_UNAVAILABLE',
    'The platform did not answer before the deadline of the call; whether the call took effect is not known.',
  ],
  left: ['TRANSACTION_ABORTED', 'The call was given up before the platform answered.'],
  closed: ['TRANSACTION_ABORTED', 'The bridge is stopping; call again when it is back.'],
}

/** The error for a call that ended before its answer; `unsent` = at its deadline, still waiting to be sent. */
export const endedEarly = (reason: EndReason | 'unsent'): BridgeError => new BridgeError(...BY_END[reason])

/** The error for a call that would have to wait longer than it may. */
export const rateLimited = (waitMs: number): BridgeError =>
  new BridgeError('RATE_LIMITED', `The platform limits how often this may be called; try again in ${toSeconds(waitMs)} s.`, {
    retry_after: toSeconds(waitMs),
  })

/** The error for a call that is not sent because the platform is about to ban this address. */
export const tooManyInvalid = (waitMs: number): BridgeError =>
  new BridgeError(
    'RATE_LIMITED',
    `So many requests were answered 401, 403 or 429 that the platform is about to ban this address; nothing is sent for ${toSeconds(waitMs)} s.`,
    { retry_after: toSeconds(waitMs) },
  )

const toSeconds = (ms: number): number => Math.ceil(ms) / 1000
