/** `premium_type` of a user: 0 unless the token has the scope identify.premium, which only approved applications can get. */
import type { ScopeName } from '../scopes.ts'

const SCOPE = 'identify.premium' satisfies ScopeName

/** Returns the user with the premium_type that the scopes allow; an absent premium_type stays absent. */
export const withAllowedPremium = <U extends { readonly premium_type?: number | undefined }>(user: U, scopes: ReadonlySet<string>): U =>
  user.premium_type === undefined || scopes.has(SCOPE) ? user : { ...user, premium_type: 0 }
