/** An error response of the desktop client, passed on unchanged, including codes that this contract does not define. */
import { ERRORS, type ErrorName } from '@sallyport/protocol'
import { BridgeError, type WireError } from '@sallyport/core/errors'

const NAME_OF: ReadonlyMap<number, ErrorName> = new Map(
  (Object.keys(ERRORS) as ErrorName[]).map((name) => [ERRORS[name].code, name] as const),
)

/** Maximum length of a message from the client. */
const MAX_MESSAGE = 1024
const NO_REASON = 'The desktop client rejected the call without a reason.'

class ClientError extends BridgeError {
  readonly #code: number

  constructor(code: number, message: string) {
    super(NAME_OF.get(code) ?? 'UNKNOWN_ERROR', message)
    this.#code = code
  }

  override toWire(): WireError {
    return { ...super.toWire(), code: this.#code }
  }
}

/** Creates the error from the data of an ERROR response of any shape. `secret`: an argument of the call that must not appear in the message. */
export function clientError(data: unknown, secret?: string): ClientError {
  const { code, message } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  const reason = typeof message === 'string' && message !== '' ? message.slice(0, MAX_MESSAGE) : NO_REASON
  const isSafe = secret === undefined || !reason.includes(secret)
  return new ClientError(Number.isSafeInteger(code) ? (code as number) : ERRORS.UNKNOWN_ERROR.code, isSafe ? reason : NO_REASON)
}
