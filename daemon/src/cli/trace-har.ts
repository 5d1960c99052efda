/**
 * Traces of calls as an HTTP archive (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/), for programs that show traffic. Each call is a
 * page; its entries are the call itself and each of its requests to the platform. Pure.
 */
import { VERSION } from '@sallyport/core/version'
import type { CallTrace } from '@sallyport/protocol'

/** Where the address of the platform is not known. */
const NO_ORIGIN = 'http://platform.invalid'
const OK = 200
/** Not known: traces have no headers and bodies of requests to the platform. */
const UNKNOWN = -1

type TracedRequest = NonNullable<CallTrace['requests']>[number]

const timeOf = (ms: number): string => new Date(ms).toISOString()
const jsonOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value))

const pageOf = ({ id, cmd, at, ms }: CallTrace) => ({
  startedDateTime: timeOf(at),
  id,
  title: `${id} ${cmd}`,
  pageTimings: ms === undefined ? {} : { onLoad: ms },
})

interface Exchange {
  readonly call: CallTrace
  readonly startedAt: number
  readonly ms: number
  readonly request: { readonly method: string; readonly url: string; readonly text?: string; readonly bytes: number }
  readonly response: { readonly status: number; readonly statusText: string; readonly text?: string; readonly bytes: number }
  readonly comment: string | undefined
}

function entryOf({ call, startedAt, ms, request, response, comment }: Exchange) {
  const unread = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], headersSize: UNKNOWN }
  const text = response.text ?? ''
  return {
    pageref: call.id,
    startedDateTime: timeOf(startedAt),
    time: ms,
    request: {
      ...unread,
      method: request.method,
      url: request.url,
      queryString: [],
      bodySize: request.bytes,
      ...(request.text === undefined ? {} : { postData: { mimeType: 'application/json', params: [], text: request.text } }),
    },
    response: {
      ...unread,
      status: response.status,
      statusText: response.statusText,
      redirectURL: '',
      bodySize: response.bytes,
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    ...(comment === undefined ? {} : { comment }),
  }
}

/** The call as a request to the daemon. Its status is the code of the error, or 200. */
function ofCall(call: CallTrace) {
  const { cmd, application_id: application = 'unknown', at, ms = 0, error, request, response } = call
  return entryOf({
    call,
    startedAt: at,
    ms,
    request: { method: 'CALL', url: `rpc://${application}/${cmd}`, text: jsonOf(request), bytes: call.request_bytes ?? UNKNOWN },
    response: {
      status: error?.code ?? OK,
      statusText: error === undefined ? call.result : (error.message ?? ''),
      text: jsonOf(error ?? response),
      bytes: call.response_bytes ?? UNKNOWN,
    },
    comment: call.kept === 'failure' ? 'Only the failure was kept, because no operator watched.' : undefined,
  })
}

const ofRequest = (call: CallTrace, origin: string, { method, path, status, failure, after_ms: after, ms }: TracedRequest) =>
  entryOf({
    call,
    startedAt: call.at + after,
    ms,
    request: { method, url: `${origin}${path}`, bytes: UNKNOWN },
    response: { status: status ?? 0, statusText: failure ?? '', bytes: UNKNOWN },
    comment: 'The path has names of parameters in place of values. Traces have no headers and no bodies of these requests.',
  })

/** `origin`: of the platform, without a path. */
export const harOf = (calls: readonly CallTrace[], origin = NO_ORIGIN): object => ({
  log: {
    version: '1.2',
    creator: { name: 'sallyport', version: VERSION },
    pages: calls.map(pageOf),
    entries: calls.flatMap((call) => [ofCall(call), ...(call.requests ?? []).map((request) => ofRequest(call, origin, request))]),
  },
})
