/** Tokens, as the token endpoint answers them. */
import * as z from 'zod'
import { text, tolerant } from '../schema/index.ts'
import { AccountState } from './account.ts'

/** What an external token is, so that the platform knows whom to ask about it. */
export const ExternalAuthType = z
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
  .meta({ id: 'ExternalAuthType', description: 'Kind of a token by which somebody else than the platform says who the user is.' })
export type ExternalAuthType = z.output<typeof ExternalAuthType>

export const ExternalAuthToken = text(1, 10_240).meta({ description: 'The token of the external provider. A secret.' })

export const TokenAnswer = tolerant({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.number().meta({ description: 'Seconds.' }),
  refresh_token: z.string().nullish(),
  scope: z.string(),
  id_token: z.string().nullish(),
}).meta({ id: 'TokenAnswer', description: 'Tokens, as the token endpoint answers them.' })
export type TokenAnswer = z.output<typeof TokenAnswer>

/** Only ever false: what needs no saying is left out. */
const kept = z.literal(false).optional().meta({
  description: 'Set by the bridge when it could not keep the tokens: show them with AUTHENTICATE, and sign in anew after they end.',
})

export const KeptTokens = TokenAnswer.extend({ kept }).meta({
  id: 'KeptTokens',
  description: 'Tokens that the bridge keeps for the program that asked, unless it says otherwise.',
})
export type KeptTokens = z.output<typeof KeptTokens>

/** A refresh token may come with it, but the grant that would use it is deprecated, so it is neither named nor kept. */
export const ProvisionalToken = tolerant({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.number().meta({ description: 'Seconds.' }),
  scope: z.string(),
  id_token: z.string().nullish(),
  account_state: AccountState.optional().meta({ description: 'Set by the bridge.' }),
  kept,
}).meta({ id: 'ProvisionalToken', description: 'The token of a provisional account. Ask again with a fresh external token when it ends.' })
export type ProvisionalToken = z.output<typeof ProvisionalToken>
