/** The URL of the platform's consent page for one request. Pure. */
import type { PlatformProfile } from '@sallyport/core/profile'
import type { AuthorizationRequest } from '../auth.ts'

/** `prompt` of OpenID Connect Core 1.0 §3.1.2.1. */
const PROMPT_PARAMETERS = { always: 'consent', never: 'none' } as const satisfies Record<
  NonNullable<AuthorizationRequest['platformPage']>,
  string
>

export function authorizeUrl(
  profile: Pick<PlatformProfile, 'authorizeUrl'>,
  request: AuthorizationRequest,
  state: string,
  redirectUri: string,
): URL {
  const url = new URL(profile.authorizeUrl)
  const parameters = {
    response_type: 'code',
    client_id: request.applicationId,
    scope: request.scopes.length === 0 ? undefined : request.scopes.join(' '),
    redirect_uri: redirectUri,
    state,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallenge === undefined ? undefined : 'S256',
    nonce: request.nonce,
    prompt: request.platformPage === undefined ? undefined : PROMPT_PARAMETERS[request.platformPage],
    integration_type: request.integrationType?.toString(),
    permissions: request.permissions,
    guild_id: request.guildId,
    channel_id: request.channelId,
    disable_guild_select: request.disableGuildSelect?.toString(),
    username: request.username,
    rpc_token: request.rpcToken?.reveal(),
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}
