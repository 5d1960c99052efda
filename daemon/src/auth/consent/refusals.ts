/** Remembers programs that the user refused. They are muted for a while, for every application. */
import type { Clock } from '@sallyport/core/clock'
import type { Program } from '../../identity/program.ts'
import { recognitionKeysOf } from './recognition-keys.ts'

/** How long a refused program is refused again without a prompt. */
export const MUTE_MS = 60_000
/** After this many refusals within LONG_MUTE_MS the program is muted for LONG_MUTE_MS. */
export const REFUSALS_BEFORE_LONG_MUTE = 3
export const LONG_MUTE_MS = 3_600_000

interface Refused {
  readonly count: number
  readonly at: number
}

const muteMs = ({ count }: Refused): number => (count >= REFUSALS_BEFORE_LONG_MUTE ? LONG_MUTE_MS : MUTE_MS)

export class Refusals {
  readonly #clock: Clock
  readonly #byKey = new Map<string, Refused>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isMuted(program: Program): boolean {
    const now = this.#clock.now()
    this.#removeExpired(now)
    return recognitionKeysOf(program).some((key) => {
      const refused = this.#byKey.get(key)
      return refused !== undefined && now - refused.at < muteMs(refused)
    })
  }

  record(program: Program): void {
    const at = this.#clock.now()
    const keys = recognitionKeysOf(program)
    const count = 1 + Math.max(0, ...keys.map((key) => this.#byKey.get(key)?.count ?? 0))
    for (const key of keys) this.#byKey.set(key, { count, at })
  }

  /** The user allowed the program. */
  clear(program: Program): void {
    for (const key of recognitionKeysOf(program)) this.#byKey.delete(key)
  }

  #removeExpired(now: number): void {
    for (const [key, { at }] of this.#byKey) if (now - at >= LONG_MUTE_MS) this.#byKey.delete(key)
  }
}
