/** The types between a call and the platform's HTTP API. */
import type { EndpointRow } from '@sallyport/protocol'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'

/** Whose token a request carries. `id` keeps rate-limit buckets of different credentials apart and is not secret. */
export interface Credential {
  readonly kind: 'user' | 'bot'
  readonly id: string
  readonly token: Secret<string>
}

/** A file that goes out with a request. It is read piece by piece, from its start for each sending. */
export interface OutgoingFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  /** Rejects with BridgeError when the file is no longer what it was. */
  chunks(): AsyncIterable<Uint8Array>
}

/** A body of several parts. */
export interface MultipartBody {
  /** The part `payload_json`; undefined when there is none. */
  readonly payload: string | undefined
  readonly files: readonly { readonly part: string; readonly file: OutgoingFile }[]
  /** All of it, as it is sent. */
  readonly bytes: number
  /** Made anew for each sending. */
  chunks(): AsyncIterable<Uint8Array>
}

/** One HTTP request, ready to send. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** In place of `body`. */
  readonly multipart?: MultipartBody
}

export interface HttpReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** The HTTP client as a port. Rejects with any error when no complete reply arrives. */
export type HttpSend = (request: HttpRequest, signal: CancelSignal) => Promise<HttpReply>

/** Sends one call of an endpoint row. Rejects with BridgeError only. */
export interface Forwarder {
  forward(
    row: EndpointRow,
    args: Readonly<Record<string, unknown>>,
    credential: Credential | undefined,
    signal: CancelSignal,
    deadlineAt: number,
  ): Promise<unknown>
  close(): Promise<void>
}
