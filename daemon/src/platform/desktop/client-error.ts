/** What the desktop client answers when it refuses: handed on as it is, also with a code that this contract does not know. */
import { ERRORS, type ErrorName } from '@sallyport/protocol'
import { BridgeError, type WireError } from '@sallyport/core/errors'

const NAME_OF: ReadonlyMap<number, ErrorName> = new Map(
  (Object.keys(ERRORS) as ErrorName[]).map((name) => [ERRORS[name].code, name] as const),
)

/** Sentences from outside are repeated only so far. */
const MAX_MESSAGE = 1024
const WITHOUT_WORDS = 'The desktop client refused, and gave no reason.'

export class ClientError extends BridgeError {
  readonly #code: number

  constructor(code: number, message: string) {
    super(NAME_OF.get(code) ?? 'UNKNOWN_ERROR', message)
    this.#code = code
  }

  override toWire(): WireError {
    return { ...super.toWire(), code: this.#code }
  }
}

/** From the data of an ERROR answer, of whatever shape. `secret`: what was sent along and must not come back in a sentence. */
export function clientError(data: unknown, secret?: string): ClientError {
  const { code, message } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  const said = typeof message === 'string' && message !== '' ? message.slice(0, MAX_MESSAGE) : WITHOUT_WORDS
  const isSafe = secret === undefined || !said.includes(secret)
  return new ClientError(Number.isSafeInteger(code) ? (code as number) : ERRORS.UNKNOWN_ERROR.code, isSafe ? said : WITHOUT_WORDS)
}
