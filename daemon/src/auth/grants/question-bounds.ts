/** How many questions may be open, and raised: no program keeps the user's screen busy, and none keeps others from being asked about. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '../../identity/program.ts'
import { isOneOf, keysOf } from './program-keys.ts'

/** The port. Throws TRANSACTION_ABORTED or RATE_LIMITED; what it returns is called once, when the question is over. */
export interface QuestionBounds {
  admit(program: Program): (wasAllowed: boolean) => void
}

export interface QuestionBoundsParts {
  readonly clock: Clock
  /** Whether the program has a live grant of anything. */
  readonly isKnown: (program: Program) => boolean
  /** Charges an open question; undefined when the program has its share, or nothing is left. What it gives returns that. */
  readonly charge: (program: Program) => (() => void) | undefined
}

interface Raised {
  readonly keys: readonly string[]
  readonly at: number
}

const SECOND_MS = 1000

const busy = (message: string): BridgeError => new BridgeError('TRANSACTION_ABORTED', message)

export function questionBounds({ clock, isKnown, charge }: QuestionBoundsParts): QuestionBounds {
  const open = new Set<Raised>()
  /** Of programs without any grant: copies with another content each are ever new ones, so these are counted together. */
  let byStrangers: readonly Raised[] = []

  /** Copies of a program count as that program; its share of all places is for the accounts to say. */
  const takePlace = (program: Program, keys: readonly string[]): (() => void) => {
    const own = [...open].filter((raised) => isOneOf(raised.keys, keys)).length
    if (own >= LIMITS.questionsOfProgram.value) {
      throw busy('The user has enough questions about this program to answer; sign in again after that.')
    }
    const release = charge(program)
    if (release === undefined) throw busy('The user has enough questions to answer; sign in again after that.')
    return release
  }

  const checkStrangers = (keys: readonly string[], now: number): void => {
    byStrangers = byStrangers.filter(({ at }) => now - at < LIMITS.questionsOfStrangersMs.value)
    const own = byStrangers.filter((raised) => isOneOf(raised.keys, keys))
    const most = LIMITS.questionsOfStrangers.value
    const full = own.length >= most / 2 ? own : byStrangers.length >= most ? byStrangers : undefined
    if (full === undefined) return
    const retryAfter = Math.ceil(((full[0]?.at ?? now) + LIMITS.questionsOfStrangersMs.value - now) / SECOND_MS)
    throw new BridgeError(
      'RATE_LIMITED',
      `Programs that were never allowed anything have asked the user too often; try again in ${retryAfter} s.`,
      { retry_after: retryAfter },
    )
  }

  return {
    admit(program) {
      const raised: Raised = { keys: keysOf(program), at: clock.now() }
      const isStranger = !isKnown(program)
      if (isStranger) checkStrangers(raised.keys, raised.at)
      const release = takePlace(program, raised.keys)
      open.add(raised)
      if (isStranger) byStrangers = [...byStrangers, raised]
      return (wasAllowed) => {
        open.delete(raised)
        release()
        if (wasAllowed) byStrangers = byStrangers.filter((one) => one !== raised)
      }
    },
  }
}
