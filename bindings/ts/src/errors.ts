/** The errors of the client. Each message states what happened and, if possible, what to do. */
import { ERRORS, type ErrorName } from '@sallyport/protocol/errors'

const NAMES: ReadonlyMap<number, ErrorName> = new Map(Object.entries(ERRORS).map(([name, row]) => [row.code, name as ErrorName]))

/** Data of an ERROR response: a code of the ERRORS table, a message, and fields of that code (`retry_after`, `http_status`, …). */
export interface CallErrorData {
  readonly code: number
  readonly message: string
  readonly [key: string]: unknown
}

/** The server responded to a call with ERROR. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** Name of the code in the ERRORS table; UNKNOWN_ERROR for a code that is not in it. */
  readonly errorName: ErrorName
  readonly command: string
  readonly code: number
  readonly data: CallErrorData

  constructor(command: string, data: CallErrorData) {
    super(data.message)
    this.command = command
    this.code = data.code
    this.data = data
    this.errorName = NAMES.get(data.code) ?? 'UNKNOWN_ERROR'
  }

  /** Whether the same call may succeed later. */
  get retryable(): boolean {
    const name = NAMES.get(this.code)
    return name !== undefined && ERRORS[name].retryable
  }

  /** Milliseconds to wait before the next attempt, if the server named a time. */
  get retryAfterMs(): number | undefined {
    const seconds = this.data['retry_after']
    return typeof seconds === 'number' ? seconds * 1000 : undefined
  }
}

/** No connection, or it ended before the response. The server may or may not have executed the call. */
export class ConnectionLostError extends Error {
  override readonly name: string = 'ConnectionLostError'
}

/** The client has no connection, so it sent nothing. */
export class NotSentError extends ConnectionLostError {
  override readonly name = 'NotSentError'
}

/** No response in time. The server may still execute the call. */
export class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError'
}

/** No usable server was found. */
export class ServerNotFoundError extends Error {
  override readonly name = 'ServerNotFoundError'
}

/** The server may belong to another user of the system or to a contained program; the client does not use it. */
export class ForeignServerError extends Error {
  override readonly name = 'ForeignServerError'
}

/** The server refused the handshake or closed the connection with a code. */
export class ServerClosedError extends Error {
  override readonly name = 'ServerClosedError'
  readonly closeCode: number

  constructor(closeCode: number, reason: string) {
    super(
      reason === ''
        ? `the server closed the connection with code ${closeCode}`
        : `the server closed the connection: ${reason} (${closeCode})`,
    )
    this.closeCode = closeCode
  }
}

/** The server violated the framing or the encoding; the connection is unusable. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** The thrown value as an Error. */
export const errorFrom = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
