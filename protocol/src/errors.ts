/** The ERRORS table (codes of `data.code` in an ERROR answer) and the CLOSE_CODES table (codes of a CLOSE frame). The same number means different things in the two. */

export interface ErrorRow {
  readonly code: number
  readonly summary: string
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
}

const error = <const C extends number>(code: C, summary: string, retryable = false) =>
  ({ code, summary, retryable }) as const satisfies ErrorRow

export const ERRORS = {
  UNKNOWN_ERROR: error(1000, 'Something failed that has no code of its own.'),
  SERVICE_UNAVAILABLE: error(1001, 'What the call needs is not there now: the platform, its desktop client, or this operation.', true),
  TRANSACTION_ABORTED: error(1002, 'The call was given up before it was complete.', true),
  INVALID_PAYLOAD: error(4000, 'The arguments break the schema or a limit; the message names the field.'),
  INVALID_COMMAND: error(4002, 'No command has this name.'),
  INVALID_GUILD: error(4003, 'No such guild, or no access to it.'),
  INVALID_EVENT: error(4004, 'No event has this name.'),
  INVALID_CHANNEL: error(4005, 'No such channel, or no access to it.'),
  INVALID_PERMISSIONS: error(4006, 'A scope or permission is missing; the message names it.'),
  INVALID_CLIENTID: error(4007, 'The application id is not the one of this connection.'),
  INVALID_ORIGIN: error(4008, 'The origin is not allowed for this application.'),
  INVALID_TOKEN: error(4009, 'The token is unknown, expired, revoked, or of another application or user.'),
  INVALID_USER: error(4010, 'No such user.'),
  INVALID_INVITE: error(4011, 'No such invite.'),
  INVALID_ACTIVITY_JOIN_REQUEST: error(4012, 'No such join request.'),
  INVALID_LOBBY: error(4013, 'No such lobby, or not a member of it.'),
  INVALID_LOBBY_SECRET: error(4014, 'The lobby secret is wrong.'),
  INVALID_ENTITLEMENT: error(4015, 'No such entitlement.'),
  INVALID_GIFT_CODE: error(4016, 'No such gift code.'),
  INVALID_GUILD_TEMPLATE: error(4017, 'No such guild template.'),
  INVALID_SOUND: error(4018, 'No such sound.'),
  INVALID_PROVIDER: error(4019, 'No such provider.'),
  INVALID_CONNECTION_CALLBACK_STATE: error(4020, 'The state of the connection callback is wrong.'),
  BAD_REQUEST_FOR_PROVIDER: error(4021, 'The provider refused the request.'),
  OAUTH2_ERROR: error(5000, 'The authorization failed; the message carries the OAuth 2 error.'),
  SELECT_CHANNEL_TIMED_OUT: error(5001, 'Selecting the channel took too long.', true),
  GET_GUILD_TIMED_OUT: error(5002, 'Reading the guild took too long.', true),
  SELECT_VOICE_FORCE_REQUIRED: error(5003, 'The user is in another voice channel; pass force.'),
  CAPTURE_SHORTCUT_ALREADY_LISTENING: error(5004, 'A shortcut is being captured already.'),
  INVALID_ACTIVITY_SECRET: error(5005, 'A secret stands beside buttons, equals another secret, or equals the party id.'),
  NO_ELIGIBLE_ACTIVITY: error(5006, 'The activity cannot be joined.'),
  LOBBY_FULL: error(5007, 'The lobby is full.'),
  PURCHASE_CANCELED: error(5008, 'The purchase was cancelled.'),
  PURCHASE_ERROR: error(5009, 'The purchase failed.'),
  UNAUTHORIZED_FOR_ACHIEVEMENT: error(5010, 'The application may not write this achievement.'),
  RATE_LIMITED: error(5011, 'Too many requests; the answer says when to try again.', true),
  UNAUTHORIZED_FOR_APPLICATION: error(5012, 'The user may not use this application.'),
  NO_CONNECTION_FOUND: error(5013, 'The user has no such connection.'),
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof ERRORS

export interface CloseCodeRow {
  readonly code: number
  readonly summary: string
}

const close = <const C extends number>(code: C, summary: string) => ({ code, summary }) as const satisfies CloseCodeRow

export const CLOSE_CODES = {
  CLOSE_NORMAL: close(1000, 'The connection ended as asked, or the daemon stops.'),
  CLOSE_UNSUPPORTED: close(
    1003,
    'A frame that the protocol does not allow here: wrong opcode, too large, not JSON, or before the handshake.',
  ),
  CLOSE_ABNORMAL: close(1006, 'The peer did not keep to its part: it stopped reading, or never sent its handshake.'),
  INVALID_CLIENTID: close(4000, 'The handshake names no application id.'),
  INVALID_ORIGIN: close(4001, 'The origin is not allowed for this application.'),
  RATELIMITED: close(4002, 'Too many connections.'),
  TOKEN_REVOKED: close(4003, 'The token behind this connection was revoked.'),
  INVALID_VERSION: close(4004, 'The handshake names no version, or one that is not 1.'),
  INVALID_ENCODING: close(4005, 'The handshake names an encoding that is not served.'),
} as const satisfies Record<string, CloseCodeRow>

export type CloseCodeName = keyof typeof CLOSE_CODES
