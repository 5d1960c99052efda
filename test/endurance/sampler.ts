/** What the kernel says of the daemon, once in a while. */
import { readdirSync } from 'node:fs'
import { cpuMicroseconds, memory, privateMemory } from '../bench/process-figures.ts'

export interface Sample {
  /** Seconds from the start of the load; negative before. */
  readonly s: number
  /** KiB that no file holds. */
  readonly private: number
  /** KiB that are resident. */
  readonly rss: number
  readonly descriptors: number
  readonly threads: number
  /** Of all threads so far, ms. */
  readonly cpu: number
}

const KIB = 1024
const US_PER_MS = 1000
const MS_PER_S = 1000
const TENTHS = 10

/** Throws when the process is gone. */
export function sampleOf(pid: number, atMs: number): Sample {
  return {
    s: Math.round((atMs / MS_PER_S) * TENTHS) / TENTHS,
    private: privateMemory(pid) / KIB,
    rss: memory(pid).rss / KIB,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
    cpu: Math.round(cpuMicroseconds(pid) / US_PER_MS),
  }
}

/** Samples until it is stopped. `everyMs`: between two. */
export class Sampler {
  readonly #pid: number
  readonly #timer: NodeJS.Timeout
  readonly #samples: Sample[] = []
  #startedAt: number

  constructor(pid: number, everyMs: number) {
    this.#pid = pid
    this.#startedAt = performance.now()
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  /** The load starts: times are from now. Samples that were taken are of before. */
  startLoad(): void {
    const now = performance.now()
    const before = (now - this.#startedAt) / MS_PER_S
    this.#startedAt = now
    for (const [index, one] of this.#samples.entries()) this.#samples[index] = { ...one, s: Math.round((one.s - before) * TENTHS) / TENTHS }
  }

  get samples(): readonly Sample[] {
    return this.#samples
  }

  /** One more, which is not kept. Throws when the process is gone. */
  now(): Sample {
    return sampleOf(this.#pid, performance.now() - this.#startedAt)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    try {
      this.#samples.push(this.now())
    } catch {
      // It ended by itself, which the run notices.
      this.stop()
    }
  }
}
