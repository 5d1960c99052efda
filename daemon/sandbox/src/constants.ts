/** Numbers that the sandbox platform chooses for itself; those the contract knows stand in LIMITS. */
import { LIMITS } from '@sallyport/protocol'

/** A code can be exchanged for this long, in ms. */
export const CODE_LIFETIME_MS = 10 * 60_000
/** A device code can be answered and collected for this long, in seconds, and be asked about this often, in seconds. */
export const DEVICE_CODE_SECONDS = 300
export const DEVICE_INTERVAL_SECONDS = 5
/** Device codes that are open at once. */
export const DEVICE_CODES_MAX = 1_000
/** A one-time token that stands for consent given elsewhere, in ms. */
export const RPC_TOKEN_LIFETIME_MS = 10 * 60_000
/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 604_800
/** How long a consent page may be left open before its buttons stop working, in ms. */
export const CONSENT_PAGE_LIFETIME_MS = 60 * 60_000
/** Sign-ins kept per user and application; the oldest end first. */
export const AUTHORIZATIONS_PER_USER = 50
/** Applications that come to be by being named. */
export const APPLICATIONS_MAX = 10_000
/** Largest request body, in bytes. */
export const BODY_MAX_BYTES = 1_048_576
/** Largest request body that carries files, in bytes. */
export const UPLOAD_MAX_BYTES = LIMITS.messageRequestBytes.value
/** Uploaded files that can still be fetched, in bytes together; the oldest go first. */
export const FILES_KEPT_BYTES = 32 * 1024 * 1024
/** From the upload of the users of an invite to the end of the work on them, in ms. */
export const TARGET_USERS_MS = 1_000
/** A connection on which nothing moves is closed after this, in ms. */
export const SOCKET_IDLE_MS = 30_000
/** A body must be complete after this, in ms. */
export const BODY_DEADLINE_MS = 30_000
/** Connections served at once. */
export const CONNECTIONS_MAX = 1_024
/** Requests that the front page and the state report remember. */
export const REQUEST_LOG_ENTRIES = 200
/** Faults that can wait at once, and the longest delay of one, in ms. */
export const FAULTS_MAX = 100
export const FAULT_LATENCY_MAX_MS = 300_000
/** Requests per window and bucket, unless the control interface says otherwise: far above what one machine sends. */
export const DEFAULT_LIMIT = { limit: 100_000, windowMs: 10_000 } as const
/** A webhook must be answered in this time, in ms. */
export const WEBHOOK_ANSWER_MS = 3_000
/** The first wait before a webhook is sent again, in ms; each further one is twice as long. */
export const WEBHOOK_RETRY_MS = 1_000
/** A webhook that was not taken for so long is the last of its address, in ms. */
export const WEBHOOK_GIVE_UP_MS = 10 * 60_000
/** Webhooks that are on their way at once. */
export const WEBHOOKS_AT_ONCE = 32
/** Webhooks that wait at once; further ones are lost. */
export const WEBHOOKS_WAITING_MAX = 1_000
/** Members of a lobby. */
export const LOBBY_MEMBERS_MAX = 1_000
/** Sounds of a guild that nobody boosts. */
export const GUILD_SOUNDS_MAX = 8
/** Test entitlements of one application. */
export const ENTITLEMENTS_MAX = 1_000
/** Channels of one guild. */
export const CHANNELS_MAX = 500
/** Subscriptions of one application besides those of the seed. */
export const SUBSCRIPTIONS_MAX = 1_000
/** Lobbies of one application that a user can be in. */
export const LOBBIES_PER_USER = 200
/** Idle timeout of a lobby when its creator names none, in seconds. */
export const LOBBY_IDLE_DEFAULT_S = 300
/** A lobby that nobody used for so long ends even when its members are signed in, in ms. */
export const LOBBY_QUIET_MS = 24 * 3_600_000
/** A lobby secret lets new members in for this long, in ms. */
export const LOBBY_SECRET_MS = 30 * 24 * 3_600_000
/** A bot's message with the nonce of an earlier one is taken for a repeat of it for this long, in ms. */
export const NONCE_KEPT_MS = 5 * 60_000
/** From the first search of a guild to the answers, in ms. */
export const SEARCH_INDEX_MS = 2_000
/** Entries that the audit log of a guild keeps. */
export const AUDIT_ENTRIES_MAX = 1_000
/** Auto-moderation blocks what holds this word. */
export const BLOCKED_WORD = 'sandbox-blocked'
