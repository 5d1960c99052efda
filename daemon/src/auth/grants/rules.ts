/** The rules of grants, pure: whose a grant is, when it ends, and what a program must still be allowed. */
import { expandScopes, LIMITS } from '@sallyport/protocol'
import { isKnown, isSameProgram, type Program } from '../../identity/program.ts'
import type { Grant } from './grant.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** When a grant ends, in ms. */
interface Terms {
  /** Without a use. */
  readonly idleMs: number
  /** In all. */
  readonly totalMs: number
  /** How far what is written of its last use may be behind. */
  readonly noteMs: number
}

const OF_PROGRAM: Terms = { idleMs: LIMITS.grantIdle.value * DAY_MS, totalMs: Number.POSITIVE_INFINITY, noteMs: DAY_MS }
/** Whatever runs in the same terminal can start the command line too. */
const OF_COMMAND_LINE: Terms = {
  idleMs: LIMITS.commandLineIdleMs.value,
  totalMs: LIMITS.commandLineHours.value * HOUR_MS,
  noteMs: SECOND_MS,
}

export const isOfCommandLine = ({ session }: Program): boolean => session !== undefined
const termsOf = ({ program }: Grant): Terms => (isOfCommandLine(program) ? OF_COMMAND_LINE : OF_PROGRAM)

/** Nobody used it for too long, or it is too old. */
export function hasEnded(grant: Grant, now: number): boolean {
  const { idleMs, totalMs } = termsOf(grant)
  return now - grant.lastUsedAt >= idleMs || now - grant.grantedAt >= totalMs
}

/** So long unused that it says nothing of its account any more. What the command line did lasts as long as with any other program. */
export const isForgotten = ({ lastUsedAt }: Grant, now: number): boolean => now - lastUsedAt >= OF_PROGRAM.idleMs

/** Whether a use is worth a write. */
export const isDueForNote = (grant: Grant, now: number): boolean => now - grant.lastUsedAt >= termsOf(grant).noteMs

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
export type Why =
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

/** Silent: signed in with these scopes. Ask: the user must first allow these. */
export type Verdict =
  | { readonly kind: 'silent'; readonly scopes: readonly string[] }
  | { readonly kind: 'ask'; readonly scopes: readonly string[]; readonly why: Why }

/** What a program gets of an account's tokens without showing one. `grant`: the one at its place, if there is one. */
export function judge(grant: Grant | undefined, program: Program, ofToken: readonly string[], now: number): Verdict {
  const ask = (why: Why, scopes = ofToken): Verdict => ({ kind: 'ask', why, scopes })
  if (!isKnown(program)) return ask('unknown-program')
  if (grant === undefined) return ask(isOfCommandLine(program) ? 'new-session' : 'new-program')
  if (!isSameProgram(grant.program, program)) return ask('changed-program')
  if (hasEnded(grant, now)) return ask(isOfCommandLine(program) ? 'session-ended' : 'idle')
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
