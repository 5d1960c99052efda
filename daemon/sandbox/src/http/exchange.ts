/** Requests and replies as values: what every part of the sandbox receives and gives. */
import type { IncomingHttpHeaders } from 'node:http'

export interface SandboxRequest {
  readonly method: string
  /** Path as sent, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface SandboxReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** A file of a multipart body. */
export interface ReceivedFile {
  /** Name of the part, such as `files[0]`. */
  readonly part: string
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** A multipart body that was read. */
export interface Parts {
  /** The part `payload_json`, parsed; undefined when there is none. */
  readonly payload: unknown
  readonly files: readonly ReceivedFile[]
}

/** A request that found its route. */
export interface Call {
  readonly request: SandboxRequest
  /** Values of the `{parameters}` of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Of a multipart body that was read already. */
  readonly parts?: Parts
}

export type Answer = (call: Call) => SandboxReply | Promise<SandboxReply>

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): SandboxReply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

export const reply = {
  json,
  csv: (body: string): SandboxReply => ({
    status: 200,
    headers: { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' },
    body,
  }),
  empty: (status = 204): SandboxReply => ({ status, headers: {}, body: '' }),
  redirect: (location: string): SandboxReply => ({ status: 302, headers: { location, 'cache-control': 'no-store' }, body: '' }),
  /** After a form: the browser gets the page anew, and a reload sends nothing twice. */
  seeOther: (location: string): SandboxReply => ({ status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }),
}
