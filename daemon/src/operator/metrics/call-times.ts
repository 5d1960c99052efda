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

/** Calls of one family with the same result. */
class Calls {
  readonly family: string
  /** Code of the error; undefined for successes, 0 for errors beyond the bound. */
  readonly code: number | undefined
  readonly times = new Histogram()
  /** Answered in the read that goes on. */
  answered = 0

  constructor(family: string, code: number | undefined) {
    this.family = family
    this.code = code
  }
}

class Family {
  readonly successes: Calls
  readonly errors = new Map<number, Calls>()

  constructor(name: string) {
    this.successes = new Calls(name, undefined)
  }

  of(code: number | undefined): Calls {
    if (code === undefined) return this.successes
    return this.errors.get(code) ?? this.#add(this.errors.size < MOST_ERRORS ? code : 0)
  }

  #add(code: number): Calls {
    const known = this.errors.get(code)
    if (known !== undefined) return known
    const made = new Calls(this.successes.family, code)
    this.errors.set(code, made)
    return made
  }
}

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
  /** What the read that goes on has answered: mostly one kind, so the first is apart. */
  #inRead: Calls | undefined
  readonly #alsoInRead: Calls[] = []

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  now(): number {
    return (this.#clock.elapsed() * MICROSECONDS) | 0
  }

  answered(cmd: string, startedAt: number | undefined, code: number | undefined): void {
    const calls = (this.#byCommand.get(cmd) ?? this.#find(cmd)).of(code)
    if (startedAt !== undefined) return calls.times.observe(this.#since(startedAt))
    calls.answered++
    if (calls.answered > 1) return
    if (this.#inRead === undefined) this.#inRead = calls
    else this.#alsoInRead.push(calls)
  }

  readEnded(startedAt: number): void {
    if (this.#inRead === undefined) return
    const duration = this.#since(startedAt)
    settle(this.#inRead, duration)
    this.#inRead = undefined
    for (let calls = this.#alsoInRead.pop(); calls !== undefined; calls = this.#alsoInRead.pop()) settle(calls, duration)
  }

  all(): readonly TimedCalls[] {
    const names = new Map<number | undefined, string>(Object.entries(ERRORS).map(([name, { code }]) => [code, name]))
    return [...this.#families.values()].flatMap(({ successes, errors }) => [
      { family: successes.family, error: undefined, times: successes.times },
      ...[...errors.values()].map(({ family, code, times }) => ({ family, error: names.get(code) ?? UNNAMED, times })),
    ])
  }

  /** Right across the end of the clock. */
  #since(startedAt: number): number {
    return (this.now() - startedAt) | 0
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

function settle(calls: Calls, duration: number): void {
  calls.times.observe(duration, calls.answered)
  calls.answered = 0
}
