/** Numbers of the sandbox's gateway; those the platform documents are marked so. */

/** Between heartbeats, unless the control interface says otherwise. */
export const HEARTBEAT_INTERVAL_MS = 41_250
/** A connection whose heartbeat is late by this share of the interval has timed out. */
export const HEARTBEAT_GRACE = 0.5
/** Largest payload a client may send, in bytes (documented). */
export const PAYLOAD_MAX_BYTES = 4_096
/** What is read before a payload is refused for its size, in bytes. */
export const READ_MAX_BYTES = 64 * 1024
/** Payloads a client may send in a minute (documented). */
export const PAYLOADS_PER_MINUTE = 120
/** What waits for a client that does not read, in bytes; more, and it is dropped. */
export const UNSENT_MAX_BYTES = 8 * 1024 * 1024
/** How long a session waits for its client to come back, in ms. */
export const SESSION_KEPT_MS = 3 * 60_000
/** Sessions that wait at once; the oldest are forgotten first. */
export const SESSIONS_WAITING_MAX = 200
/** What a session can repeat: so many events, in so many characters, of so many ms. */
export const REPLAY = { events: 1_000, characters: 512 * 1024, ageMs: 5 * 60_000 } as const
/** Members in one GUILD_MEMBERS_CHUNK, and members a prefix or a list of ids may find (documented). */
export const CHUNK_MEMBERS = 1_000
export const FOUND_MEMBERS_MAX = 100
/** All members of a guild can be asked for once in this time by a bot, in ms (documented). */
export const ALL_MEMBERS_EVERY_MS = 30_000
/** Longest nonce of a request for members, in bytes (documented). */
export const NONCE_MAX_BYTES = 32
/** Sessions an application may begin in a day (documented), and how long a day is, in ms. */
export const SESSIONS_PER_DAY = 1_000
export const DAY_MS = 86_400_000
