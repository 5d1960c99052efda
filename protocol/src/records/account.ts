/** States of an account on this bridge, reasons for the end of its use, and ways to sign in again. */
import * as z from 'zod'
import { once } from '../once.ts'

export const ACCOUNT_STATES = ['unlinked', 'linked', 'provisional', 'restricted', 'expired', 'child'] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]
export const AccountState = once(() =>
  z.enum(ACCOUNT_STATES).meta({
    id: 'AccountState',
    description:
      'unlinked: no token of it is usable here; linked: the user authorized the application; provisional: created for an external identity; ' +
      'restricted: a provisional account that cannot be merged because the linked account is banned; expired: a provisional account whose ' +
      'token expired; child: signed in with a token of the parent application.',
  }),
)

export const ACCOUNT_END_CAUSES = [
  'refresh_refused',
  'token_refused',
  'token_expired',
  'revoked_by_game',
  'revoked_by_user',
  'deauthorized',
  'banned',
  'unmerged',
  'parent_ended',
] as const
export type AccountEndCause = (typeof ACCOUNT_END_CAUSES)[number]
export const AccountEndCause = once(() =>
  z.enum(ACCOUNT_END_CAUSES).meta({ id: 'AccountEndCause', description: 'Why the use of an account ended.' }),
)

export const SignInMethod = once(() =>
  z.enum(['oauth2', 'provisional', 'parent_token']).meta({
    id: 'SignInMethod',
    description:
      'oauth2: AUTHORIZE and GET_TOKEN; provisional: GET_PROVISIONAL_TOKEN with a fresh token of the external provider; parent_token: ' +
      'EXCHANGE_CHILD_TOKEN with a fresh token of the parent application.',
  }),
)
export type SignInMethod = z.output<ReturnType<typeof SignInMethod>>
