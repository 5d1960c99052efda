/** `premium_type` of a user: 0 unless the token holds identify.premium, which only approved applications are given. */
import type { ScopeName } from '../scopes.ts'

const SCOPE = 'identify.premium' satisfies ScopeName

/** The user, with a premium_type that the scopes allow; one that the platform did not send stays out. */
export const withAllowedPremium = <U extends { readonly premium_type?: number | undefined }>(user: U, scopes: ReadonlySet<string>): U =>
  user.premium_type === undefined || scopes.has(SCOPE) ? user : { ...user, premium_type: 0 }
