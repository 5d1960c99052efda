/** A collector of OpenTelemetry on this machine. It decodes OTLP with the definitions of the protocol, as a package of OpenTelemetry has them. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import definitions from '@opentelemetry/otlp-proto-exporter-base/build/src/generated/root.js'

type Value = { readonly [key in 'stringValue' | 'intValue' | 'doubleValue' | 'boolValue' | 'arrayValue']?: unknown }
interface KeyValue {
  readonly key: string
  readonly value: Value
}

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  /** `SPAN_KIND_SERVER`, `SPAN_KIND_CLIENT`. */
  readonly kind: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly events: readonly { readonly name: string; readonly attributes: readonly KeyValue[] }[]
  readonly status: { readonly code?: string }
}

interface Point {
  readonly attributes: readonly KeyValue[]
  readonly asDouble?: number
  readonly count?: string
  readonly sum?: number
  readonly bucketCounts?: readonly string[]
  readonly explicitBounds?: readonly number[]
}

export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly Point[] }
}

interface Resource {
  readonly resource: { readonly attributes: readonly KeyValue[] }
}
type Traces = Resource & { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }
type Metrics = Resource & { readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[] }

interface MessageType {
  fromObject(plain: unknown): object
  encode(message: object): { finish(): Uint8Array }
  decode(bytes: Uint8Array): object
  toObject(message: object, options: object): object
}

const { collector } = (
  definitions as unknown as {
    opentelemetry: {
      proto: {
        collector: {
          trace: { v1: { ExportTraceServiceRequest: MessageType } }
          metrics: { v1: { ExportMetricsServiceRequest: MessageType } }
        }
      }
    }
  }
).opentelemetry.proto

const TYPES: Readonly<Record<string, MessageType>> = {
  '/v1/traces': collector.trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': collector.metrics.v1.ExportMetricsServiceRequest,
}

/** JSON of OTLP has ids in hexadecimal, all other JSON of protobuf has bytes in base64. */
const ID = /^(?:traceId|spanId|parentSpanId)$/
/** Newer than the definitions. */
const NEWER = new Set(['flags'])

const asBytes = (key: string, value: unknown): unknown =>
  ID.test(key) && typeof value === 'string' ? Buffer.from(value, 'hex').toString('base64') : value
const asHex = (key: string, value: unknown): unknown =>
  ID.test(key) && typeof value === 'string' ? Buffer.from(value, 'base64').toString('hex') : value

/** What the sender wrote and the definitions do not have. */
function unknownKeys(sent: unknown, decoded: unknown, path = ''): readonly string[] {
  if (typeof sent !== 'object' || sent === null) return []
  const of = (typeof decoded === 'object' && decoded !== null ? decoded : {}) as Record<string, unknown>
  return Object.entries(sent).flatMap(([key, value]) => {
    if (NEWER.has(key)) return []
    return key in of ? unknownKeys(value, of[key], `${path}.${key}`) : [`${path}.${key}`]
  })
}

/** Throws for a message that is not one of OTLP. */
function messageOf(type: MessageType, body: unknown): object {
  const message = type.fromObject(JSON.parse(JSON.stringify(body), asBytes))
  const plain = type.toObject(type.decode(type.encode(message).finish()), { defaults: true, longs: String, enums: String, bytes: String })
  const result = JSON.parse(JSON.stringify(plain), asHex) as object
  const unknown = unknownKeys(body, result)
  if (unknown.length > 0) throw new Error(`OTLP does not have ${unknown.join(', ')}`)
  return result
}

export const attributesOf = (attributes: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Settings of a daemon that sends soon. At its end it sends for a second at most, in which a busy collector may not have taken all. */
export const SENT_SOON = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_METRIC_EXPORT_INTERVAL: '500' }

export interface Collector {
  readonly url: string
  /** All bodies as they came. */
  readonly text: string
  readonly headers: readonly IncomingHttpHeaders[]
  readonly spans: readonly ReceivedSpan[]
  /** As the newest message has them. */
  readonly metrics: readonly ReceivedMetric[]
  readonly resource: Readonly<Record<string, unknown>>
  /** What was no OTLP. */
  readonly problems: readonly unknown[]
  /** Answers with this status from now on; 0: not at all. */
  status: number
  close(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const traces: Traces[] = []
  const metrics: Metrics[] = []
  const headers: IncomingHttpHeaders[] = []
  const problems: unknown[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    headers.push(request.headers)
    const ignored = (): void => {}
    // A sender that ends leaves some half sent.
    void json(request).then((body) => {
      bodies.push(JSON.stringify(body))
      const type = TYPES[request.url ?? '']
      try {
        if (type === undefined) throw new Error(`no path of OTLP: ${request.url}`)
        const { resourceSpans = [], resourceMetrics = [] } = messageOf(type, body) as {
          readonly resourceSpans?: readonly Traces[]
          readonly resourceMetrics?: readonly Metrics[]
        }
        if (collecting.status === 200) {
          traces.push(...resourceSpans)
          metrics.push(...resourceMetrics)
        }
      } catch (problem) {
        problems.push(problem)
      }
      if (collecting.status !== 0) response.writeHead(collecting.status, { 'content-type': 'application/json' }).end('{}')
    }, ignored)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collecting: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get text() {
      return bodies.join('\n')
    },
    headers,
    problems,
    get spans() {
      return traces.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    },
    get metrics() {
      return metrics.at(-1)?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
    },
    get resource() {
      return attributesOf([...traces, ...metrics][0]?.resource.attributes ?? [])
    },
    status: 200,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collecting
}
