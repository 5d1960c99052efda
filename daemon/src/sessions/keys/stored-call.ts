/** How a call with a key ended, as it is stored, and what a repeat gets. Pure. */
import { BridgeError, type ErrorDetail } from '@sallyport/core/errors'
import { ERRORS, type ErrorName } from '@sallyport/protocol/errors'

/** Why it is not known whether a call took effect: the end of a sentence. */
export const UNKNOWN_REASONS = {
  sent: 'the bridge ended before it had stored the answer of the platform',
  lost: 'the connection to the platform broke before its answer',
  late: 'the platform did not answer in the time of the call',
  failed: 'the answer of the platform leaves it open',
  stopped: 'the bridge stopped before the platform answered',
  left: 'the connection of the game ended before the answer, and the bridge has no room for more such calls of this program',
  unstored: 'the bridge could not store the answer of the platform',
  unread: 'the bridge cannot read the answer that it has stored',
  unsealed: 'the vault has another key since',
} as const satisfies Readonly<Record<string, string>>
export type UnknownReason = keyof typeof UNKNOWN_REASONS

/** `sent`: the request may have left. `value`, `error`: sealed. `taken`: it took effect, and the result is not kept. */
export type StoredState = 'value' | 'error' | 'taken' | UnknownReason

export const isUnknown = (state: StoredState): state is UnknownReason => Object.hasOwn(UNKNOWN_REASONS, state)

/** `failure`: what the call ended with. */
export const unknownOutcome = (reason: UnknownReason, failure?: unknown): BridgeError =>
  new BridgeError(
    'UNKNOWN_OUTCOME',
    `The call with this key was sent, and ${UNKNOWN_REASONS[reason]}. It may have taken effect: read the state, then decide. Do not repeat the call.`,
    failure instanceof BridgeError ? answerOf(failure) : {},
    { cause: failure },
  )

/** What the platform said. Nothing of when a repeat may succeed. */
const answerOf = ({ detail: { http_status, platform_code } }: BridgeError): ErrorDetail => ({
  ...(http_status === undefined ? {} : { http_status }),
  ...(platform_code === undefined ? {} : { platform_code }),
})

export const keyReused = (): BridgeError =>
  new BridgeError('KEY_REUSED', 'This key was used for another command or other arguments. Make a new key for each call.', { path: 'key' })

export const resultNotKept = (): BridgeError =>
  new BridgeError(
    'RESULT_NOT_KEPT',
    'The call with this key took effect before. Its result is not kept, because it has secrets, is too large or was damaged: read it anew.',
  )

/** For the first answer. `failure`: why the bridge could not read it. */
export const resultNotRead = (failure: BridgeError): BridgeError =>
  new BridgeError('RESULT_NOT_KEPT', `The call took effect. ${failure.message} Read its result anew.`, answerOf(failure), {
    cause: failure,
  })

/** An error as it is stored. */
interface StoredError {
  readonly error: ErrorName
  readonly message: string
  readonly detail: ErrorDetail
}

export const toStoredError = ({ error, message, detail }: BridgeError): StoredError => ({ error, message, detail })
export const fromStoredError = ({ error, message, detail }: StoredError): BridgeError => new BridgeError(error, message, detail)

/** Whether a repeat must get this error too: the platform refused the call, and would again. */
export const isFinalError = (failure: unknown): failure is BridgeError =>
  failure instanceof BridgeError && !ERRORS[failure.error].retryable && failure.error !== 'INVALID_TOKEN'
