/** Limits how many consent prompts are open and how often they open, so that no program can flood the user or block prompts of others. */
import { SECOND_MS } from '@sallyport/core/durations'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '../../identity/program.ts'
import { shareKey, recognitionKeysOf } from './recognition-keys.ts'

/** `admit` throws TRANSACTION_ABORTED or RATE_LIMITED. Call its result once, when the prompt is over. */
export interface PromptLimits {
  admit(program: Program): (wasAllowed: boolean) => void
}

export interface PromptLimitsDeps {
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

export function createPromptLimits({ clock, isKnown, charge }: PromptLimitsDeps): PromptLimits {
  const open = new Set<PromptRecord>()
  /** Prompts of programs without any grant, counted together because modified copies of a program look like new ones. */
  let newProgramPrompts: readonly PromptRecord[] = []

  /** Copies of a program count as that program. Accounting limits its share of all prompts. */
  const reserve = (program: Program, keys: readonly string[]): (() => void) => {
    const own = [...open].filter((record) => shareKey(record.keys, keys)).length
    if (own >= LIMITS.consentPromptsPerProgram.value) {
      throw busy('Too many prompts about this program are open. Let the user answer them, then sign in again.')
    }
    const release = charge(program)
    if (release === undefined) throw busy('Too many prompts are open. Let the user answer them, then sign in again.')
    return release
  }

  const checkNewPrograms = (keys: readonly string[], now: number): void => {
    newProgramPrompts = newProgramPrompts.filter(({ at }) => now - at < LIMITS.newProgramConsentPromptsMs.value)
    const own = newProgramPrompts.filter((record) => shareKey(record.keys, keys))
    const max = LIMITS.newProgramConsentPrompts.value
    const full = own.length >= max / 2 ? own : newProgramPrompts.length >= max ? newProgramPrompts : undefined
    if (full === undefined) return
    const retryAfter = Math.ceil(((full[0]?.at ?? now) + LIMITS.newProgramConsentPromptsMs.value - now) / SECOND_MS)
    throw new BridgeError(
      'RATE_LIMITED',
      `Too many prompts about programs that the user has never allowed; try again in ${retryAfter} s.`,
      { retry_after: retryAfter },
    )
  }

  return {
    admit(program) {
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
