/** Tokens as returned by the token endpoint. */
import * as z from 'zod'
import { once } from '../once.ts'
import { text, tolerant } from '../schema/index.ts'
import { AccountState } from './account.ts'

/** Type of an external token; selects the provider that the platform verifies it with. */
export const ExternalAuthType = once(() =>
  z
    .enum([
      'OIDC',
      'EPIC_ONLINE_SERVICES_ACCESS_TOKEN',
      'EPIC_ONLINE_SERVICES_ID_TOKEN',
      'STEAM_SESSION_TICKET',
      'UNITY_SERVICES_ID_TOKEN',
      'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
      'APPLE_ID_TOKEN',
      'PLAYSTATION_NETWORK_ID_TOKEN',
    ])
    .meta({ id: 'ExternalAuthType', description: 'Type of an identity token of an external provider.' }),
)
export type ExternalAuthType = z.output<ReturnType<typeof ExternalAuthType>>

export const ExternalAuthToken = once(() => text(1, 10_240).meta({ description: 'The token of the external provider. A secret.' }))

export const TokenResponse = once(() =>
  tolerant({
    access_token: z.string(),
    token_type: z.string(),
    expires_in: z.number().meta({ description: 'Seconds.' }),
    refresh_token: z.string().nullish(),
    scope: z.string(),
    id_token: z.string().nullish(),
  }).meta({ id: 'TokenResponse', description: 'Tokens as returned by the token endpoint.' }),
)
export type TokenResponse = z.output<ReturnType<typeof TokenResponse>>

/** Absent when the bridge stored the tokens. */
const notKept = once(() => ({
  kept: z.literal(false).optional().meta({
    description: 'false if the bridge did not store the tokens: pass them to AUTHENTICATE, and sign in again after they expire.',
  }),
  not_kept_reason: z.string().optional().meta({
    description: 'Why the bridge did not store the tokens, as a sentence for developers. Set when kept is false.',
  }),
}))

export const StoredTokens = once(() =>
  TokenResponse().extend(notKept()).meta({
    id: 'StoredTokens',
    description: 'Tokens that the bridge stores for the calling program, unless kept is false.',
  }),
)
export type StoredTokens = z.output<ReturnType<typeof StoredTokens>>

/** The response can contain a refresh token. Its grant type is deprecated, so the bridge does not return or store it. */
export const ProvisionalToken = once(() =>
  tolerant({
    access_token: z.string(),
    token_type: z.string(),
    expires_in: z.number().meta({ description: 'Seconds.' }),
    scope: z.string(),
    id_token: z.string().nullish(),
    account_state: AccountState().optional().meta({ description: 'Set by the bridge.' }),
    ...notKept(),
  }).meta({
    id: 'ProvisionalToken',
    description: 'The token of a provisional account. Call again with a fresh external token when it expires.',
  }),
)
export type ProvisionalToken = z.output<ReturnType<typeof ProvisionalToken>>
