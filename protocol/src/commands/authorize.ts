/** Commands of the OAuth 2 authorization in a browser on this machine. */
import * as z from 'zod'
import { once } from '../once.ts'
import { isCustomSchemeOrEmpty } from '../custom-scheme.ts'
import { BitFieldText, empty, noArguments, ProcessId, Snowflake, text, wholeNumber } from '../schema/index.ts'
import { scopeList } from '../schema/scope-list.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineCommand } from './define.ts'

/** base64url of a SHA-256, without padding. */
const CodeChallenge = once(() =>
  z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the base64url SHA-256 of the verifier: 43 characters, no padding'),
)

const CustomScheme = once(() =>
  z
    .union([
      z.boolean(),
      z.string().refine(isCustomSchemeOrEmpty, {
        message: 'must be a custom URI scheme without the colon; http, file, javascript and similar schemes are reserved',
      }),
    ])
    .meta({
      description:
        'The redirect goes to <custom_scheme>:/authorize/callback; true or an empty text selects the default scheme of the application. Requires code_challenge. Default: a redirect to a local port.',
    }),
)

export const authorize = defineCommand({
  name: 'AUTHORIZE',
  summary: 'Ask the user to grant scopes to the application. Returns an authorization code, and the redirect URI for its exchange.',
  handledBy: 'bridge',
  requires: NO_SCOPE,
  // Other arguments are dropped: libraries send those of the token endpoint too, client secrets among them.
  args: () =>
    z.object({
      client_id: Snowflake().nullish().meta({ description: 'Default: the application of this connection.' }),
      scopes: scopeList(),
      scope: scopeList(),
      response_type: z.literal('code').nullish(),
      redirect_uri: z.string().nullish().meta({ description: 'Ignored over a local socket; the response contains the used redirect URI.' }),
      code_challenge: CodeChallenge().nullish(),
      code_challenge_method: z.literal('S256').nullish(),
      state: text(0, 1024).nullish().meta({
        description: 'Returned in the response. If absent (recommended) or empty, the bridge generates a state and does not return it.',
      }),
      nonce: text(1, 1024).nullish().meta({ description: 'GET_TOKEN verifies that the ID token contains it.' }),
      prompt: z
        .enum(['consent', 'none'])
        .nullish()
        .meta({ description: 'none: reuse an earlier grant without user interaction, or fail.' }),
      integration_type: z.literal([0, 1]).nullish().meta({
        description:
          'Installation context: 0 guild, 1 user. Without the scope applications.commands it has no effect, and the response warns.',
      }),
      custom_scheme: CustomScheme().nullish(),
      rpc_token: text(1, 2048).nullish().meta({
        description: 'One-time token that replaces the consent; approved applications only, not with messages.read. A secret.',
      }),
      username: text(1, 128).nullish().meta({ description: 'Suggested name of a guest account.' }),
      permissions: z
        .union([BitFieldText(), wholeNumber(0, Number.MAX_SAFE_INTEGER)])
        .nullish()
        .meta({ description: 'Requested permissions of the bot of the application.' }),
      guild_id: Snowflake().nullish().meta({ description: 'Preselected guild.' }),
      channel_id: Snowflake().nullish().meta({ description: 'Preselected channel.' }),
      disable_guild_select: z.boolean().nullish().meta({ description: 'If true, the user cannot select another guild.' }),
      pid: ProcessId().nullish(),
    }),
  data: () => z.looseObject({ code: z.string(), redirect_uri: z.string().optional(), state: z.string().optional() }),
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'documented',
})

export const createAuthorizationCodeVerifier = defineCommand({
  name: 'CREATE_AUTHORIZATION_CODE_VERIFIER',
  summary: 'Create a proof key (RFC 7636) for one AUTHORIZE and its GET_TOKEN. Each call returns another one; the bridge does not keep it.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: () =>
    z.looseObject({
      code_verifier: z.string().meta({ description: 'For GET_TOKEN. A secret until then.' }),
      code_challenge: z.string().meta({ description: 'For AUTHORIZE.' }),
      code_challenge_method: z.literal('S256'),
    }),
  provenance: 'sallyport',
})

export const getDefaultScopes = defineCommand({
  name: 'GET_DEFAULT_SCOPES',
  summary: 'Get the default scopes of an authorization, for AUTHORIZE: one list for presence, one for communication too.',
  handledBy: 'bridge',
  requires: NO_SCOPE,
  args: noArguments,
  data: () => z.looseObject({ presence: z.array(z.string()), communication: z.array(z.string()) }),
  provenance: 'sallyport',
})

export const abortAuthorize = defineCommand({
  name: 'ABORT_AUTHORIZE',
  summary: 'Cancel the pending AUTHORIZE of this connection, which then fails. No effect without one.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({}).nullish(),
  data: empty,
  provenance: 'sallyport',
})

export const deliverAuthorizeCallback = defineCommand({
  name: 'DELIVER_AUTHORIZE_CALLBACK',
  summary: 'Deliver a redirect to a custom scheme, as the operating system passed it to the handler of the scheme.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({ url: text(1, 8192).meta({ description: 'The complete redirect URI. A secret, because it contains the code.' }) }),
  data: () =>
    z.looseObject({
      application_id: Snowflake(),
      outcome: z.enum(['allowed', 'refused']),
      error: z.string().optional().meta({ description: 'Error of the platform, as defined in RFC 6749.' }),
    }),
  errors: ['INVALID_CONNECTION_CALLBACK_STATE', 'RATE_LIMITED'],
  provenance: 'sallyport',
})
