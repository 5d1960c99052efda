/** What a connection reports of its calls. */
import type { WireError } from '@sallyport/core/errors'
import type { PeerIdentity } from '../transport/transport.ts'
import type { CallHeader, Envelope } from './envelope.ts'

/** The connection of a call. */
export interface CallSource {
  readonly id: number
  readonly peer: PeerIdentity
}

/** Sees every call while an operator watches. */
export interface CallWatcher {
  /** `bytes`: of the payload. Sets the steps of the envelope. */
  began(from: CallSource, envelope: Envelope, bytes: number): void
  answered(from: CallSource, call: CallHeader, data: unknown, bytes: number): void
}

export interface CallRecorder {
  /** Undefined while no operator watches. */
  readonly watcher: CallWatcher | undefined
  /** Keeps the failure also while no operator watches. */
  failed(from: CallSource, call: CallHeader, error: WireError, bytes: number): void
}
