/** How an account stands with an application on this bridge, why that ended, and how a game gets in again. */
import * as z from 'zod'

export const AccountState = z.enum(['unlinked', 'linked', 'provisional', 'restricted', 'expired', 'child']).meta({
  id: 'AccountState',
  description:
    'unlinked: nothing of it may be used here; linked: the user allowed the application; provisional: made for an external identity; ' +
    'restricted: a provisional account whose merges are refused, since the linked one is banned; expired: a provisional account whose ' +
    'token ended; child: signed in by a token of the parent application.',
})
export type AccountState = z.output<typeof AccountState>

export const AccountEndCause = z
  .enum([
    'refresh_refused',
    'token_refused',
    'token_expired',
    'revoked_by_game',
    'revoked_by_user',
    'deauthorized',
    'banned',
    'unmerged',
    'parent_ended',
  ])
  .meta({ id: 'AccountEndCause', description: 'What ended the use of an account.' })
export type AccountEndCause = z.output<typeof AccountEndCause>

export const SignInWay = z.enum(['oauth2', 'provisional', 'parent_token']).meta({
  id: 'SignInWay',
  description:
    'oauth2: AUTHORIZE and GET_TOKEN; provisional: GET_PROVISIONAL_TOKEN with a fresh token of the external provider; parent_token: ' +
    'EXCHANGE_CHILD_TOKEN with a fresh token of the parent application.',
})
export type SignInWay = z.output<typeof SignInWay>
