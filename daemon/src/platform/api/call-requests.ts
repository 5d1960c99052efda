/** Requests of a call: they carry its id to a platform that takes one, and its trace has them. */
import type { Clock } from '@sallyport/core/clock'
import { type CallSteps, currentCall } from '@sallyport/core/current-call'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { HttpReply, HttpRequest, HttpSend } from './forwarder-port.ts'
import { HttpFailure } from './http-failure.ts'

const FIRST_ERROR = 400

/** `header`: in which the platform gets the id; undefined: it gets none. */
export function sendForCalls(send: HttpSend, header: string | undefined, clock: Pick<Clock, 'elapsed'>): HttpSend {
  return (request, signal) => {
    const call = currentCall()
    if (call === undefined) return send(request, signal)
    const named = header === undefined ? request : { ...request, headers: { ...request.headers, [header]: call.id } }
    return call.steps === undefined ? send(named, signal) : traced(send, named, signal, call.steps, clock)
  }
}

async function traced(
  send: HttpSend,
  request: HttpRequest,
  signal: CancelSignal,
  steps: CallSteps,
  clock: Pick<Clock, 'elapsed'>,
): Promise<HttpReply> {
  const { method, url } = request
  // A path may have secrets, for example the token of an interaction; those of other requests are fixed by the profile.
  const path = request.shownPath ?? new URL(url).pathname
  const startedAt = clock.elapsed()
  try {
    const reply = await send(request, signal)
    const ms = clock.elapsed() - startedAt
    const { status } = reply
    steps.requested({ method, path, status, ms }, status < FIRST_ERROR ? undefined : { request, reply })
    return reply
  } catch (failure) {
    const why = failure instanceof HttpFailure ? failure.kind : 'failed'
    steps.requested({ method, path, failure: why, ms: clock.elapsed() - startedAt })
    throw failure
  }
}
