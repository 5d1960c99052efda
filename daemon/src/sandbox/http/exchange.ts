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
  readonly body: string
}

/** A request that found its route. */
export interface Call {
  readonly request: SandboxRequest
  /** Values of the `{parameters}` of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>
}

export type Answer = (call: Call) => SandboxReply | Promise<SandboxReply>

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): SandboxReply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

export const reply = {
  json,
  empty: (status = 204): SandboxReply => ({ status, headers: {}, body: '' }),
  redirect: (location: string): SandboxReply => ({ status: 302, headers: { location, 'cache-control': 'no-store' }, body: '' }),
}
