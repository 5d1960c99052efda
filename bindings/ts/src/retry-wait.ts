/** The wait between two attempts: ends after the delay, or earlier when a socket appears in a watched directory. */
import type { Environment } from './environment.ts'

/** Milliseconds between the creation of a socket file and the server listening on it. */
const SETTLE_MS = 20

export class RetryWait {
  readonly #environment: Pick<Environment, 'clock' | 'watch'>
  readonly #directories: () => readonly string[]
  readonly #namePrefix: string
  #cancels: (() => void)[] = []

  constructor(environment: Pick<Environment, 'clock' | 'watch'>, directories: () => readonly string[], namePrefix: string) {
    this.#environment = environment
    this.#directories = directories
    this.#namePrefix = namePrefix
  }

  /** Calls `retry` once; the argument is whether a socket appeared. */
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
      this.#cancels.push(this.#environment.clock.after(SETTLE_MS, finish))
    }
    this.#cancels.push(this.#environment.clock.after(delayMs, finish), this.#environment.watch(this.#directories(), notice))
  }

  cancel(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
  }
}
