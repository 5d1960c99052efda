/** The errors a caller of the client can see. Each says what happened and, where there is something to do, what. */
import { ERRORS, type ErrorName } from '@sallyport/protocol/errors'

const NAMES: ReadonlyMap<number, ErrorName> = new Map(Object.entries(ERRORS).map(([name, row]) => [row.code, name as ErrorName]))

/** Data of an ERROR answer: a code of the ERRORS table, a sentence, and what the code adds (`retry_after`, `http_status`, …). */
export interface CallErrorData {
  readonly code: number
  readonly message: string
  readonly [key: string]: unknown
}

/** The server answered a call with ERROR. */
export class CallError extends Error {
  readonly command: string
  readonly code: number
  readonly data: CallErrorData

  constructor(command: string, data: CallErrorData) {
    super(data.message)
    this.command = command
    this.code = data.code
    this.data = data
    this.name = NAMES.get(data.code) ?? 'UNKNOWN_ERROR'
  }

  /** Whether the same call may succeed later without a change. */
  get retryable(): boolean {
    const name = NAMES.get(this.code)
    return name !== undefined && ERRORS[name].retryable
  }
}

/** The connection ended before the answer came, or there was none. The server may or may not have carried the call out. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** No answer in time. The server may still carry the call out. */
export class CallTimeout extends Error {
  override readonly name = 'CallTimeout'
}

/** Nothing that could be used listens. */
export class NoServer extends Error {
  override readonly name = 'NoServer'
}

/** A server that may be another user's: it is not spoken to. */
export class ForeignServer extends Error {
  override readonly name = 'ForeignServer'
}

/** The server closed with a code: the handshake was refused, or the connection was ended. */
export class ServerClosed extends Error {
  override readonly name = 'ServerClosed'
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

/** The server broke the framing or the encoding; nothing after that can be trusted. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** Anything can be thrown; from here on it is an Error. */
export const errorFrom = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
