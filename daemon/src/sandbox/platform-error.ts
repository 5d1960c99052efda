/** The two kinds of refusal the platform knows: JSON codes of the API, and the errors of RFC 6749 on the OAuth endpoints. */

/** Field errors: nested by field name or array index, each branch ending in `_errors`. */
export interface FieldErrors {
  readonly [field: string]: FieldErrors | readonly { readonly code: string; readonly message: string }[]
}

const row = <const S extends number, const C extends number>(status: S, code: C, message: string) => ({ status, code, message }) as const

/** Every JSON error the sandbox gives, with its HTTP status. */
const PLATFORM_ERRORS = {
  unauthorized: row(401, 0, '401: Unauthorized'),
  notFound: row(404, 0, '404: Not Found'),
  methodNotAllowed: row(405, 0, '405: Method Not Allowed'),
  foreignHost: row(403, 0, 'This server answers only to its own loopback address.'),
  internal: row(500, 0, '500: Internal Server Error'),
  lobbyFull: row(400, 0, 'The lobby is full'),
  tooManyLobbies: row(400, 0, 'The user is in as many lobbies of this application as are allowed'),
  unknownChannel: row(404, 10003, 'Unknown Channel'),
  unknownGuild: row(404, 10004, 'Unknown Guild'),
  unknownUser: row(404, 10013, 'Unknown User'),
  unknownLobby: row(404, 10031, 'Unknown Lobby'),
  botsCannot: row(403, 20001, 'Bots cannot use this endpoint'),
  onlyBots: row(403, 20002, 'Only bots can use this endpoint'),
  tooLarge: row(413, 40005, 'Request entity too large'),
  missingAccess: row(403, 50001, 'Missing Access'),
  missingPermissions: row(403, 50013, 'Missing Permissions'),
  wrongChannelType: row(400, 50024, 'Cannot execute action on this channel type'),
  missingScope: row(403, 50026, 'Missing required OAuth2 scope'),
  invalidForm: row(400, 50035, 'Invalid Form Body'),
  invalidVersion: row(400, 50041, 'Invalid API version'),
  invalidJson: row(400, 50109, 'The request body contains invalid JSON.'),
} as const

export type PlatformErrorName = keyof typeof PLATFORM_ERRORS

/** A refusal by the API. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly status: number
  readonly code: number
  readonly errors: FieldErrors | undefined

  constructor(error: PlatformErrorName, detail: { readonly message?: string; readonly errors?: FieldErrors } = {}) {
    const { status, code, message } = PLATFORM_ERRORS[error]
    super(detail.message ?? message)
    this.status = status
    this.code = code
    this.errors = detail.errors
  }
}

/** Errors of RFC 6749, RFC 7009 and OpenID Connect that the sandbox gives, with the status at the token endpoint. */
const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 400,
  consent_required: 400,
} as const

export type OAuthErrorName = keyof typeof OAUTH_ERRORS

/** A refusal by an OAuth endpoint. The description never repeats a secret. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly error: OAuthErrorName

  constructor(error: OAuthErrorName, description: string) {
    super(description)
    this.error = error
  }

  get status(): number {
    return OAUTH_ERRORS[this.error]
  }
}
