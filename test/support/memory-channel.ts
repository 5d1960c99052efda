/** A byte channel in memory. It records each write, and the test decides whether the other end takes bytes. */
import type { ByteChannel, PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'

export class MemoryChannel implements ByteChannel {
  readonly peer: PeerIdentity
  /** Every write, as it was made. */
  readonly writes: Buffer[] = []
  /** Calls besides `write`, in order. */
  readonly log: ('pause' | 'resume' | 'end' | 'destroy')[] = []
  /** Bytes that the other end has not taken. */
  pendingBytes = 0
  /** The other end takes nothing: what is written stays pending. */
  isStuck = false

  constructor(peer: PeerIdentity = { trust: 'directory' }) {
    this.peer = peer
  }

  write(bytes: Buffer): boolean {
    this.writes.push(Buffer.from(bytes))
    if (this.isStuck) this.pendingBytes += bytes.length
    return !this.isStuck
  }
  pause(): void {
    this.log.push('pause')
  }
  resume(): void {
    this.log.push('resume')
  }
  end(): void {
    this.log.push('end')
  }
  destroy(): void {
    this.log.push('destroy')
  }

  get isPaused(): boolean {
    return this.log.findLast((entry) => entry === 'pause' || entry === 'resume') === 'pause'
  }
  get sent(): Buffer {
    return Buffer.concat(this.writes)
  }
  /** What was written since the last call. */
  take(): Buffer {
    return Buffer.concat(this.writes.splice(0))
  }
}
