/** Maps an error to its reply: the platform's JSON error, the RFC 6749 error, or a 500 without details. */
import type { Logger } from '@sallyport/core/logger'
import { OAuthError, PlatformError } from '../platform-error.ts'
import { reply, type SandboxReply } from './exchange.ts'

export function failureReply(failure: unknown, log: Logger): SandboxReply {
  if (failure instanceof OAuthError) {
    const challenge = failure.status === 401 ? { 'www-authenticate': 'Basic realm="sandbox"' } : {}
    return reply.json(failure.status, { error: failure.error, error_description: failure.message }, challenge)
  }
  if (failure instanceof PlatformError) {
    const { status, code, message, errors, extra } = failure
    return reply.json(status, { message, code, ...(errors === undefined ? {} : { errors }), ...extra })
  }
  log.error('sandbox-request-failed', { error: failure instanceof Error ? failure.stack : String(failure) })
  return failureReply(new PlatformError('internal'), log)
}
