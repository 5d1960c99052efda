/** Converts the arguments of AUTHORIZE to an authorization request, and checks the rules between arguments. */
import { DEFAULT_COMMUNICATION_SCOPES, expandScopes, isOAuthScope, LIMITS, type ParsedArgsOf } from '@sallyport/protocol'
import type { CallWarning } from '@sallyport/protocol/wire'
import type { AuthorizationRequest } from '../../auth/auth.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'

type Args = ParsedArgsOf<'AUTHORIZE'>

/**
 * Returns the scopes of either key, given as a list or as text with spaces, and identify besides. Throws for too many. Throws the platform's error for
 * an unknown scope, because the user reads the list and a game must not add text to it.
 */
export function requestedScopes({ scopes, scope }: Pick<Args, 'scopes' | 'scope'>): readonly string[] {
  const key = scopes == null ? 'scope' : 'scopes'
  const requested = scopes ?? scope ?? []
  const list = typeof requested === 'string' ? requested.split(' ').filter(Boolean) : requested
  if (list.length > LIMITS.scopes.value) {
    const message = `"${key}" must have at most ${LIMITS.scopes.value} scopes, ${list.length} given.`
    throw new BridgeError('INVALID_PAYLOAD', message, { path: key })
  }
  const unknown = list.findIndex((one) => !isOAuthScope(one))
  if (unknown !== -1) {
    const path = typeof requested === 'string' ? key : `${key}[${unknown}]`
    throw new BridgeError('OAUTH2_ERROR', `OAuth2 Error: invalid_scope: There is no scope ${list[unknown]}; leave it out.`, { path })
  }
  return list.length > 0 ? withIdentify([...new Set(list)]) : DEFAULT_COMMUNICATION_SCOPES
}

/** A sign-in needs the user of its token, whom the platform names to tokens with identify only. Libraries that ask for rpc alone rely on it. */
const withIdentify = (scopes: readonly string[]): readonly string[] =>
  expandScopes(scopes).has('identify') ? scopes : [...scopes, 'identify']

interface Rule {
  readonly path: string
  readonly isBroken: (args: Args, scopes: readonly string[]) => boolean
  readonly message: string
}

const RULES: readonly Rule[] = [
  {
    path: 'code_challenge',
    isBroken: ({ code_challenge: challenge, code_challenge_method: method }) => challenge == null && method != null,
    message: 'code_challenge_method is given without a code_challenge.',
  },
  {
    path: 'scopes',
    isBroken: ({ rpc_token: token }, scopes) => token != null && scopes.includes('messages.read'),
    message: 'messages.read cannot be requested with an rpc_token; leave one of them out.',
  },
]

/** The custom scheme: empty for the platform's default, undefined for none. */
const schemeOf = (given: Args['custom_scheme']): string | undefined => {
  if (given == null || given === false) return undefined
  return given === true ? '' : given
}

/** By the `prompt` of the game. */
const PLATFORM_PAGES = { consent: 'always', none: 'never' } as const satisfies Record<
  NonNullable<Args['prompt']>,
  AuthorizationRequest['platformPage']
>

/** Without commands to install, the installation context has no meaning; the page is opened without it. */
const hasInstallation = (args: Args, scopes: readonly string[]): args is Args & { readonly integration_type: 0 | 1 } =>
  args.integration_type != null && scopes.includes('applications.commands')

/** What of the arguments has no effect. */
export const warningsOf = (args: Args, { integrationType }: AuthorizationRequest): readonly CallWarning[] =>
  args.integration_type == null || integrationType !== undefined
    ? []
    : [{ path: 'integration_type', reason: 'It has no effect without the scope applications.commands, which is not among the scopes.' }]

/** Throws INVALID_PAYLOAD for conflicting arguments. */
export function authorizationRequest(args: Args, applicationId: string): AuthorizationRequest {
  const scopes = requestedScopes(args)
  const broken = RULES.find((rule) => rule.isBroken(args, scopes))
  if (broken !== undefined) throw new BridgeError('INVALID_PAYLOAD', broken.message, { path: broken.path })
  const customScheme = schemeOf(args.custom_scheme)
  return {
    applicationId,
    scopes,
    ...(args.code_challenge == null ? {} : { codeChallenge: args.code_challenge }),
    ...(args.state == null || args.state === '' ? {} : { state: args.state }),
    ...(args.nonce == null ? {} : { nonce: args.nonce }),
    ...(args.prompt == null ? {} : { platformPage: PLATFORM_PAGES[args.prompt] }),
    ...(hasInstallation(args, scopes) ? { integrationType: args.integration_type } : {}),
    ...(args.permissions == null ? {} : { permissions: String(args.permissions) }),
    ...(args.guild_id == null ? {} : { guildId: args.guild_id }),
    ...(args.channel_id == null ? {} : { channelId: args.channel_id }),
    ...(args.disable_guild_select == null ? {} : { disableGuildSelect: args.disable_guild_select }),
    ...(args.username == null ? {} : { username: args.username }),
    ...(args.rpc_token == null ? {} : { rpcToken: new Secret(args.rpc_token) }),
    ...(customScheme === undefined ? {} : { customScheme }),
  }
}
