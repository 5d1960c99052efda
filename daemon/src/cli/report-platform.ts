/** The platform of a replayed report: it answers each request as the trace has it, and passes on what the call did not send. */
import { REDACTED } from '@sallyport/core/redacted'
import type { AnswerRequests } from '../app/running-bridge.ts'
import { WITHHELD } from '../platform/api/failure.ts'
import type { HttpReply, HttpRequest } from '../platform/api/forwarder-port.ts'
import { HttpFailure, type HttpFailureKind } from '../platform/api/http-failure.ts'
import type { Leg } from './report-plan.ts'

const KINDS: ReadonlySet<string> = new Set<HttpFailureKind>(['unreachable', 'timed-out', 'interrupted', 'too-large', 'aborted'])
const isKind = (text: string): text is HttpFailureKind => KINDS.has(text)

/** Addresses of sign-ins begin with that of the platform, which differs. */
const endOf = (path: string): string => path.split('/').slice(-2).join('/')

const pathOf = ({ shownPath, url }: HttpRequest): string => shownPath ?? new URL(url).pathname

/** The error of the call withheld what repeats a secret, which the trace shows as a marker. */
const textOf = (body: unknown): string => (body === undefined ? '' : JSON.stringify(body).replaceAll(REDACTED, WITHHELD))

function replyOf({ status, failure = 'failed', reply }: Leg): HttpReply {
  if (status !== undefined) return { status, headers: reply?.headers ?? {}, body: textOf(reply?.body) }
  throw isKind(failure) ? new HttpFailure(failure, failure !== 'unreachable') : new Error(failure)
}

export class ReportPlatform {
  #legs: readonly Leg[] = []

  /** Answers these from now on, in their order. */
  expect(legs: readonly Leg[]): void {
    this.#legs = legs
  }

  /** Those that no request came for. */
  get rest(): readonly Leg[] {
    return this.#legs
  }

  readonly answer: AnswerRequests = (send) => async (request, signal) => {
    const [next, ...later] = this.#legs
    if (next === undefined || next.method !== request.method || endOf(next.path) !== endOf(pathOf(request))) return send(request, signal)
    this.#legs = later
    return replyOf(next)
  }
}
