/** Limits of the sandbox's gateway. "Documented" marks limits from the platform's documentation. */

/** Heartbeat interval, in ms, unless the control interface changes it. */
export const HEARTBEAT_INTERVAL_MS = 41_250
/** A connection times out when its heartbeat is late by this share of the interval. */
export const HEARTBEAT_GRACE = 0.5
/** Largest payload a client may send, in bytes (documented). */
export const PAYLOAD_MAX_BYTES = 4_096
/** Bytes read before a payload is refused for its size. */
export const READ_MAX_BYTES = 64 * 1024
/** Payloads a client may send in a minute (documented). */
export const PAYLOADS_PER_MINUTE = 120
/** Unsent bytes buffered for a client; above this, the connection is terminated. */
export const UNSENT_MAX_BYTES = 8 * 1024 * 1024
/** How long a session without a connection can be resumed, in ms. */
export const SESSION_RESUMABLE_MS = 3 * 60_000
/** Sessions without a connection that can be resumed; the oldest end first. */
export const SESSIONS_WAITING_MAX = 200
/** Limits of the replay buffer of a session: events, characters and age in ms. */
export const REPLAY = { events: 1_000, characters: 512 * 1024, ageMs: 5 * 60_000 } as const
/** Members in one GUILD_MEMBERS_CHUNK, and members a prefix or a list of ids may find (documented). */
export const CHUNK_MEMBERS = 1_000
export const MEMBERS_FOUND_MAX = 100
/** A bot can request all members of a guild once in this time, in ms (documented). */
export const ALL_MEMBERS_EVERY_MS = 30_000
/** Longest nonce of a request for members, in bytes (documented). */
export const NONCE_MAX_BYTES = 32
/** Time between two Identifies of a bot, in ms (documented). */
export const IDENTIFY_EVERY_MS = 5_000
/** Sessions an application may start in a day (documented), and the length of a day, in ms. */
export const SESSIONS_PER_DAY = 1_000
