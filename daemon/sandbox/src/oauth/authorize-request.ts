/** Parses and checks the query of the authorization page. Pure: returns a request, an error to redirect with, or a problem to show. */
import { isScopeName, SCOPES } from '@sallyport/protocol'
import { isSnowflake } from '../snowflake.ts'
import { OAuthError, type OAuthErrorName } from '../platform-error.ts'
import { singleValues } from '../http/form.ts'
import { defaultRedirect, type RedirectKind, redirectKind } from './redirect-uri.ts'
import { isChallenge } from './tokens.ts'

export interface AuthorizeRequest {
  readonly applicationId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state?: string | undefined
  readonly nonce?: string | undefined
  readonly codeChallenge?: string | undefined
  readonly prompt: 'consent' | 'none'
  /** User id or username in the request. */
  readonly loginHint?: string | undefined
  /** Replaces the consent page. */
  readonly rpcToken?: string | undefined
  readonly install: InstallRequest
}

/** The requested installation of the application's bot and commands. */
interface InstallRequest {
  /** 0 guild, 1 user. */
  readonly integrationType?: 0 | 1 | undefined
  /** Bits, as decimal text. */
  readonly permissions?: string | undefined
  readonly guildId?: string | undefined
  readonly channelId?: string | undefined
  readonly isGuildFixed: boolean
  /** Proposed name of a guest account. */
  readonly guestName?: string | undefined
}

type ParsedAuthorize =
  | { readonly kind: 'request'; readonly request: AuthorizeRequest }
  /** The redirect is valid, so the application receives the error. */
  | {
      readonly kind: 'redirect'
      readonly applicationId: string
      readonly redirectUri: string
      readonly state?: string | undefined
      readonly error: OAuthErrorName
      readonly description: string
    }
  /** There is no valid redirect, so the page shows the problem. */
  | { readonly kind: 'problem'; readonly message: string }

const SCOPE_PROBLEM = 'The requested scope is invalid, unknown, or malformed.'

/** The scopes of a space-separated list, without duplicates. Throws invalid_scope when it is empty or has an unknown scope. */
export function parseScopes(text: string): readonly string[] {
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))]
  const known = (scope: string) => isScopeName(scope) && SCOPES[scope].kind === 'oauth'
  if (scopes.length === 0 || !scopes.every(known)) throw new OAuthError('invalid_scope', SCOPE_PROBLEM)
  return scopes
}

/** `redirectsOf`: what an application registered; undefined: nothing. */
export function parseAuthorize(
  query: URLSearchParams,
  customSchemePrefix: string,
  redirectsOf: (applicationId: string) => readonly string[] | undefined,
): ParsedAuthorize {
  let values: ReadonlyMap<string, string>
  try {
    values = singleValues(query)
  } catch (failure) {
    if (failure instanceof OAuthError) return { kind: 'problem', message: failure.message }
    throw failure
  }
  const applicationId = values.get('client_id') ?? ''
  if (!isSnowflake(applicationId))
    return { kind: 'problem', message: 'The address has no valid client_id. It must be the id of an application.' }
  const redirectUri = values.get('redirect_uri') ?? defaultRedirect(customSchemePrefix, applicationId)
  const kind = redirectKind(redirectUri, { applicationId, customSchemePrefix, registered: redirectsOf(applicationId) })
  if (kind === undefined) {
    return {
      kind: 'problem',
      message:
        'Invalid OAuth2 redirect_uri. Use http on 127.0.0.1, [::1] or localhost, a custom scheme of the application, such as scheme:/authorize/callback, or an https address that it registered.',
    }
  }
  const state = values.get('state')
  try {
    return { kind: 'request', request: checked(values, applicationId, redirectUri, kind) }
  } catch (failure) {
    if (failure instanceof OAuthError)
      return { kind: 'redirect', applicationId, redirectUri, state, error: failure.error, description: failure.message }
    throw failure
  }
}

function checked(values: ReadonlyMap<string, string>, applicationId: string, redirectUri: string, kind: RedirectKind): AuthorizeRequest {
  if (values.get('response_type') !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  const codeChallenge = values.get('code_challenge')
  const method = values.get('code_challenge_method')
  if (codeChallenge === undefined) {
    if (method !== undefined) throw new OAuthError('invalid_request', 'code_challenge_method needs a code_challenge.')
    if (kind === 'custom') throw new OAuthError('invalid_request', 'A redirect to a custom scheme needs a code_challenge.')
  } else if (method !== 'S256' || !isChallenge(codeChallenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be an unpadded base64url SHA-256, with code_challenge_method S256.')
  }
  const prompt = values.get('prompt') ?? 'consent'
  if (prompt !== 'consent' && prompt !== 'none') throw new OAuthError('invalid_request', 'prompt must be consent or none.')
  const scopes = parseScopes(values.get('scope') ?? '')
  const rpcToken = values.get('rpc_token')
  if (rpcToken !== undefined && scopes.includes('messages.read'))
    throw new OAuthError('invalid_scope', 'messages.read cannot be requested with an rpc_token.')
  return {
    applicationId,
    redirectUri,
    scopes,
    state: values.get('state'),
    nonce: values.get('nonce'),
    codeChallenge,
    prompt,
    loginHint: values.get('login_hint') ?? values.get('user'),
    rpcToken,
    install: installOf(values, scopes),
  }
}

const INTEGRATION_TYPES: ReadonlyMap<string, 0 | 1> = new Map([
  ['0', 0],
  ['1', 1],
])

function installOf(values: ReadonlyMap<string, string>, scopes: readonly string[]): InstallRequest {
  const type = values.get('integration_type')
  const integrationType = INTEGRATION_TYPES.get(type ?? '')
  if (type !== undefined && integrationType === undefined) throw new OAuthError('invalid_request', 'integration_type must be 0 or 1.')
  const [permissions, guildId, channelId] = ['permissions', 'guild_id', 'channel_id'].map((name) => {
    const given = values.get(name)
    if (given !== undefined && !/^[0-9]{1,20}$/.test(given)) throw new OAuthError('invalid_request', `${name} must be a number.`)
    return given
  })
  const isGuildFixed = ['true', '1'].includes((values.get('disable_guild_select') ?? '').toLowerCase())
  const installs = scopes.includes('applications.commands')
  return {
    integrationType: installs ? integrationType : undefined,
    permissions,
    guildId,
    channelId,
    isGuildFixed,
    guestName: values.get('username'),
  }
}
