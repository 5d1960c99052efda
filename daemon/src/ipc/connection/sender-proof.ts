/**
 * Proves that the process that connected is also the sender now. The daemon sends a PING with random bytes. The PONG is valid if the kernel
 * identifies the connecting process as the sender of all bytes since. A process that only inherited the connection fails.
 */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { FrameChannel } from '../transport/transport.ts'

const PING_BYTES = 16

/** Undefined on systems that do not identify senders. */
export function proveSender(channel: FrameChannel, clock: Clock) {
  const nonce = randomBytes(PING_BYTES)
  const { promise: result, resolve } = Promise.withResolvers<boolean>()
  let isOnlyConnector = true
  const stopWatching = channel.pingSender?.(nonce, (pid) => {
    isOnlyConnector &&= pid === channel.peer.pid
  })
  if (stopWatching === undefined) return undefined
  const end = (isProved: boolean): void => {
    cancelTimer()
    stopWatching()
    resolve(isProved)
  }
  const cancelTimer = clock.after(LIMITS.senderProofMs.value, () => end(false))
  return {
    result,
    /** Receives a PONG payload. */
    onPong: (payload: Buffer): void => {
      if (payload.equals(nonce)) end(isOnlyConnector)
    },
    /** Ends the proof with false, when the connection closes. */
    cancel: (): void => end(false),
  }
}
