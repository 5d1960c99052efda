/** Types for forwarded calls and HTTP requests to the platform. */
import type { EndpointRow } from '@sallyport/protocol'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'

/** The token of a request and whom it stands for. What is undefined is not known yet: the platform has not checked the token. */
export type Credential =
  | { readonly kind: 'user'; readonly applicationId: string; readonly userId: string | undefined; readonly token: Secret<string> }
  | { readonly kind: 'bot'; readonly applicationId: string | undefined; readonly token: Secret<string> }

/** The limits of a call. Their owner rejects the call at the deadline and cancels it. */
export interface CallLimits {
  readonly cancelSignal: CancelSignal
  /** By `Clock.elapsed`, so that a change of the system time ends no call; decides which waits and retries still fit. */
  readonly deadlineAt: number
}

/** A file to upload. It is streamed, from its start for each attempt. */
export interface OutgoingFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  /** Rejects with BridgeError if the file has changed. */
  chunks(): AsyncIterable<Uint8Array>
}

/** A multipart body. */
export interface MultipartBody {
  /** The part `payload_json`; undefined if there is none. */
  readonly payload: string | undefined
  /** Text parts by name. */
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly { readonly part: string; readonly file: OutgoingFile }[]
  /** Size of the encoded body. */
  readonly bytes: number
  /** Called for each attempt. */
  chunks(): AsyncIterable<Uint8Array>
}

/** One HTTP request, ready to send. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Instead of `body`. */
  readonly multipart?: MultipartBody
  /** The path of its row, which traces show in place of the real one. */
  readonly shownPath?: string
  /** Of the body of the reply; latin1 keeps each byte. UTF-8 if absent. */
  readonly encoding?: 'utf8' | 'latin1'
}

export interface HttpReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** The HTTP client port. Rejects with any error if no complete reply arrives. */
export type HttpSend = (request: HttpRequest, signal: CancelSignal) => Promise<HttpReply>

/** What a request did: `none` = the platform refused it, or got no byte of it; `taken` = it was done; `unknown` = no clear answer came. */
export type RequestEffect = 'none' | 'taken' | 'unknown'

/** Follows the requests of a call that must not take effect twice. */
export interface RequestFollower {
  /** A request leaves now. Throws BridgeError to keep it back. */
  leaving(): void
  /** It has ended, with a complete answer of the platform or without. */
  ended(effect: RequestEffect, isAnswered: boolean): void
}

/** Sends one call of an endpoint row. Rejects with BridgeError only. Sets no timer for the deadline, which belongs to the owner of the signal. */
export interface Forwarder {
  forward(
    row: EndpointRow,
    args: Readonly<Record<string, unknown>>,
    credential: Credential | undefined,
    signal: CancelSignal,
    deadlineAt: number,
    follower?: RequestFollower,
  ): Promise<unknown>
  close(): Promise<void>
}
