/** Measures the requests to the platform. */
import type { Clock } from '@sallyport/core/clock'
import type { HttpSend } from './forwarder-port.ts'
import { HttpFailure } from './http-failure.ts'

export interface HttpMeter {
  /** `origin`: of the URL. `result`: the status of the reply, or why none came. */
  requested(method: string, origin: string, result: number | string, ms: number): void
}

/** Not known for a failure that the HTTP client does not name. */
const FAILED = '_OTHER'

/** The callers get the promise of `send` itself, because another one would delay each call. */
export const measuredSend =
  (send: HttpSend, meter: HttpMeter, clock: Pick<Clock, 'elapsed'>): HttpSend =>
  (request, signal) => {
    const { method, url } = request
    const startedAt = clock.elapsed()
    const ended = (result: number | string): void => meter.requested(method, originOf(url), result, clock.elapsed() - startedAt)
    const reply = send(request, signal)
    reply.then(
      ({ status }) => ended(status),
      (failure: unknown) => ended(failure instanceof HttpFailure ? failure.kind : FAILED),
    )
    return reply
  }

/** A URL object would cost each call more than the rest of this file. */
function originOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash === -1 ? url : url.slice(0, slash)
}
