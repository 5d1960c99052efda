/** The wait between two attempts: over when its time is, or sooner when a socket appears where one is looked for. */
import type { Ports } from './ports.ts'

/** A socket's file appears a moment before the server listens on it, milliseconds. */
const SETTLE_MS = 20

export class RetryWait {
  readonly #ports: Pick<Ports, 'clock' | 'watch'>
  readonly #directories: () => readonly string[]
  readonly #namePrefix: string
  #cancels: (() => void)[] = []

  constructor(ports: Pick<Ports, 'clock' | 'watch'>, directories: () => readonly string[], namePrefix: string) {
    this.#ports = ports
    this.#directories = directories
    this.#namePrefix = namePrefix
  }

  /** Calls `retry` once, and says whether a socket appeared. */
  start(delayMs: number, retry: (hasAppeared: boolean) => void): void {
    this.cancel()
    let noticed = false
    const finish = () => {
      this.cancel()
      retry(noticed)
    }
    const notice = (name: string) => {
      if (noticed || !name.startsWith(this.#namePrefix)) return
      noticed = true
      this.#cancels.push(this.#ports.clock.after(SETTLE_MS, finish))
    }
    this.#cancels.push(this.#ports.clock.after(delayMs, finish), this.#ports.watch(this.#directories(), notice))
  }

  cancel(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
  }
}
