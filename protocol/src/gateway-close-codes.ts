/** How a gateway connection ends, and what follows: the close codes of the platform, those of our own, and the forms of Invalid Session. */

/** `resume`: the session goes on, over a new connection. `new-session`: it begins anew with Identify. `end`: never again by itself. */
export type GatewayFollow = 'resume' | 'new-session' | 'end'

export type GatewayCloseRow = {
  readonly code: number
  /** What the platform says by it. */
  readonly meaning: string
} & (
  | { readonly reconnect: true; readonly follow: 'resume' | 'new-session' }
  /** `todo`: what a person can do about it, as a sentence. */
  | { readonly reconnect: false; readonly follow: 'end'; readonly todo: string }
)

export const GATEWAY_CLOSE_CODES = {
  UNKNOWN_ERROR: { code: 4000, meaning: 'something went wrong there', reconnect: true, follow: 'resume' },
  UNKNOWN_OPCODE: { code: 4001, meaning: 'it was sent an operation that it does not know', reconnect: true, follow: 'resume' },
  DECODE_ERROR: { code: 4002, meaning: 'it was sent what it cannot read, or what is too large', reconnect: true, follow: 'resume' },
  NOT_AUTHENTICATED: {
    code: 4003,
    meaning: 'something came before Identify, or the session is over',
    reconnect: true,
    follow: 'new-session',
  },
  AUTHENTICATION_FAILED: {
    code: 4004,
    meaning: 'the token is not valid',
    reconnect: false,
    follow: 'end',
    todo: 'Sign in again, or store the bot token anew; then what is wanted of the gateway is tried again.',
  },
  ALREADY_AUTHENTICATED: { code: 4005, meaning: 'Identify came twice', reconnect: true, follow: 'resume' },
  INVALID_SEQ: { code: 4007, meaning: 'the number of the last event was not one of that session', reconnect: true, follow: 'new-session' },
  RATE_LIMITED: { code: 4008, meaning: 'too much was sent', reconnect: true, follow: 'resume' },
  SESSION_TIMED_OUT: { code: 4009, meaning: 'the session timed out', reconnect: true, follow: 'new-session' },
  INVALID_SHARD: {
    code: 4010,
    meaning: 'the shard is not valid',
    reconnect: false,
    follow: 'end',
    todo: 'This is a fault of this program, which names no shard: report it.',
  },
  SHARDING_REQUIRED: {
    code: 4011,
    meaning: 'the bot is in too many guilds for one connection',
    reconnect: false,
    follow: 'end',
    todo: 'Use a bot that is in fewer guilds: this program does not divide guilds among connections.',
  },
  INVALID_API_VERSION: {
    code: 4012,
    meaning: 'this version of the gateway has ended',
    reconnect: false,
    follow: 'end',
    todo: 'Update this program.',
  },
  INVALID_INTENTS: {
    code: 4013,
    meaning: 'the intents are not valid',
    reconnect: false,
    follow: 'end',
    todo: 'This is a fault of this program, which chose the intents: report it.',
  },
  DISALLOWED_INTENTS: {
    code: 4014,
    meaning: 'the application may not have a privileged intent that it asked for',
    reconnect: false,
    follow: 'end',
    todo: "Allow the privileged intents of the application in the platform's developer portal, then restart this program.",
  },
} as const satisfies Readonly<Record<string, GatewayCloseRow>>

/** Any other code, and no code at all: the connection broke. */
const BROKEN = { meaning: 'the connection broke', reconnect: true, follow: 'resume' } as const

const BY_CODE: ReadonlyMap<number, GatewayCloseRow> = new Map(Object.values(GATEWAY_CLOSE_CODES).map((row) => [row.code, row]))

/** What follows when the other side closes. `code` undefined: it said none. */
export const gatewayCloseRow = (code: number | undefined): GatewayCloseRow | typeof BROKEN =>
  (code === undefined ? undefined : BY_CODE.get(code)) ?? BROKEN

/** The codes that we close with. 1000 and 1001 end the session; any other keeps it a few minutes. */
export const GATEWAY_OWN_CLOSE_CODES = {
  /** Nobody wants it any more. */
  END_SESSION: 1000,
  /** To resume, or because the session is over already. */
  KEEP_SESSION: 4000,
  /** What came cannot be read. */
  UNREADABLE: 4002,
} as const

/** What follows from `d` of Invalid Session: it may be resumed, or begins anew after a time between `afterMs`, chosen by chance. */
export const GATEWAY_INVALID_SESSION = {
  true: { follow: 'resume' },
  false: { follow: 'new-session', afterMs: [1000, 5000] },
} as const

export type GatewayInvalidSession = (typeof GATEWAY_INVALID_SESSION)[keyof typeof GATEWAY_INVALID_SESSION]

/** Only a plain true says that the session may be resumed. */
export const gatewayInvalidSession = (d: unknown): GatewayInvalidSession => GATEWAY_INVALID_SESSION[d === true ? 'true' : 'false']
