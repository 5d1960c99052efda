/** What a grant covers, and when it ends: after a time without a use, and for the command line after a time in all. Pure. */
import { DAY_MS, HOUR_MS, SECOND_MS } from '@sallyport/core/durations'
import { BUDGETS } from '@sallyport/core/budgets'
import { expandScopes } from '@sallyport/protocol'
import { isKnown, type Program } from '../../identity/program.ts'
import type { Grant } from './grant.ts'

/** When a grant ends. */
interface Terms {
  /** Without a use, in ms. */
  readonly idleMs: number
  /** In total, in ms. */
  readonly totalMs: number
  /** How far the stored time of the last use may be out of date, in ms. */
  readonly touchIntervalMs: number
}

const OF_PROGRAM: Terms = { idleMs: BUDGETS.grantIdle.value * DAY_MS, totalMs: Number.POSITIVE_INFINITY, touchIntervalMs: DAY_MS }
/** Any program in the same terminal can start the command line too. */
const OF_COMMAND_LINE: Terms = {
  idleMs: BUDGETS.commandLineIdleMs.value,
  totalMs: BUDGETS.commandLineHours.value * HOUR_MS,
  touchIntervalMs: SECOND_MS,
}

/** A refusal that the user made stays. */
export const isBlocked = ({ basis }: Grant): boolean => basis === 'blocked'

export const isOfCommandLine = ({ session }: Program): boolean => session !== undefined
const termsOf = ({ program }: Grant): Terms => (isOfCommandLine(program) ? OF_COMMAND_LINE : OF_PROGRAM)

/** Whether the grant was unused for too long, or is too old, or its program is of a kind that an earlier version recognised. */
export function hasEnded(grant: Grant, now: number): boolean {
  if (isBlocked(grant)) return false
  if (!isKnown(grant.program)) return true
  const { idleMs, totalMs } = termsOf(grant)
  return now - grant.lastUsedAt >= idleMs || now - grant.grantedAt >= totalMs
}

/** Whether the grant was unused for so long that its account no longer counts as used. The command line has no shorter time here. */
export const isStale = (grant: Grant, now: number): boolean =>
  !isBlocked(grant) && (!isKnown(grant.program) || now - grant.lastUsedAt >= OF_PROGRAM.idleMs)

/** Whether to store a new time of use. */
export const shouldTouch = (grant: Grant, now: number): boolean => now - grant.lastUsedAt >= termsOf(grant).touchIntervalMs

const isWithin = (scope: string, held: ReadonlySet<string>): boolean => [...expandScopes([scope])].every((part) => held.has(part))

/** The scopes in `requested` that `held` does not cover; umbrella scopes are expanded. */
export function newScopes(requested: readonly string[], held: readonly string[]): readonly string[] {
  const all = expandScopes(held)
  return requested.filter((scope) => !isWithin(scope, all))
}

/** The scopes of a token that are granted. */
export function grantedScopes(ofToken: readonly string[], granted: readonly string[]): readonly string[] {
  const fresh = new Set(newScopes(ofToken, granted))
  return ofToken.filter((scope) => !fresh.has(scope))
}

/** `scopes` without what the user took from the program: the rest of an umbrella scope is named by its parts. */
export function withoutDenied(scopes: readonly string[], denied: readonly string[]): readonly string[] {
  if (denied.length === 0) return scopes
  const taken = expandScopes(denied)
  const isWhole = (scope: string): boolean => [...expandScopes([scope])].every((part) => !taken.has(part))
  const left = scopes.flatMap((scope) =>
    isWhole(scope) ? [scope] : [...expandScopes([scope])].filter((part) => part !== scope && !taken.has(part)),
  )
  return [...new Set(left)]
}
