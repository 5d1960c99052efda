/** Decides from the grants of a program what the user must still allow it. Pure. */
import { type FileIdentity, isInOtherWine, isKnown, isSameProgram, type Program } from '../../identity/program.ts'
import type { Grant } from '../grants/grant.ts'
import { grantedScopes, hasEnded, isOfCommandLine, newScopes, withoutDenied } from '../grants/terms.ts'

/** Why the user is prompted; each reason has a sentence. */
export type ConsentReason =
  | 'new-program'
  | 'new-session'
  | 'changed-program'
  | 'other-wine'
  | 'unknown-program'
  | 'idle'
  | 'session-ended'
  | 'brought-token'
  | 'more-scopes'
  | 'new-launch'
  | 'changed-launch'

/** The user must allow these scopes first. */
export interface PromptNeeded {
  readonly kind: 'prompt'
  readonly scopes: readonly string[]
  readonly reason: ConsentReason
  /** The loader of the Wine that the user allowed the program with, when another one runs it. */
  readonly formerLoader?: FileIdentity | undefined
}

/** `allow`: the program is signed in with these scopes. */
export type Decision = { readonly kind: 'allow'; readonly scopes: readonly string[] } | PromptNeeded

/** Decides whether a program may use an account's stored tokens. `grant`: the one for its path, if any. */
export function evaluateGrant(grant: Grant | undefined, program: Program, ofToken: readonly string[], now: number): Decision {
  const asked = withoutDenied(ofToken, grant?.deniedScopes ?? [])
  const prompt = (reason: ConsentReason, scopes = asked.length === 0 ? ofToken : asked): PromptNeeded => ({
    kind: 'prompt',
    reason,
    scopes,
  })
  if (!isKnown(program)) return prompt('unknown-program')
  if (grant === undefined) return prompt(isOfCommandLine(program) ? 'new-session' : 'new-program')
  if (isInOtherWine(grant.program, program)) return { ...prompt('other-wine'), formerLoader: grant.program.loader }
  if (!isSameProgram(grant.program, program)) return prompt('changed-program')
  if (hasEnded(grant, now)) return prompt(isOfCommandLine(program) ? 'session-ended' : 'idle')
  const fresh = newScopes(ofToken, grant.scopes)
  if (grant.basis !== 'allowed') return fresh.length > 0 ? prompt('brought-token', fresh) : prompt('brought-token')
  const scopes = grantedScopes(ofToken, grant.scopes)
  return scopes.length === 0 && fresh.length > 0 ? prompt('more-scopes', fresh) : { kind: 'allow', scopes }
}

/**
 * Decides whether a program may request `requested` without a page of the platform. `grants`: all grants of its path for the application,
 * of all users, because only the platform knows which user it will be.
 */
export function evaluateAuthorization(grants: readonly Grant[], program: Program, requested: readonly string[], now: number): Decision {
  const decisions = (grants.length === 0 ? [undefined] : grants).map((grant): Decision => {
    const decision = evaluateGrant(grant, program, requested, now)
    const fresh = grant === undefined ? [] : newScopes(requested, grant.scopes)
    return decision.kind === 'allow' && fresh.length > 0 ? { kind: 'prompt', reason: 'more-scopes', scopes: fresh } : decision
  })
  const open = (decision: Decision): number => (decision.kind === 'allow' ? 0 : decision.scopes.length)
  return decisions.reduce((least, one) => (open(one) < open(least) ? one : least))
}
