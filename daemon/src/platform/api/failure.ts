/** Converts every platform failure to an error for the game. Messages contain no tokens, bodies or addresses. */
import type { EndpointRow, ErrorName } from '@sallyport/protocol'
import { BridgeError, type ErrorDetail } from '@sallyport/core/errors'
import { containsSecret, type SecretSearch } from '@sallyport/core/secret-variants'
import type { EndReason } from './call.ts'
import { HttpFailure, type HttpFailureKind } from './http-failure.ts'
import { IDENTITY_ERRORS } from './identity-errors.ts'
import { INTERACTION_ERRORS } from './interaction-errors.ts'
import { type FieldError, fieldErrors, type LinkedIdentity, type PlatformError, readPlatformError } from './platform-error.ts'
import { retryAfterMs } from './rate-limit.ts'
import type { HttpReply } from './forwarder-port.ts'

/** JSON codes of the platform that are more specific than the HTTP status. */
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

/** Codes about the object that the path names: what the user may not reach is as unknown. By the parameter of the path. */
const BY_OBJECT: Readonly<Record<string, Readonly<Record<number, ErrorName>>>> = {
  lobby_id: { 50001: 'INVALID_LOBBY' },
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

/** Codes with specific advice. */
const ADVISED = { ...IDENTITY_ERRORS, ...INTERACTION_ERRORS }

/** Advice per error name. */
const ADVICE: Partial<Record<ErrorName, string>> = {
  INVALID_TOKEN: 'The platform rejected the token; authorize again.',
  INVALID_PERMISSIONS: 'The platform denied the request: missing permission or scope.',
  INVALID_LOBBY: 'There is no such lobby, or the user is not a member of it.',
  INVALID_PAYLOAD: 'The platform rejected the arguments.',
  RATE_LIMITED: 'The platform limits the rate of this call; retry later.',
  SERVICE_UNAVAILABLE: 'The platform is temporarily unavailable; retry later.',
}

/** The error for an unsuccessful reply. `secrets` must not appear in its message. */
export function errorFromReply(
  reply: HttpReply,
  now: number,
  secrets: SecretSearch,
  row?: Pick<EndpointRow, 'pathParameters'>,
): BridgeError {
  const platformError = readPlatformError(reply.body)
  if (platformError?.oauthError !== undefined && platformError.code === undefined)
    return fromOAuthReply(reply.status, platformError, secrets)
  const error = nameFor(reply.status, platformError, row)
  const fields = fieldErrors(platformError?.errors)
  const retryMs = platformError?.retryAfterMs ?? retryAfterMs(reply, now)
  const detail: ErrorDetail = {
    http_status: reply.status,
    ...(platformError?.code === undefined ? {} : { platform_code: platformError.code }),
    ...(fields[0] === undefined || fields[0].path === '' ? {} : { path: clean(fields[0].path, secrets) }),
    ...(reply.body.length > FIELD_DETAIL_CHARACTERS ? {} : fieldDetail(platformError?.errors, secrets)),
    ...(retryMs === undefined ? {} : { retry_after: toSeconds(retryMs) }),
    ...linkedDetail(platformError?.linked, secrets),
  }
  return new BridgeError(error, sentence(error, platformError, fields, secrets), detail)
}

/** The error for a reply with a JSON code of the platform; undefined for other replies. */
export const errorFromCodedReply = (reply: HttpReply, now: number, secrets: SecretSearch): BridgeError | undefined =>
  (readPlatformError(reply.body)?.code ?? 0) === 0 ? undefined : errorFromReply(reply, now, secrets)

function nameFor(
  status: number,
  platformError: PlatformError | undefined,
  row: Pick<EndpointRow, 'pathParameters'> | undefined,
): ErrorName {
  if (status === 401) return 'INVALID_TOKEN'
  if (status === 429) return 'RATE_LIMITED'
  const code = platformError?.code
  const byCode = code === undefined ? undefined : (byObject(code, row) ?? BY_PLATFORM_CODE[code] ?? ADVISED[code]?.error)
  // An HTML page comes from a proxy in front of the API, regardless of its status.
  return byCode ?? (platformError === undefined ? undefined : BY_STATUS[status]) ?? 'SERVICE_UNAVAILABLE'
}

const byObject = (code: number, row: Pick<EndpointRow, 'pathParameters'> | undefined): ErrorName | undefined =>
  row?.pathParameters.map((name) => BY_OBJECT[name]?.[code]).find((name) => name !== undefined)

function fromOAuthReply(status: number, platformError: PlatformError, secrets: SecretSearch): BridgeError {
  const text = [platformError.oauthError, platformError.oauthDescription].filter((part) => part !== undefined).join(': ')
  return new BridgeError('OAUTH2_ERROR', `OAuth2 Error: ${clean(text, secrets)}`, { http_status: status })
}

const SHOWN_FIELDS = 5

function sentence(
  error: ErrorName,
  platformError: PlatformError | undefined,
  fields: readonly FieldError[],
  secrets: SecretSearch,
): string {
  const platformMessage =
    fields.length > 0
      ? fields
          .slice(0, SHOWN_FIELDS)
          .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
          .join('; ')
      : platformError?.message
  const advice = ADVISED[platformError?.code ?? 0]?.advice ?? ADVICE[error]
  const parts = [advice, platformMessage === undefined ? undefined : `Platform message: ${clean(platformMessage, secrets)}`].filter(
    (part) => part !== undefined,
  )
  return parts.length > 0 ? parts.join(' ') : 'The platform rejected the call.'
}

/** Larger field errors would not fit into one frame, and their depth is unbounded. */
const FIELD_DETAIL_CHARACTERS = 8192

function fieldDetail(errors: object | undefined, secrets: SecretSearch): ErrorDetail {
  if (errors === undefined) return {}
  return containsSecret(JSON.stringify(errors), secrets) ? {} : { errors }
}

const linkedDetail = (linked: LinkedIdentity | undefined, secrets: SecretSearch): ErrorDetail =>
  Object.fromEntries(Object.entries(linked ?? {}).map(([key, value]) => [key, value === null ? null : clean(value, secrets)]))

/** In place of a text of the platform that repeats a secret. */
export const WITHHELD = '[withheld]'
const SHOWN_CHARACTERS = 500
const CONTROLS = /\p{Cc}+/gu

function clean(text: string, secrets: SecretSearch): string {
  if (containsSecret(text, secrets)) return WITHHELD
  return text.slice(0, SHOWN_CHARACTERS).replace(CONTROLS, ' ')
}

const BY_FAILURE: Record<HttpFailureKind, string> = {
  unreachable: 'The platform cannot be reached; check the network and retry.',
  'timed-out': 'The platform did not respond in time; retry later.',
  interrupted: 'The connection to the platform broke before the response was complete; the call may have taken effect.',
  'too-large': 'The response of the platform exceeds the size limit of the bridge; request less.',
  aborted: 'The request was cancelled.',
}

/** The error for a request without a complete reply. */
export const errorFromFailure = (failure: unknown): BridgeError =>
  bodyError(failure) ??
  new BridgeError('SERVICE_UNAVAILABLE', BY_FAILURE[failure instanceof HttpFailure ? failure.kind : 'interrupted'], {}, { cause: failure })

/** The bridge's own reason for an incomplete body, such as a file that changed during the upload. */
const bodyError = (failure: unknown): BridgeError | undefined =>
  failure instanceof HttpFailure && failure.cause instanceof BridgeError ? failure.cause : undefined

/** The error for a success with a body that does not match the row. `problem` contains the location, not the value. */
export const malformedReplyError = (status: number, problem: string): BridgeError =>
  new BridgeError('SERVICE_UNAVAILABLE', `The response of the platform is malformed (${problem}).`, { http_status: status })

const BY_END: Record<EndReason, string> = {
  cancelled: 'The call was cancelled before the platform responded.',
  closed: 'The bridge is stopping; retry when it runs again.',
}

/** The error for a call that ended before its response. */
export const abortError = (reason: EndReason): BridgeError => new BridgeError('TRANSACTION_ABORTED', BY_END[reason])

/** The error for a call whose wait would exceed its deadline. */
export const rateLimitError = (waitMs: number): BridgeError =>
  new BridgeError('RATE_LIMITED', `The platform limits the rate of this call; retry in ${toSeconds(waitMs)} s.`, {
    retry_after: toSeconds(waitMs),
  })

/** The error for a call that is not sent because the platform would soon ban this IP address. */
export const invalidRequestsError = (waitMs: number): BridgeError =>
  new BridgeError(
    'RATE_LIMITED',
    `Too many requests failed with 401, 403 or 429, and the platform would soon ban this IP address; the bridge sends nothing for ${toSeconds(waitMs)} s.`,
    { retry_after: toSeconds(waitMs) },
  )

const toSeconds = (ms: number): number => Math.ceil(ms) / 1000
