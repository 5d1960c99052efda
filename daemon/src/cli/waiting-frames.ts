/** Frames of a recording that wait for what answers them: in the order of the recording, bounded in number and, all queues together, in size. */

/** In one queue. */
const MAX_FRAMES = 1024
/** In all queues that share a total. A recording may have more than memory has room for. */
const MAX_BYTES = 67_108_864

export interface Total {
  bytes: number
}

export class WaitingFrames<T> {
  readonly #total: Total
  #frames: { readonly frame: T; readonly bytes: number }[] = []

  constructor(total: Total) {
    this.#total = total
  }

  /** Whether the first frame must leave now. */
  get isFull(): boolean {
    return this.#frames.length > MAX_FRAMES || (this.#frames.length > 0 && this.#total.bytes > MAX_BYTES)
  }

  /** `message`: what the frame keeps in memory. */
  push(frame: T, message: unknown): void {
    const bytes = JSON.stringify(message)?.length ?? 0
    this.#total.bytes += bytes
    this.#frames.push({ frame, bytes })
  }

  /** Removes the first frame that `accepts`. */
  take(accepts: (frame: T) => boolean = () => true): T | undefined {
    const index = this.#frames.findIndex(({ frame }) => accepts(frame))
    const [taken] = index < 0 ? [] : this.#frames.splice(index, 1)
    this.#total.bytes -= taken?.bytes ?? 0
    return taken?.frame
  }
}
