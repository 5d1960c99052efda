/** Platform errors for external identities and provisional accounts, with advice. */
import type { ErrorName } from '@sallyport/protocol'

interface IdentityErrorRow {
  readonly error: ErrorName
  readonly advice: string
}

const row = (error: ErrorName, advice: string): IdentityErrorRow => ({ error, advice })

const FRESH = 'Get a new token from the external provider and retry.'
const FOREIGN = 'The external token is not for this application; compare issuer and audience with its identity provider settings.'
const SETTINGS = "The application's identity provider settings lead to no key for the token; the developer must correct them."

export const IDENTITY_ERRORS: Readonly<Record<number, IdentityErrorRow>> = {
  530000: row('UNAUTHORIZED_FOR_APPLICATION', 'The platform does not allow external identities for this application.'),
  530001: row('INVALID_TOKEN', FRESH),
  530002: row('INVALID_TOKEN', FOREIGN),
  530003: row('INVALID_TOKEN', FOREIGN),
  530004: row('INVALID_TOKEN', FRESH),
  530006: row('SERVICE_UNAVAILABLE', 'The platform found no name for the provisional account; retry.'),
  530007: row(
    'OAUTH2_ERROR',
    'This application has a client secret, so only its server can do this. Alternatively, make it a public client.',
  ),
  530008: row('OAUTH2_ERROR', SETTINGS),
  530009: row('OAUTH2_ERROR', SETTINGS),
  530010: row('OAUTH2_ERROR', 'This user has already linked an account; sign in with AUTHORIZE and GET_TOKEN.'),
  530014: row('OAUTH2_ERROR', 'The external identity belongs to an account that is not provisional; merging is not possible.'),
  530016: row('OAUTH2_ERROR', 'The approving account is provisional itself; sign in with a full account.'),
  530017: row('OAUTH2_ERROR', 'The account is banned; merging is not possible until the ban ends.'),
  530020: row('INVALID_TOKEN', FRESH),
  530023: row('OAUTH2_ERROR', 'The account has another external identity for this application; unmerge it first.'),
  530027: row('INVALID_TOKEN', 'The external token has no key id (kid) and cannot be verified; the provider must add it.'),
}
