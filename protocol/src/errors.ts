/** The ERRORS table (`data.code` of an ERROR response) and the CLOSE_CODES table (`code` of a CLOSE frame). The two tables use the same numbers with different meanings. */

export interface ErrorRow {
  readonly code: number
  readonly summary: string
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
}

const error = <const C extends number>(code: C, summary: string, retryable = false) =>
  ({ code, summary, retryable }) as const satisfies ErrorRow

export const ERRORS = {
  UNKNOWN_ERROR: error(1000, 'An error without a specific code.'),
  SERVICE_UNAVAILABLE: error(1001, 'The platform, its desktop client or this operation is not available now.', true),
  TRANSACTION_ABORTED: error(1002, 'The call was cancelled before it completed.', true),
  INVALID_PAYLOAD: error(4000, 'Invalid arguments; the message names the field.'),
  INVALID_COMMAND: error(4002, 'Unknown command, or one that the platform no longer has.'),
  INVALID_GUILD: error(4003, 'Unknown guild, or no access to it.'),
  INVALID_EVENT: error(4004, 'Unknown event.'),
  INVALID_CHANNEL: error(4005, 'Unknown channel, or no access to it.'),
  INVALID_PERMISSIONS: error(4006, 'Missing scope or permission, or a command for other connections; the message names it.'),
  INVALID_CLIENTID: error(4007, 'The application id does not match this connection.'),
  INVALID_ORIGIN: error(4008, 'The origin is not allowed for this application.'),
  INVALID_TOKEN: error(4009, 'The token is unknown, expired or revoked, or belongs to another application or user.'),
  INVALID_USER: error(4010, 'Unknown user.'),
  INVALID_INVITE: error(4011, 'Unknown invite.'),
  INVALID_ACTIVITY_JOIN_REQUEST: error(4012, 'Unknown join request.'),
  INVALID_LOBBY: error(4013, 'Unknown lobby, or the user is not a member.'),
  INVALID_LOBBY_SECRET: error(4014, 'Invalid lobby secret.'),
  INVALID_ENTITLEMENT: error(4015, 'Unknown entitlement.'),
  INVALID_GIFT_CODE: error(4016, 'Unknown gift code.'),
  INVALID_GUILD_TEMPLATE: error(4017, 'Unknown guild template.'),
  INVALID_SOUND: error(4018, 'Unknown sound.'),
  INVALID_PROVIDER: error(4019, 'Unknown provider.'),
  INVALID_CONNECTION_CALLBACK_STATE: error(4020, 'Invalid state in the connection callback.'),
  BAD_REQUEST_FOR_PROVIDER: error(4021, 'The provider rejected the request.'),
  OAUTH2_ERROR: error(5000, 'The authorization failed; the message contains the OAuth 2 error.'),
  SELECT_CHANNEL_TIMED_OUT: error(5001, 'Selecting the channel timed out.', true),
  GET_GUILD_TIMED_OUT: error(5002, 'Reading the guild timed out.', true),
  SELECT_VOICE_FORCE_REQUIRED: error(5003, 'The user is in another voice channel; set `force` to move them.'),
  CAPTURE_SHORTCUT_ALREADY_LISTENING: error(5004, 'A shortcut capture is already running; call again when it has ended.', true),
  INVALID_ACTIVITY_SECRET: error(5005, 'A secret is combined with buttons, or equals another secret or the party id.'),
  NO_ELIGIBLE_ACTIVITY: error(5006, 'The activity cannot be joined.'),
  LOBBY_FULL: error(5007, 'The lobby is full.'),
  PURCHASE_CANCELED: error(5008, 'The user cancelled the purchase.'),
  PURCHASE_ERROR: error(5009, 'The purchase failed.'),
  UNAUTHORIZED_FOR_ACHIEVEMENT: error(5010, 'The application may not write this achievement.'),
  RATE_LIMITED: error(5011, 'Too many requests; the response contains the time to wait.', true),
  UNAUTHORIZED_FOR_APPLICATION: error(5012, 'The user may not use this application.'),
  NO_CONNECTION_FOUND: error(5013, 'The user has no connection of this type.'),
  /** Codes of this project begin here. */
  RESPONSE_TOO_LARGE: error(6000, 'The response is larger than this connection takes; the message says how to get it.'),
  UNKNOWN_OUTCOME: error(
    6001,
    'The call with this key was sent, and may have taken effect. Read the state before you decide; do not repeat the call.',
  ),
  KEY_REUSED: error(6002, 'The key was used for another command or other arguments. A new call needs a new key.'),
  RESULT_NOT_KEPT: error(6003, 'The call with this key took effect. Its result has secrets, is too large or is damaged: read it anew.'),
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof ERRORS

export interface CloseCodeRow {
  readonly code: number
  readonly summary: string
}

const close = <const C extends number>(code: C, summary: string) => ({ code, summary }) as const satisfies CloseCodeRow

export const CLOSE_CODES = {
  CLOSE_NORMAL: close(1000, 'The peer closed the connection, or the daemon is stopping.'),
  CLOSE_UNSUPPORTED: close(1003, 'Protocol violation: wrong opcode, too large, not JSON, or sent before the handshake.'),
  CLOSE_ABNORMAL: close(1006, 'The peer stopped reading, or did not send its handshake.'),
  INVALID_CLIENTID: close(4000, 'The handshake has no application id.'),
  INVALID_ORIGIN: close(4001, 'The origin is not allowed for this application.'),
  RATELIMITED: close(4002, 'Too many connections.'),
  TOKEN_REVOKED: close(4003, 'The token of this connection was revoked.'),
  INVALID_VERSION: close(4004, 'The handshake has no version, or a version other than 1.'),
  INVALID_ENCODING: close(4005, 'The handshake requests an unsupported encoding.'),
} as const satisfies Record<string, CloseCodeRow>

export type CloseCodeName = keyof typeof CLOSE_CODES
