/**
 * Makes spans of the trace of a call, by the conventions of OpenTelemetry for RPC and for HTTP. They have names, times and sizes, and nothing
 * that a game or the platform wrote: no arguments, no responses, no texts of errors.
 */
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace as traceApi, type Tracer } from '@opentelemetry/api'
import { type CallTrace, ERRORS, familyOf } from '@sallyport/protocol'
import { hrTime } from './times.ts'

/** As the conventions name what has no name of its own. */
const UNNAMED = '_OTHER'
const ERROR_STATUS = 400

type TracedRequest = NonNullable<CallTrace['requests']>[number]

export interface SpanContext {
  readonly tracer: Pick<Tracer, 'startSpan'>
  /** Where requests go; its path has no meaning. */
  readonly platformUrl: string
  /** The label of an application, as metrics have it. */
  readonly applicationLabel: (id: string) => string
}

const ERROR_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(ERRORS).map(([name, { code }]) => [code, name]))

/** Of a span that failed. */
const failed = (span: Span): Span => span.setStatus({ code: SpanStatusCode.ERROR })

function callAttributes({ cmd, error, ...call }: CallTrace, applicationLabel: SpanContext['applicationLabel']): Attributes {
  // A game chooses the name of an unknown command.
  const family = familyOf(cmd)
  return {
    'rpc.system.name': 'sallyport',
    'rpc.method': family === undefined ? UNNAMED : cmd,
    command_family: family ?? UNNAMED,
    'sallyport.call.id': call.id,
    ...(call.application_id === undefined ? {} : { application_id: applicationLabel(call.application_id) }),
    ...(call.request_bytes === undefined ? {} : { 'sallyport.request.bytes': call.request_bytes }),
    ...(call.response_bytes === undefined ? {} : { 'sallyport.response.bytes': call.response_bytes }),
    ...(call.scopes === undefined ? {} : { 'sallyport.scopes.missing': [...call.scopes.missing] }),
    ...(call.token === undefined ? {} : { 'sallyport.token.kind': call.token.kind }),
    ...(error === undefined
      ? {}
      : { 'error.type': ERROR_NAMES.get(error.code) ?? UNNAMED, 'rpc.response.status_code': String(error.code) }),
  }
}

function requestAttributes({ method, path, status, failure }: TracedRequest, platformUrl: string, repeat: number): Attributes {
  const { hostname, port, protocol } = new URL(platformUrl)
  const isError = status === undefined || status >= ERROR_STATUS
  return {
    'http.request.method': method,
    'url.template': path,
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
    ...(isError ? { 'error.type': status === undefined ? (failure ?? UNNAMED) : String(status) } : {}),
    ...(repeat === 0 ? {} : { 'http.request.resend_count': repeat }),
  }
}

/** How many spans a call has. */
export const spanCount = ({ requests = [] }: Pick<CallTrace, 'requests'>): number => 1 + requests.length

/** Records a call that has ended, with a child for each request to the platform; waits are events. */
export function recordCall(call: CallTrace, { tracer, platformUrl, applicationLabel }: SpanContext): void {
  const { at, ms = 0, result, waits = [], requests = [] } = call
  const attributes = callAttributes(call, applicationLabel)
  const span = tracer.startSpan(
    String(attributes['rpc.method']),
    { kind: SpanKind.SERVER, startTime: hrTime(at), attributes, root: true },
    ROOT_CONTEXT,
  )
  for (const { on, after_ms: after, ms: lasted } of waits)
    span.addEvent('sallyport.wait', { 'sallyport.wait.on': on, 'sallyport.wait.ms': lasted }, hrTime(at + after))
  if (result === 'error') failed(span)
  const inside = traceApi.setSpan(ROOT_CONTEXT, span)
  for (const [index, request] of requests.entries()) {
    const { method, path, status, after_ms: after, ms: lasted } = request
    const repeat = requests.slice(0, index).filter((one) => one.method === method && one.path === path).length
    const child = tracer.startSpan(
      `${method} ${path}`,
      { kind: SpanKind.CLIENT, startTime: hrTime(at + after), attributes: requestAttributes(request, platformUrl, repeat) },
      inside,
    )
    if (status === undefined || status >= ERROR_STATUS) failed(child)
    child.end(hrTime(at + after + lasted))
  }
  span.end(hrTime(at + ms))
}
