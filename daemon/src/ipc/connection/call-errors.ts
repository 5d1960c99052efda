/** Errors of a call that its connection raises. */
import { LIMITS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'

export const tooManyOpen = (): BridgeError =>
  new BridgeError('RATE_LIMITED', 'Too many calls are pending on this connection; retry after one second.', {
    retry_after: 1,
  })

/** The call succeeded: what it changed stays changed. */
export const responseTooLarge = (bytes: number, most: number): BridgeError =>
  new BridgeError(
    'RESPONSE_TOO_LARGE',
    `The response has ${bytes} bytes, and this connection takes ${most}. The call itself succeeded. To get the response, ask for fewer items (limit), or name max_frame_bytes in the handshake: up to ${LIMITS.contractFrameBytes.value} bytes.`,
  )
