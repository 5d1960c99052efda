/** The rules of grants, pure: whose a grant is, when it ends, and what a program must still be allowed. */
import { expandScopes, LIMITS } from '@sallyport/protocol'
import { isSameProgram, type Program } from '../identity/program.ts'
import type { Grant } from './grant.ts'

const DAY_MS = 86_400_000
const IDLE_MS = LIMITS.grantIdle.value * DAY_MS

export const isIdle = ({ lastUsedAt }: Grant, now: number): boolean => now - lastUsedAt >= IDLE_MS

/** Whether a use is worth a write. */
export const isDueForNote = ({ lastUsedAt }: Grant, now: number): boolean => now - lastUsedAt >= DAY_MS

const isWithin = (scope: string, held: ReadonlySet<string>): boolean => [...expandScopes([scope])].every((part) => held.has(part))

/** What of `wanted` is not covered by `held`; umbrella scopes count as what they stand for. */
export function newScopes(wanted: readonly string[], held: readonly string[]): readonly string[] {
  const all = expandScopes(held)
  return wanted.filter((scope) => !isWithin(scope, all))
}

/** What of the scopes of a token is granted. */
export function grantedScopes(ofToken: readonly string[], granted: readonly string[]): readonly string[] {
  const fresh = new Set(newScopes(ofToken, granted))
  return ofToken.filter((scope) => !fresh.has(scope))
}

/** Why the user is asked: each has its sentence. */
export type Why = 'new-program' | 'changed-program' | 'idle' | 'brought-token' | 'more-scopes'

/** Silent: signed in with these scopes. Ask: the user must first allow these. */
export type Verdict =
  | { readonly kind: 'silent'; readonly scopes: readonly string[] }
  | { readonly kind: 'ask'; readonly scopes: readonly string[]; readonly why: Why }

/** What a program gets of an account's tokens without showing one. `grant`: the one at its place, if there is one. */
export function judge(grant: Grant | undefined, program: Program, ofToken: readonly string[], now: number): Verdict {
  const ask = (why: Why, scopes = ofToken): Verdict => ({ kind: 'ask', why, scopes })
  if (grant === undefined) return ask('new-program')
  if (!isSameProgram(grant.program, program)) return ask('changed-program')
  if (isIdle(grant, now)) return ask('idle')
  const fresh = newScopes(ofToken, grant.scopes)
  if (grant.basis === 'token') return ask('brought-token', fresh.length > 0 ? fresh : ofToken)
  const scopes = grantedScopes(ofToken, grant.scopes)
  return scopes.length === 0 && fresh.length > 0 ? ask('more-scopes', fresh) : { kind: 'silent', scopes }
}

/**
 * What a program must be allowed here before the platform may give it `wanted` without asking anybody. `atPlace`: all grants at its place
 * for the application, of whichever users, since nobody knows yet whom the platform will name.
 */
export function judgeUnasked(atPlace: readonly Grant[], program: Program, wanted: readonly string[], now: number): Verdict {
  const verdicts = (atPlace.length === 0 ? [undefined] : atPlace).map((grant): Verdict => {
    const verdict = judge(grant, program, wanted, now)
    const fresh = grant === undefined ? [] : newScopes(wanted, grant.scopes)
    return verdict.kind === 'silent' && fresh.length > 0 ? { kind: 'ask', why: 'more-scopes', scopes: fresh } : verdict
  })
  const open = (verdict: Verdict): number => (verdict.kind === 'silent' ? 0 : verdict.scopes.length)
  return verdicts.reduce((least, one) => (open(one) < open(least) ? one : least))
}
