/** Commands by which a game asks the user, in a browser of this machine, what it may do. */
import * as z from 'zod'
import { isCustomScheme } from '../custom-scheme.ts'
import { LIMITS } from '../limits.ts'
import { BitFieldText, nothing, ProcessId, Snowflake, text, wholeNumber } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineCommand } from './define.ts'

const SCOPE = `[a-z0-9._]{1,${LIMITS.scopeCharacters.value}}`

const ScopeName = z.string().regex(new RegExp(`^${SCOPE}$`), 'must be the name of a scope: small letters, digits, dots and underscores')

/** Names with one or more spaces between and around them. */
const ScopeText = z
  .string()
  .max(LIMITS.scopes.value * (LIMITS.scopeCharacters.value + 1), { abort: true })
  .regex(new RegExp(`^ *(?:${SCOPE}(?: +${SCOPE})* *)?$`), 'must be names of scopes with spaces between them')

export const scopeList = z
  .union([z.array(ScopeName).max(LIMITS.scopes.value), ScopeText])
  .nullish()
  .meta({
    description:
      'Scopes of the SCOPES table as a list, or as one text with spaces between them. The default scopes for communication when absent.',
  })

/** base64url of a SHA-256, without padding. */
const CodeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the base64url SHA-256 of the verifier: 43 characters, no padding')

const CustomScheme = z
  .union([
    z.boolean(),
    z.string().refine((scheme) => scheme === '' || isCustomScheme(scheme), {
      message: "must be a URI scheme of the game's own, without the colon; http, file, javascript and the like are not",
    }),
  ])
  .meta({
    description:
      'The answer comes to <custom_scheme>:/authorize/callback; true or an empty text: to the scheme of the platform and application. Needs code_challenge. Absent: it comes to a port of this machine.',
  })

export const authorize = defineCommand({
  name: 'AUTHORIZE',
  summary: 'Ask the user to grant scopes to the application. Answers an authorization code and the redirect URI to exchange it with.',
  answeredBy: 'bridge',
  requires: NO_SCOPE,
  args: z.strictObject({
    client_id: Snowflake.nullish().meta({ description: 'The application of this connection when absent.' }),
    scopes: scopeList,
    scope: scopeList,
    response_type: z.literal('code').nullish(),
    redirect_uri: z.string().nullish().meta({ description: 'Without effect over a local socket: the answer says which one was used.' }),
    code_challenge: CodeChallenge.nullish(),
    code_challenge_method: z.literal('S256').nullish(),
    state: text(1, 1024)
      .nullish()
      .meta({ description: 'Comes back in the answer. Generated, and kept from the game, when absent, which is recommended.' }),
    nonce: text(1, 1024).nullish().meta({ description: 'GET_TOKEN checks that the ID token carries it.' }),
    prompt: z.enum(['consent', 'none']).nullish().meta({ description: 'none: reuse an earlier grant silently, or fail.' }),
    integration_type: z
      .literal([0, 1])
      .nullish()
      .meta({ description: 'Where the application is installed: 0 guild, 1 user. Only with the scope applications.commands.' }),
    custom_scheme: CustomScheme.nullish(),
    rpc_token: text(1, 2048).nullish().meta({
      description: 'One-time token that stands for the consent; approved applications only, and never with messages.read. A secret.',
    }),
    username: text(1, 128).nullish().meta({ description: 'Name proposed for a guest account.' }),
    permissions: z
      .union([BitFieldText, wholeNumber(0, Number.MAX_SAFE_INTEGER)])
      .nullish()
      .meta({ description: 'Permissions asked for the bot of the application.' }),
    guild_id: Snowflake.nullish().meta({ description: 'Guild that the page has chosen beforehand.' }),
    channel_id: Snowflake.nullish().meta({ description: 'Channel that the page has chosen beforehand.' }),
    disable_guild_select: z.boolean().nullish().meta({ description: 'The user cannot choose another guild.' }),
    pid: ProcessId.nullish(),
  }),
  data: z.looseObject({ code: z.string(), redirect_uri: z.string().optional(), state: z.string().optional() }),
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'documented',
})

export const abortAuthorize = defineCommand({
  name: 'ABORT_AUTHORIZE',
  summary: 'Give up the AUTHORIZE that this connection has open, which then fails. Nothing happens when there is none.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({}).nullish(),
  data: nothing,
  provenance: 'sallyport',
})

export const deliverAuthorizeCallback = defineCommand({
  name: 'DELIVER_AUTHORIZE_CALLBACK',
  summary: 'Hand over a redirect to a custom scheme, as the system gave it to the program that is registered for the scheme.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ url: text(1, 8192).meta({ description: 'The whole address. A secret: it carries the code.' }) }),
  data: z.looseObject({
    application_id: Snowflake,
    outcome: z.enum(['allowed', 'refused']),
    error: z.string().optional().meta({ description: 'Why the platform refused, as RFC 6749 names it.' }),
  }),
  errors: ['INVALID_CONNECTION_CALLBACK_STATE', 'RATE_LIMITED'],
  provenance: 'sallyport',
})
