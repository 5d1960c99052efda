/** Rules of grants: when a grant ends, and what the user must still allow a program. Pure. */
import { DAY_MS, HOUR_MS, SECOND_MS } from '@sallyport/core/durations'
import { expandScopes, LIMITS } from '@sallyport/protocol'
import { isKnown, isSameProgram, type Program } from '../../identity/program.ts'
import type { Grant } from '../grants/grant.ts'

/** When a grant ends. */
interface Terms {
  /** Without a use, in ms. */
  readonly idleMs: number
  /** In total, in ms. */
  readonly totalMs: number
  /** How far the stored time of the last use may be out of date, in ms. */
  readonly touchIntervalMs: number
}

const OF_PROGRAM: Terms = { idleMs: LIMITS.grantIdle.value * DAY_MS, totalMs: Number.POSITIVE_INFINITY, touchIntervalMs: DAY_MS }
/** Any program in the same terminal can start the command line too. */
const OF_COMMAND_LINE: Terms = {
  idleMs: LIMITS.commandLineIdleMs.value,
  totalMs: LIMITS.commandLineHours.value * HOUR_MS,
  touchIntervalMs: SECOND_MS,
}

export const isOfCommandLine = ({ session }: Program): boolean => session !== undefined
const termsOf = ({ program }: Grant): Terms => (isOfCommandLine(program) ? OF_COMMAND_LINE : OF_PROGRAM)

/** Whether the grant was unused for too long, or is too old. */
export function hasEnded(grant: Grant, now: number): boolean {
  const { idleMs, totalMs } = termsOf(grant)
  return now - grant.lastUsedAt >= idleMs || now - grant.grantedAt >= totalMs
}

/** Whether the grant was unused for so long that its account no longer counts as used. The command line has no shorter time here. */
export const isStale = ({ lastUsedAt }: Grant, now: number): boolean => now - lastUsedAt >= OF_PROGRAM.idleMs

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

/** Why the user is prompted; each reason has a sentence. */
export type ConsentReason =
  | 'new-program'
  | 'new-session'
  | 'changed-program'
  | 'unknown-program'
  | 'idle'
  | 'session-ended'
  | 'brought-token'
  | 'more-scopes'
  | 'new-launch'
  | 'changed-launch'

/** `allow`: the program is signed in with these scopes. `prompt`: the user must allow these first. */
export type Decision =
  | { readonly kind: 'allow'; readonly scopes: readonly string[] }
  | { readonly kind: 'prompt'; readonly scopes: readonly string[]; readonly reason: ConsentReason }

/** Decides whether a program may use an account's stored tokens. `grant`: the one for its path, if any. */
export function evaluateGrant(grant: Grant | undefined, program: Program, ofToken: readonly string[], now: number): Decision {
  const prompt = (reason: ConsentReason, scopes = ofToken): Decision => ({ kind: 'prompt', reason, scopes })
  if (!isKnown(program)) return prompt('unknown-program')
  if (grant === undefined) return prompt(isOfCommandLine(program) ? 'new-session' : 'new-program')
  if (!isSameProgram(grant.program, program)) return prompt('changed-program')
  if (hasEnded(grant, now)) return prompt(isOfCommandLine(program) ? 'session-ended' : 'idle')
  const fresh = newScopes(ofToken, grant.scopes)
  if (grant.basis === 'token') return prompt('brought-token', fresh.length > 0 ? fresh : ofToken)
  const scopes = grantedScopes(ofToken, grant.scopes)
  return scopes.length === 0 && fresh.length > 0 ? prompt('more-scopes', fresh) : { kind: 'allow', scopes }
}

/**
 * Decides whether a program may request `requested` without a page of the platform. `grants`: all grants of its path for the application,
 * of all users, because only the platform knows which user it will be.
 */
export function evaluateSilentAuthorize(grants: readonly Grant[], program: Program, requested: readonly string[], now: number): Decision {
  const decisions = (grants.length === 0 ? [undefined] : grants).map((grant): Decision => {
    const decision = evaluateGrant(grant, program, requested, now)
    const fresh = grant === undefined ? [] : newScopes(requested, grant.scopes)
    return decision.kind === 'allow' && fresh.length > 0 ? { kind: 'prompt', reason: 'more-scopes', scopes: fresh } : decision
  })
  const open = (decision: Decision): number => (decision.kind === 'allow' ? 0 : decision.scopes.length)
  return decisions.reduce((least, one) => (open(one) < open(least) ? one : least))
}
