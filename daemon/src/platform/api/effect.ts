/** What a request did, as far as its end says. Pure. */
import type { EndpointRow } from '@sallyport/protocol'
import type { RequestEffect } from './forwarder-port.ts'
import { HttpFailure } from './http-failure.ts'
import { isSuccess } from './response.ts'
import type { Attempt } from './retry.ts'

/** The platform refuses with these before it does anything. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500

export function effectOf(row: EndpointRow, attempt: Attempt): RequestEffect {
  if (attempt.kind === 'failure') return attempt.failure instanceof HttpFailure && !attempt.failure.sent ? 'none' : 'unknown'
  const { status } = attempt.reply
  if (isSuccess(row, status)) return 'taken'
  return isRefusal(status) ? 'none' : 'unknown'
}
