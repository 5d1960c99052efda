/**
 * Proves that the process that connected is also the sender now. A process that only inherited the connection fails, because the kernel names
 * the sender of each message. Bytes that were sent before the proof began prove nothing: the connector may have run another program then.
 */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { FrameChannel } from '../transport/transport.ts'

const PING_BYTES = 16

export interface SenderProof {
  /** Resolves once: whether the connector is the only sender since the proof began. */
  readonly result: Promise<boolean>
  /** Receives every frame of the peer, before it is dispatched. */
  onFrame(): void
  /** Receives a PONG payload. */
  onPong(payload: Buffer): void
  /** Ends the proof with false, when the connection closes. */
  cancel(): void
}

/** What ends a proof. `answersTo`: the payload that a PONG must have; undefined: any frame that was sent since the proof began. */
function watch(channel: FrameChannel, clock: Clock, answersTo: Buffer | undefined): SenderProof | undefined {
  const { promise: result, resolve } = Promise.withResolvers<boolean>()
  let isOnlyConnector = true
  let hasSender = false
  let isOver = false
  const watching = channel.watchSenders?.((pid) => {
    hasSender = true
    isOnlyConnector &&= pid === channel.peer.pid
  })
  if (watching === undefined) return undefined
  const end = (isProved: boolean): void => {
    if (isOver) return
    isOver = true
    cancelTimer()
    watching.stop()
    resolve(isProved)
  }
  const cancelTimer = clock.after(LIMITS.senderProofMs.value, () => end(false))
  return {
    result,
    onFrame(): void {
      if (answersTo === undefined) end(hasSender && isOnlyConnector && !watching.hadUnread)
    },
    onPong(payload): void {
      if (answersTo !== undefined && payload.equals(answersTo)) end(isOnlyConnector)
    },
    cancel: () => end(false),
  }
}

/** By a PONG with random bytes. For clients with a contract: others may not read a PING. Undefined on systems that do not identify senders. */
export function proveByPing(channel: FrameChannel, clock: Clock, onSent: (payload: Buffer) => void): SenderProof | undefined {
  const payload = randomBytes(PING_BYTES)
  const proof = watch(channel, clock, payload)
  if (proof === undefined) return undefined
  channel.sendPing?.(payload)
  onSent(payload)
  return proof
}

/** By the next frame of any kind. Sends nothing. Undefined on systems that do not identify senders. */
export const proveByNextFrame = (channel: FrameChannel, clock: Clock): SenderProof | undefined => watch(channel, clock, undefined)
