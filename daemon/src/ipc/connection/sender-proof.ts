/**
 * Proof that the process which connected is the one that speaks now. The peer is sent a PING of random bytes, and its PONG counts when the
 * kernel names the connecting process as the sender of everything that came since. A process that only inherited the connection fails.
 */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { ByteChannel } from '../transport/transport.ts'

const PING_BYTES = 16

export interface SenderProof {
  readonly result: Promise<boolean>
  /** A PONG came. */
  onPong(payload: Buffer): void
  /** The connection is over. */
  giveUp(): void
}

/** Undefined where the system does not name senders. `ping` sends a PING with these bytes. */
export function proveSender(link: ByteChannel, clock: Clock, ping: (bytes: Buffer) => void): SenderProof | undefined {
  const nonce = randomBytes(PING_BYTES)
  const { promise: result, resolve } = Promise.withResolvers<boolean>()
  let isOnlyConnector = true
  const stopWatching = link.watchSenders?.((pid) => {
    isOnlyConnector &&= pid === link.peer.pid
  })
  if (stopWatching === undefined) return undefined
  const end = (isProved: boolean): void => {
    cancelTimer()
    stopWatching()
    resolve(isProved)
  }
  const cancelTimer = clock.after(LIMITS.senderProofMs.value, () => end(false))
  ping(nonce)
  return {
    result,
    onPong: (payload) => {
      if (payload.equals(nonce)) end(isOnlyConnector)
    },
    giveUp: () => end(false),
  }
}
