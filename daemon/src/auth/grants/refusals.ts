/** What the user refused: the program is quiet for a while, whatever application it names next. */
import type { Clock } from '@sallyport/core/clock'
import type { Program } from '../../identity/program.ts'
import { keysOf } from './program-keys.ts'

/** A program that was refused is refused again without a question for so long. */
export const QUIET_MS = 60_000
/** After so many refusals it is silent for longer; they are counted for as long as that. */
export const REFUSALS = 3
export const SILENT_MS = 3_600_000

interface Refused {
  readonly count: number
  readonly at: number
}

const quietFor = ({ count }: Refused): number => (count >= REFUSALS ? SILENT_MS : QUIET_MS)

export class Refusals {
  readonly #clock: Clock
  readonly #byKey = new Map<string, Refused>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isQuiet(program: Program): boolean {
    const now = this.#clock.now()
    this.#forgetOld(now)
    return keysOf(program).some((key) => {
      const refused = this.#byKey.get(key)
      return refused !== undefined && now - refused.at < quietFor(refused)
    })
  }

  note(program: Program): void {
    const at = this.#clock.now()
    const keys = keysOf(program)
    const count = 1 + Math.max(0, ...keys.map((key) => this.#byKey.get(key)?.count ?? 0))
    for (const key of keys) this.#byKey.set(key, { count, at })
  }

  /** The user allowed it after all. */
  forget(program: Program): void {
    for (const key of keysOf(program)) this.#byKey.delete(key)
  }

  #forgetOld(now: number): void {
    for (const [key, { at }] of this.#byKey) if (now - at >= SILENT_MS) this.#byKey.delete(key)
  }
}
