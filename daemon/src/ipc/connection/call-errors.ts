/** Errors of a call that its connection raises. */
import { LIMITS } from '@sallyport/protocol'
import { BridgeError, type WireError } from '@sallyport/core/errors'
import type { Codec } from '../codec/codec.ts'
import { encodeMessage, payloadBytesOf } from '../framing/encoder.ts'
import type { CallHeader } from './envelope.ts'

/** Message length that fits every peer's frame limit. */
const SHORT_MESSAGE = 256

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

/** The frame of an error. Details from the platform may exceed the peer's frame limit; code and message always fit. */
export function errorFrame(codec: Codec, { cmd, nonce }: CallHeader, data: WireError, maxBytes: number): Buffer {
  const encoded = (error: WireError): Buffer => encodeMessage(codec.encode({ cmd, data: error, evt: 'ERROR', nonce }))
  const frame = encoded(data)
  const { code, message } = data
  return payloadBytesOf(frame) <= maxBytes ? frame : encoded({ code, message: message.slice(0, SHORT_MESSAGE) })
}
