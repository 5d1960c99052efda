/** Requests and replies as values, shared by all parts of the sandbox. */
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

/** A parsed multipart body. */
export interface MultipartBody {
  /** The part `payload_json`, parsed; undefined when there is none. */
  readonly payload: unknown
  /** The other text parts, by name. */
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly ReceivedFile[]
}

/** A request with its route parameters. */
export interface Call {
  readonly request: SandboxRequest
  /** Decoded values of the route's `{parameters}`. */
  readonly params: Readonly<Record<string, string>>
  /** The parsed multipart body. */
  readonly parts?: MultipartBody
}

export type RouteHandler = (call: Call) => SandboxReply | Promise<SandboxReply>

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
  /** After a form: the browser loads the page again, and a reload does not submit twice. */
  seeOther: (location: string): SandboxReply => ({ status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }),
}
