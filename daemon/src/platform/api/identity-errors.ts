/** What the platform finds wrong with external identities and provisional accounts, and what the caller can do about it. */
import type { ErrorName } from '@sallyport/protocol'

export interface IdentityErrorRow {
  readonly error: ErrorName
  readonly advice: string
}

const row = (error: ErrorName, advice: string): IdentityErrorRow => ({ error, advice })

const FRESH = 'Get a fresh token from the external provider and try again.'
const FOREIGN = 'The external token is not for this application: compare issuer and audience with its identity provider settings.'
const SETTINGS = "The application's identity provider settings do not lead to a key that checks the token; its developer must mend them."

export const IDENTITY_ERRORS: Readonly<Record<number, IdentityErrorRow>> = {
  530000: row('UNAUTHORIZED_FOR_APPLICATION', 'The platform does not let this application use external identities.'),
  530001: row('INVALID_TOKEN', FRESH),
  530002: row('INVALID_TOKEN', FOREIGN),
  530003: row('INVALID_TOKEN', FOREIGN),
  530004: row('INVALID_TOKEN', FRESH),
  530006: row('SERVICE_UNAVAILABLE', 'The platform found no name for the provisional account; try again.'),
  530007: row('OAUTH2_ERROR', 'This application has a client secret, so only its server can do this; or make it a public client.'),
  530008: row('OAUTH2_ERROR', SETTINGS),
  530009: row('OAUTH2_ERROR', SETTINGS),
  530010: row('OAUTH2_ERROR', 'This user has linked an account already: sign in with AUTHORIZE and GET_TOKEN.'),
  530014: row('OAUTH2_ERROR', 'The external identity belongs to an account that is not provisional, so there is nothing to merge.'),
  530016: row('OAUTH2_ERROR', 'The account that allowed the sign-in is provisional itself; sign in with a full account.'),
  530017: row('OAUTH2_ERROR', 'The account is banned and nothing can be merged into it until that ends.'),
  530020: row('INVALID_TOKEN', FRESH),
  530023: row('OAUTH2_ERROR', 'The account has another external identity for this application; unmerge that one first.'),
  530027: row('INVALID_TOKEN', 'The external token names no key (kid), so it cannot be checked; the provider must add it.'),
}
