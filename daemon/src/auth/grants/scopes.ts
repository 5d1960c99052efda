/** Which scopes a grant or a token covers. Umbrella scopes are expanded. Pure. */
import { expandScopes } from '@sallyport/protocol'

const isWithin = (scope: string, held: ReadonlySet<string>): boolean => [...expandScopes([scope])].every((part) => held.has(part))

/** The scopes in `requested` that `held` does not cover. */
export function newScopes(requested: readonly string[], held: readonly string[]): readonly string[] {
  const all = expandScopes(held)
  return requested.filter((scope) => !isWithin(scope, all))
}

/** The scopes of a token that are granted. */
export function grantedScopes(ofToken: readonly string[], granted: readonly string[]): readonly string[] {
  const fresh = new Set(newScopes(ofToken, granted))
  return ofToken.filter((scope) => !fresh.has(scope))
}
