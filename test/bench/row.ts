/** The type of a row of the bench, its inputs, and the verdict about each of its lines. */
import type { Ground } from './contestants/contestants.ts'
import type { Effort } from './effort.ts'
import type { Figures } from './figures.ts'
import { type Aim, AIMS } from './headlines.ts'
import type { Target } from './targets.ts'

/** What a line is held to: an aim of the README, or a target of its own. One with neither says why. */
export type Held = { readonly aim: Aim } | { readonly target: Target } | { readonly whyNoTarget: string }

/** One line of the figures. */
export type Line = Figures & Held

export interface Bench {
  readonly ground: Ground
  readonly effort: Effort
}

export interface Row {
  /** For the command line. */
  readonly name: string
  run(bench: Bench): Promise<readonly Line[]>
}

export const targetOf = (line: Line): Target | undefined => ('aim' in line ? AIMS[line.aim] : 'target' in line ? line.target : undefined)

export type Verdict = 'holds' | 'misses' | 'for reading'

/** `scale`: what times of targets are multiplied by on this machine. */
export function verdictOf(line: Line, scale: number): Verdict {
  const target = targetOf(line)
  if (target === undefined) return 'for reading'
  return target.isHeld(line, scale) ? 'holds' : 'misses'
}
