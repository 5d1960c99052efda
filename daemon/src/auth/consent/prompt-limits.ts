/**
 * Limits how many consent prompts are open and how often they open, so that no program can flood the user or block prompts of others. Mutes
 * programs that the user refused.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { SECOND_MS } from '@sallyport/core/durations'
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

interface PromptRecord {
  readonly keys: readonly string[]
  readonly at: number
}

const busy = (message: string): BridgeError => new BridgeError('TRANSACTION_ABORTED', message)

export function createPromptLimits({ clock, isKnown, charge }: PromptLimitsDeps) {
  const open = new Set<PromptRecord>()
  /** Prompts of programs without any grant, counted together because modified copies of a program look like new ones. */
  let newProgramPrompts: readonly PromptRecord[] = []

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
    newProgramPrompts = newProgramPrompts.filter(({ at }) => now - at < BUDGETS.newProgramConsentPromptsMs.value)
    const own = newProgramPrompts.filter((record) => shareKey(record.keys, keys))
    const max = BUDGETS.newProgramConsentPrompts.value
    const full = own.length >= max / 2 ? own : newProgramPrompts.length >= max ? newProgramPrompts : undefined
    if (full === undefined) return
    const retryAfter = Math.ceil(((full[0]?.at ?? now) + BUDGETS.newProgramConsentPromptsMs.value - now) / SECOND_MS)
    throw new BridgeError(
      'RATE_LIMITED',
      `Too many prompts about programs that the user has never allowed; try again in ${retryAfter} s.`,
      { retry_after: retryAfter },
    )
  }

  return {
    /** Throws TRANSACTION_ABORTED or RATE_LIMITED. Call its result once, when the prompt is over. */
    admit(program: Program): (wasAllowed: boolean) => void {
      const record: PromptRecord = { keys: recognitionKeysOf(program), at: clock.now() }
      const isNewProgram = !isKnown(program)
      if (isNewProgram) checkNewPrograms(record.keys, record.at)
      const release = reserve(program, record.keys)
      open.add(record)
      if (isNewProgram) newProgramPrompts = [...newProgramPrompts, record]
      return (wasAllowed) => {
        open.delete(record)
        release()
        if (wasAllowed) newProgramPrompts = newProgramPrompts.filter((one) => one !== record)
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
