/** Limits and times that the sandbox chooses itself. LIMITS has those of the contract. */
import { LIMITS } from '@sallyport/protocol'

/** A code can be exchanged for this long, in ms. */
export const CODE_LIFETIME_MS = 10 * 60_000
/** Lifetime of a device code and the least interval between two polls, in seconds. */
export const DEVICE_CODE_SECONDS = 300
export const DEVICE_INTERVAL_SECONDS = 5
/** Device codes that are open at once. */
export const DEVICE_CODES_MAX = 1_000
/** Lifetime of a one-time token that replaces the consent page, in ms. */
export const RPC_TOKEN_LIFETIME_MS = 10 * 60_000
/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 604_800
/** How long the buttons of an open consent page work, in ms. */
export const CONSENT_PAGE_LIFETIME_MS = 60 * 60_000
/** Sign-ins kept per user and application; the oldest end first. */
export const AUTHORIZATIONS_PER_USER = 50
/** Applications that register themselves by their first use. */
export const APPLICATIONS_MAX = 10_000
/** Largest request body, in bytes. */
export const BODY_MAX_BYTES = 1_048_576
/** Largest request body that carries files, in bytes. */
export const UPLOAD_MAX_BYTES = LIMITS.messageAttachments.value * LIMITS.attachmentBytes.value + BODY_MAX_BYTES
/** Largest attachment_size_limit of an interaction, in bytes: what fits into a request. */
export const ATTACHMENT_SIZE_LIMIT_MAX = UPLOAD_MAX_BYTES - BODY_MAX_BYTES
/** Total bytes of uploaded files; the oldest are deleted first. */
export const FILES_KEPT_BYTES = 32 * 1024 * 1024
/** From the upload of an invite's target users to the end of the job, in ms. */
export const TARGET_USERS_MS = 1_000
/** An idle connection is closed after this, in ms. */
export const SOCKET_IDLE_MS = 30_000
/** A body must be complete after this, in ms. */
export const BODY_DEADLINE_MS = 30_000
/** Connections served at once. */
export const CONNECTIONS_MAX = 1_024
/** Connections of the activity proxy, and URL mappings of one application. */
export const PROXY_CONNECTIONS_MAX = 256
export const MAPPINGS_MAX = 32
/** Requests in the request log, shown on the front page and in the state report. */
export const REQUEST_LOG_ENTRIES = 200
/** Faults that can be pending at once, and the longest delay of one, in ms. */
export const FAULTS_MAX = 100
export const FAULT_LATENCY_MAX_MS = 300_000
/** Findings of the relaxed sandbox, and details of one. */
export const FINDINGS_MAX = 500
export const FINDING_DETAILS_MAX = 5
/** Documents that a reset brings back. */
export const JOURNAL_MAX = 20_000
/** Users, with those that the control interface creates. */
export const USERS_MAX = 20_000
/** Redirects that an application registers, and its testers. */
export const REDIRECTS_MAX = 50
export const TESTERS_MAX = 50
/** How far one request puts the clock forward, in ms: a year. */
export const TIME_MOVE_MAX_MS = 31_536_000_000
/** Requests per window and bucket, in the relaxed sandbox, unless the control interface sets another limit: far above what one machine sends. */
export const DEFAULT_LIMIT = { limit: 100_000, windowMs: 10_000 } as const
/** Deadline of a webhook response, in ms. */
export const WEBHOOK_ANSWER_MS = 3_000
/** The first retry delay of a webhook, in ms; each further one doubles. */
export const WEBHOOK_RETRY_MS = 1_000
/** After this time without success, a webhook's address is disabled, in ms. */
export const WEBHOOK_GIVE_UP_MS = 10 * 60_000
/** Webhook requests at once. */
export const WEBHOOKS_AT_ONCE = 32
/** Pending webhooks; further ones are dropped. */
export const WEBHOOKS_WAITING_MAX = 1_000
/** Members of a lobby. */
export const LOBBY_MEMBERS_MAX = 1_000
/** Sounds of a guild without boosts. */
export const GUILD_SOUNDS_MAX = 8
/** Test entitlements of one application. */
export const ENTITLEMENTS_MAX = 1_000
/** Roles of one guild. */
export const ROLES_MAX = 250
/** Channels of one guild. */
export const CHANNELS_MAX = 500
/** Subscriptions of one application besides those of the seed. */
export const SUBSCRIPTIONS_MAX = 1_000
/** Lobbies of one application that a user can be in. */
export const LOBBIES_PER_USER = 200
/** Idle timeout of a lobby when its creator names none, in seconds. */
export const LOBBY_IDLE_DEFAULT_S = 300
/** An unused lobby ends after this, even when its members are signed in, in ms. */
export const LOBBY_QUIET_MS = 24 * 3_600_000
/** How long new members can join with a lobby secret, in ms. */
export const LOBBY_SECRET_MS = 30 * 24 * 3_600_000
/** How long a bot's message with the same nonce counts as a duplicate, in ms. */
export const NONCE_KEPT_MS = 5 * 60_000
/** From the first search of a guild until its index is ready, in ms. */
export const SEARCH_INDEX_MS = 2_000
/** Entries that the audit log of a guild keeps. */
export const AUDIT_ENTRIES_MAX = 1_000
/** The words of the lists that KEYWORD_PRESET rules name: profanity, sexual content, slurs. */
export const PRESET_WORDS = { 1: 'sandbox-profanity', 2: 'sandbox-sexual-content', 3: 'sandbox-slur' } as const
/** Auto-moderation blocks messages with this word. */
export const BLOCKED_WORD = 'sandbox-blocked'
/** Lifetime of a headless session without an update, in ms. */
export const HEADLESS_SESSION_MS = 20 * 60_000
