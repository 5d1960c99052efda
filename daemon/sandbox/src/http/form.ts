/** Decodes request bodies. */
import { OAuthError, PlatformError } from '../platform-error.ts'
import type { SandboxRequest } from './exchange.ts'

const mediaType = (request: SandboxRequest): string => (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** The JSON body, undefined when there is none. Throws invalidJson, or invalidForm for another content type. */
export function jsonBody(request: SandboxRequest): unknown {
  if (request.body.length === 0) return undefined
  if (mediaType(request) !== 'application/json') {
    const message = 'Expected "Content-Type" header to be "application/json".'
    throw new PlatformError('invalidForm', { errors: { _errors: [{ code: 'CONTENT_TYPE_INVALID', message }] } })
  }
  try {
    return JSON.parse(request.body.toString('utf8')) as unknown
  } catch {
    throw new PlatformError('invalidJson')
  }
}

/** The form body of an OAuth endpoint. Duplicate parameters are refused, as RFC 6749 §3.2 requires. */
export function formBody(request: SandboxRequest): ReadonlyMap<string, string> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  }
  return singleValues(new URLSearchParams(request.body.toString('utf8')))
}

/** Parameters by name; empty ones count as absent. */
export function singleValues(given: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of given) {
    if (values.has(name)) throw new OAuthError('invalid_request', `The parameter ${name.slice(0, 40)} is duplicated.`)
    if (value !== '') values.set(name, value)
  }
  return values
}
