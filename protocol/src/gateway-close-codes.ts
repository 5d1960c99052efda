/** Close codes of gateway connections and the action that follows each: codes of the platform, codes of the bridge, and Invalid Session. */

/** `resume`: reconnect and resume the session. `new-session`: reconnect and identify. `end`: do not reconnect. */
export type CloseAction = 'resume' | 'new-session' | 'end'

export type GatewayCloseRow = {
  readonly code: number
  /** Meaning that the platform documents. */
  readonly meaning: string
} & (
  | { readonly reconnect: true; readonly follow: 'resume' | 'new-session' }
  /** `todo`: a sentence for the user: how to resolve it. */
  | { readonly reconnect: false; readonly follow: 'end'; readonly todo: string }
)

export const GATEWAY_CLOSE_CODES = {
  UNKNOWN_ERROR: { code: 4000, meaning: 'unknown error of the platform', reconnect: true, follow: 'resume' },
  UNKNOWN_OPCODE: { code: 4001, meaning: 'the bridge sent an unknown opcode', reconnect: true, follow: 'resume' },
  DECODE_ERROR: { code: 4002, meaning: 'the bridge sent an invalid or oversized payload', reconnect: true, follow: 'resume' },
  NOT_AUTHENTICATED: {
    code: 4003,
    meaning: 'a payload was sent before Identify, or the session is invalid',
    reconnect: true,
    follow: 'new-session',
  },
  AUTHENTICATION_FAILED: {
    code: 4004,
    meaning: 'the token is not valid',
    reconnect: false,
    follow: 'end',
    todo: 'Sign in again, or store the bot token again. The bridge then reconnects to the gateway.',
  },
  ALREADY_AUTHENTICATED: { code: 4005, meaning: 'Identify was sent twice', reconnect: true, follow: 'resume' },
  INVALID_SEQ: { code: 4007, meaning: 'the sequence number does not belong to the session', reconnect: true, follow: 'new-session' },
  RATE_LIMITED: { code: 4008, meaning: 'too many payloads were sent', reconnect: true, follow: 'resume' },
  SESSION_TIMED_OUT: { code: 4009, meaning: 'the session timed out', reconnect: true, follow: 'new-session' },
  INVALID_SHARD: {
    code: 4010,
    meaning: 'the shard is not valid',
    reconnect: false,
    follow: 'end',
    todo: 'This is a bug in the bridge, which uses no shards. Report it.',
  },
  SHARDING_REQUIRED: {
    code: 4011,
    meaning: 'the bot is in too many guilds for one connection',
    reconnect: false,
    follow: 'end',
    todo: 'Use a bot in fewer guilds; the bridge does not support sharding.',
  },
  INVALID_API_VERSION: {
    code: 4012,
    meaning: 'this gateway version is no longer supported',
    reconnect: false,
    follow: 'end',
    todo: 'Update the bridge.',
  },
  INVALID_INTENTS: {
    code: 4013,
    meaning: 'the intents are not valid',
    reconnect: false,
    follow: 'end',
    todo: 'This is a bug in the bridge, which chose the intents. Report it.',
  },
  DISALLOWED_INTENTS: {
    code: 4014,
    meaning: 'the application lacks a requested privileged intent',
    reconnect: false,
    follow: 'end',
    todo: "Enable the privileged intents of the application in the platform's developer portal, then sign in again or store the bot token again.",
  },
} as const satisfies Readonly<Record<string, GatewayCloseRow>>

/** Any other code, or no code: the connection was lost. */
const BROKEN = { meaning: 'the connection was lost', reconnect: true, follow: 'resume' } as const

const BY_CODE: ReadonlyMap<number, GatewayCloseRow> = new Map(Object.values(GATEWAY_CLOSE_CODES).map((row) => [row.code, row]))

/** Returns the row of a close code from the platform. `code` undefined: the close frame had none. */
export const gatewayCloseRow = (code: number | undefined): GatewayCloseRow | typeof BROKEN =>
  (code === undefined ? undefined : BY_CODE.get(code)) ?? BROKEN

/** Close codes that the bridge sends. 1000 and 1001 end the session; after any other it stays resumable for a few minutes. */
export const GATEWAY_OWN_CLOSE_CODES = {
  /** The connection is no longer needed. */
  END_SESSION: 1000,
  /** To resume the session, or because the session has already ended. */
  KEEP_SESSION: 4000,
  /** A received message is invalid. */
  UNREADABLE: 4002,
} as const

/** Action by `d` of Invalid Session: resume, or identify after a random delay within `afterMs`. */
export const GATEWAY_INVALID_SESSION = {
  true: { follow: 'resume' },
  false: { follow: 'new-session', afterMs: [1000, 5000] },
} as const

export type GatewayInvalidSession = (typeof GATEWAY_INVALID_SESSION)[keyof typeof GATEWAY_INVALID_SESSION]

/** The session is resumable only if `d` is exactly true. */
export const gatewayInvalidSession = (d: unknown): GatewayInvalidSession => GATEWAY_INVALID_SESSION[d === true ? 'true' : 'false']
