/** The read of a connection that goes on: when it began, and what is charged for the frame that it leaves unfinished. */
import type { ConnectionUsage } from '../../accounting/connections.ts'
import type { CallMeter } from './call-meter.ts'

export class CurrentRead {
  readonly #usage: Pick<ConnectionUsage, 'setUnfinishedBytes'>
  readonly #meter: CallMeter
  #startedAt = 0
  /** It completed a frame, so the buffered bytes belong to another one. */
  #hasCompletedFrame = false
  #unfinishedBytes = 0

  constructor(usage: Pick<ConnectionUsage, 'setUnfinishedBytes'>, meter: CallMeter) {
    this.#usage = usage
    this.#meter = meter
  }

  /** By the meter: the time of its first frame. */
  get startedAt(): number {
    return this.#startedAt
  }

  onFrame(): void {
    if (!this.#hasCompletedFrame) this.#startedAt = this.#meter.now()
    this.#hasCompletedFrame = true
  }

  /** Frames that arrive complete are not charged. */
  charge(unfinishedBytes: number): void {
    if (unfinishedBytes !== this.#unfinishedBytes || (unfinishedBytes > 0 && this.#hasCompletedFrame)) {
      this.#unfinishedBytes = unfinishedBytes
      this.#usage.setUnfinishedBytes(unfinishedBytes, this.#hasCompletedFrame)
    }
    this.#hasCompletedFrame = false
  }

  /** Its frames are answered, or wait. */
  end(): void {
    this.#meter.readEnded(this.#startedAt)
  }
}
