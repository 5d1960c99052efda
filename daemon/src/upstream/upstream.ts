/** The types between a call and the platform's HTTP API. */
import type { EndpointRow } from '@sallyport/protocol'
import type { Secret } from '../core/secret.ts'

/** Whose token a request carries. `id` keeps rate-limit buckets of different credentials apart and is not secret. */
export interface Credential {
  readonly kind: 'user' | 'bot'
  readonly id: string
  readonly token: Secret<string>
}

/** One HTTP request, ready to send. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** The HTTP client as a port. Rejects with any error when no complete reply arrives. */
export type HttpSend = (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>

/** Sends one call of an endpoint row. Rejects with BridgeError only. */
export interface Forwarder {
  forward(
    row: EndpointRow,
    args: Readonly<Record<string, unknown>>,
    credential: Credential | undefined,
    signal: AbortSignal,
    deadlineAt: number,
  ): Promise<unknown>
  close(): Promise<void>
}
