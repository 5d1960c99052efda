/**
 * Limits how many consent prompts are open and how often they open, so that no program can flood the user or block prompts of others. Mutes
 * programs that the user refused.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { SECOND_MS } from '@sallyport/core/durations'
import { BoundedMap } from '@sallyport/core/bounded-map'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { type Program, recognitionKeysOf, shareKey } from '../../identity/program.ts'

export type PromptLimits = ReturnType<typeof createPromptLimits>

interface PromptLimitsDeps {
  readonly clock: Clock
  /** Whether the program has any live grant. */
  readonly isKnown: (program: Program) => boolean
  /** Charges an open prompt and returns its release; undefined when a limit is reached. */
  readonly charge: (program: Program) => (() => void) | undefined
}

/** How a prompt ended. `cancelled`: its asker left or withdrew it before an answer. */
export type PromptOutcome = 'allowed' | 'denied' | 'timeout' | 'cancelled'

/** A prompt of the program with these keys. */
interface PromptRecord {
  readonly keys: readonly string[]
}

/** Records of askers that are kept; beyond, the oldest is forgotten. */
const ASKED_MAX = 1_000

const busy = (message: string): BridgeError => new BridgeError('TRANSACTION_ABORTED', message)

export function createPromptLimits({ clock, isKnown, charge }: PromptLimitsDeps) {
  const open = new Set<PromptRecord>()
  /**
   * When programs without any grant asked, in monotonic ms: a clock that is set back prolongs no limit. A prompt counts for its asker, unless the
   * user allowed it.
   */
  const asked = new BoundedMap<PromptRecord, number>(ASKED_MAX)
  /** When prompts of such programs were refused or timed out. They count together, because modified copies look like new programs. */
  const notAllowed = new BoundedMap<PromptRecord, number>(BUDGETS.newProgramConsentPrompts.value)

  /** Copies of a program count as that program. Accounting limits its share of all prompts. */
  const reserve = (program: Program, keys: readonly string[]): (() => void) => {
    const own = [...open].filter((record) => shareKey(record.keys, keys)).length
    if (own >= BUDGETS.consentPromptsPerProgram.value) {
      throw busy('Too many prompts about this program are open. Let the user answer them, then sign in again.')
    }
    const release = charge(program)
    if (release === undefined) throw busy('Too many prompts are open. Let the user answer them, then sign in again.')
    return release
  }

  const checkNewPrograms = (keys: readonly string[], now: number): void => {
    const isPast = (at: number) => now - at >= BUDGETS.newProgramConsentPromptsMs.value
    asked.deleteOldest(isPast)
    notAllowed.deleteOldest(isPast)
    const own = [...asked].flatMap(([record, at]) => (shareKey(record.keys, keys) ? [at] : []))
    const max = BUDGETS.newProgramConsentPrompts.value
    // The last half of the places is for programs that did not ask yet.
    const places = own.length === 0 ? max : max / 2
    const full = own.length >= max / 2 ? own : notAllowed.size >= places ? [...notAllowed.values()] : undefined
    if (full === undefined) return
    const retryAfter = Math.ceil(((full[0] ?? now) + BUDGETS.newProgramConsentPromptsMs.value - now) / SECOND_MS)
    throw new BridgeError(
      'RATE_LIMITED',
      `Too many prompts about programs that the user has never allowed; try again in ${retryAfter} s.`,
      { retry_after: retryAfter },
    )
  }

  return {
    /** Throws TRANSACTION_ABORTED or RATE_LIMITED. Call its result once, when the prompt is over. */
    admit(program: Program): (outcome: PromptOutcome) => void {
      const record: PromptRecord = { keys: recognitionKeysOf(program) }
      const isNewProgram = !isKnown(program)
      if (isNewProgram) checkNewPrograms(record.keys, clock.elapsed())
      const release = reserve(program, record.keys)
      open.add(record)
      if (isNewProgram) asked.set(record, clock.elapsed())
      return (outcome) => {
        open.delete(record)
        release()
        if (!isNewProgram) return
        if (outcome === 'allowed') asked.delete(record)
        else if (outcome !== 'cancelled') notAllowed.set(record, clock.elapsed())
      }
    },
  }
}

/** How long a refused program is refused again without a prompt. */
const MUTE_MS = 60_000
/** After this many refusals within LONG_MUTE_MS the program is muted for LONG_MUTE_MS. */
const REFUSALS_BEFORE_LONG_MUTE = 3
const LONG_MUTE_MS = 3_600_000

interface Refused {
  readonly count: number
  readonly at: number
}

const muteMs = ({ count }: Refused): number => (count >= REFUSALS_BEFORE_LONG_MUTE ? LONG_MUTE_MS : MUTE_MS)

/** Remembers programs that the user refused. They are muted for a while, for every application. */
export class Refusals {
  readonly #clock: Clock
  readonly #byKey = new Map<string, Refused>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isMuted(program: Program): boolean {
    const now = this.#clock.elapsed()
    this.#removeExpired(now)
    return recognitionKeysOf(program).some((key) => {
      const refused = this.#byKey.get(key)
      return refused !== undefined && now - refused.at < muteMs(refused)
    })
  }

  record(program: Program): void {
    const at = this.#clock.elapsed()
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
