/** How long calls take, by family of commands and by error. */
import { ERRORS, familyOf } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { CallMeter } from '../../ipc/connection/call-meter.ts'
import { Histogram } from './histogram.ts'

/** As the conventions of OpenTelemetry name what has no name of its own: a command that no table has, an error beyond the bound. */
export const UNNAMED = '_OTHER'

const MICROSECONDS = 1000
/** A game chooses its errors, and each has all buckets. */
const MOST_ERRORS = 8

class Family {
  readonly name: string
  readonly successes = new Histogram()
  /** By code of the error; 0: beyond the bound. */
  readonly errors = new Map<number, Histogram>()

  constructor(name: string) {
    this.name = name
  }

  errorsOf(code: number): Histogram {
    return this.errors.get(code) ?? this.#add(this.errors.size < MOST_ERRORS ? code : 0)
  }

  #add(code: number): Histogram {
    const known = this.errors.get(code)
    if (known !== undefined) return known
    const made = new Histogram()
    this.errors.set(code, made)
    return made
  }
}

/** The calls of one family with the same result. */
export interface TimedCalls {
  readonly family: string
  /** The name of the error; undefined for successes. */
  readonly error: string | undefined
  readonly times: Histogram
}

export class CallTimes implements CallMeter {
  readonly #clock: Pick<Clock, 'elapsed'>
  /** By command: only names of the table, so that games cannot add any. */
  readonly #byCommand = new Map<string, Family>()
  readonly #families = new Map<string, Family>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  now(): number {
    return (this.#clock.elapsed() * MICROSECONDS) | 0
  }

  answered(cmd: string, startedAt: number, code: number | undefined): void {
    const family = this.#byCommand.get(cmd) ?? this.#find(cmd)
    const times = code === undefined ? family.successes : family.errorsOf(code)
    times.observe((this.now() - startedAt) | 0)
  }

  all(): readonly TimedCalls[] {
    const names = new Map<number, string>(Object.entries(ERRORS).map(([name, { code }]) => [code, name]))
    return [...this.#families.values()].flatMap(({ name: family, successes, errors }) => [
      { family, error: undefined, times: successes },
      ...[...errors].map(([code, times]) => ({ family, error: names.get(code) ?? UNNAMED, times })),
    ])
  }

  #find(cmd: string): Family {
    const known = familyOf(cmd)
    const name = known ?? UNNAMED
    const family = this.#families.get(name) ?? new Family(name)
    this.#families.set(name, family)
    if (known !== undefined) this.#byCommand.set(cmd, family)
    return family
  }
}
