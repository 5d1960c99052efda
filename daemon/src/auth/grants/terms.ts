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

export const isBlocked = ({ basis }: Grant): boolean => basis === 'blocked'

/** Whether the user refused something with the row: the program, its presence, or places for that. It must outlive a grant. */
export const isChoice = (grant: Grant): boolean => isBlocked(grant) || grant.presence !== 'shown' || grant.places !== undefined

/** Whether the row gives anything. What the user refused or hid is in a row too. */
export const isGrant = ({ basis }: Grant): boolean => basis === 'allowed' || basis === 'token'

export const isOfCommandLine = ({ session }: Program): boolean => session !== undefined
const termsOf = ({ program }: Grant): Terms => (isOfCommandLine(program) ? OF_COMMAND_LINE : OF_PROGRAM)

/** Whether the grant was unused for too long, or is too old, or its program is of a kind that an earlier version recognised. */
export function hasEnded(grant: Grant, now: number): boolean {
  if (!isGrant(grant)) return false
  if (!isKnown(grant.program)) return true
  const { idleMs, totalMs } = termsOf(grant)
  return now - grant.lastUsedAt >= idleMs || now - grant.grantedAt >= totalMs
}

/** Whether the grant was unused for so long that its account no longer counts as used. The command line has no shorter time here. */
export const isStale = (grant: Grant, now: number): boolean =>
  isGrant(grant) && (!isKnown(grant.program) || now - grant.lastUsedAt >= OF_PROGRAM.idleMs)

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

/** What a program may request from the platform. */
interface Requestable {
  readonly scopes: readonly string[]
  /** Whether the token of these scopes gives more than the user allows: the platform gives an umbrella scope as a whole. */
  readonly isWider: boolean
}

/** `scopes` without those that the user took from the program as a whole. A sign-in needs the user of its token, whom `identify` names. */
export function requestable(scopes: readonly string[], denied: readonly string[]): Requestable {
  const taken = expandScopes(denied)
  const parts = (scope: string): readonly string[] => {
    const [, ...included] = expandScopes([scope])
    return included.length === 0 ? [scope] : included
  }
  const left = scopes.filter((scope) => parts(scope).includes('identify') || !parts(scope).every((part) => taken.has(part)))
  return { scopes: left, isWider: left.some((scope) => parts(scope).some((part) => taken.has(part))) }
}

/** What the user took from a program for an application. Only the platform knows which user it will be, so what any of its grants lacks counts. */
export const deniedFor = (
  grants: { forPath(program: Program, applicationId: string): readonly Grant[] },
  { program, applicationId }: { readonly program: Program; readonly applicationId: string },
): readonly string[] => grants.forPath(program, applicationId).flatMap(({ deniedScopes }) => deniedScopes)
