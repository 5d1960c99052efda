/** The VERSIONS table: dated changes of the platform, and the support window of its SDK. */

export interface VersionRow {
  /** First day on which it is in effect, in UTC, as `2026-11-16`. */
  readonly date: string
  /** First day on which it is no longer in effect; absent if no end is known. */
  readonly until?: string
  /** An earlier announced day that the platform postponed. */
  readonly announced?: string
  readonly summary: string
  /** Commands, events, permissions and limits that it affects. */
  readonly rows: readonly string[]
}

export const VERSIONS = {
  'entitlement-migration': {
    date: '2024-10-01',
    until: '2024-11-01',
    summary: 'A subscription entitlement that renews raises ENTITLEMENT_CREATE once; it is not a new entitlement.',
    rows: ['ENTITLEMENT_CREATE'],
  },
  'voice-modes-discontinued': {
    date: '2024-11-18',
    summary: 'Voice needs a named gateway version of 4 or more and the modes aead_aes256_gcm_rtpsize or aead_xchacha20_poly1305_rtpsize.',
    rows: [],
  },
  'upload-limit-lowered': {
    date: '2025-01-16',
    summary: 'An attachment has at most 10 MiB by default, in webhooks and interaction responses too; it was 25 MiB.',
    rows: [],
  },
  'create-guild-unavailable': {
    date: '2025-07-15',
    summary: 'Applications can no longer create guilds; guilds owned by bots were transferred to a user.',
    rows: ['CREATE_GUILD'],
  },
  'member-profile-of-bots': {
    date: '2025-09-10',
    summary: 'Bots may set the banner, avatar and bio of their own member.',
    rows: ['MODIFY_CURRENT_MEMBER'],
  },
  'all-members-limit': {
    date: '2025-10-01',
    summary: 'A bot can request all members of a guild once in 30 seconds; further requests fail with RATE_LIMITED.',
    rows: [],
  },
  'pin-needs-own-permission': {
    date: '2026-02-23',
    announced: '2026-01-12',
    summary: 'Pinning needs PIN_MESSAGES; MANAGE_MESSAGES is no longer sufficient.',
    rows: ['MANAGE_MESSAGES', 'PIN_MESSAGE', 'PIN_MESSAGES', 'UNPIN_MESSAGE'],
  },
  'slowmode-needs-own-permission': {
    date: '2026-02-23',
    summary: 'Only BYPASS_SLOWMODE bypasses slowmode; the MANAGE permissions no longer do.',
    rows: ['BYPASS_SLOWMODE', 'MANAGE_CHANNELS', 'MANAGE_MESSAGES', 'MANAGE_THREADS'],
  },
  'creating-needs-own-permissions': {
    date: '2026-02-23',
    summary: 'Bots need CREATE_GUILD_EXPRESSIONS for emoji and stickers, and CREATE_EVENTS for scheduled events.',
    rows: ['CREATE_EVENTS', 'CREATE_GUILD_EXPRESSIONS'],
  },
  'calls-end-to-end-encrypted': {
    date: '2026-03-01',
    summary: 'Calls in direct messages, group messages, voice channels and streams are end-to-end encrypted only.',
    rows: [],
  },
  'sdk-support-window': {
    date: '2026-07-01',
    summary: 'The five newest minor versions of the SDK are supported: 1.6 to 1.10 in July 2026.',
    rows: [],
  },
  'provider-a-connections-removed': {
    date: '2026-07-10',
    summary: 'Connections of the first of two providers of game accounts are no longer listed.',
    rows: ['GET_CURRENT_USER_CONNECTIONS'],
  },
  'provider-b-connections-removed': {
    date: '2026-09-22',
    summary: 'Connections of the second of two providers of game accounts are no longer listed.',
    rows: ['GET_CURRENT_USER_CONNECTIONS'],
  },
  'hidden-channels-omitted': {
    date: '2026-11-16',
    summary: 'Channels that the caller cannot view (VIEW_CHANNEL) are omitted from the channel list.',
    rows: ['GET_GUILD_CHANNELS', 'VIEW_CHANNEL'],
  },
} as const satisfies Readonly<Record<string, VersionRow>>

export type VersionId = keyof typeof VERSIONS

/** Whether a change is in effect. `at` in ms since the epoch; a day begins at midnight UTC. */
export function isInEffect(id: VersionId, at: number): boolean {
  const { date, until }: VersionRow = VERSIONS[id]
  return at >= Date.parse(date) && (until === undefined || at < Date.parse(until))
}

/** Whether a change has begun, even if it has ended since. `at` in ms since the epoch. */
export const hasBegun = (id: VersionId, at: number): boolean => at >= Date.parse(VERSIONS[id].date)

/** Months of the SDK's minor releases: April, July and November. The number of a release is unknown until a source names it. */
export const SDK_RELEASE_MONTHS = [4, 7, 11] as const

const SUPPORTED_MINORS = 5
const MAJOR = 1
/** Minor versions that a source names, oldest first, with the first day of their month. Only a new row moves the window. */
const NAMED_MINORS = [{ minor: 10, date: VERSIONS['sdk-support-window'].date }] as const

/** Minor versions of major 1, inclusive. */
export interface SdkWindow {
  readonly oldest: number
  readonly newest: number
}

/** Returns the supported minor versions; undefined before July 2026, because no source names them for that time. `at` in ms since the epoch. */
export function sdkWindow(at: number): SdkWindow | undefined {
  const newest = NAMED_MINORS.findLast(({ date }) => at >= Date.parse(date))?.minor
  return newest === undefined ? undefined : { oldest: newest - SUPPORTED_MINORS + 1, newest }
}

/**
 * `supported`: within the window; `ended`: older than it; `newer`: a release that no source names yet; `unknown`: not the form
 * MAJOR.MINOR[.BUILD] (other libraries put their name before their version), or a day before the first known window.
 */
export type SdkSupport = 'supported' | 'ended' | 'newer' | 'unknown'

const SDK_VERSION = /^([0-9]{1,6})\.([0-9]{1,6})(?:\.[0-9]{1,9})?$/

/** Returns the support status of an SDK version on a day. `at` in ms since the epoch. */
export function sdkSupport(version: string, at: number): SdkSupport {
  const [, major, minor] = SDK_VERSION.exec(version) ?? []
  const window = sdkWindow(at)
  if (major === undefined || minor === undefined || window === undefined) return 'unknown'
  if (Number(major) !== MAJOR) return Number(major) > MAJOR ? 'newer' : 'ended'
  if (Number(minor) > window.newest) return 'newer'
  return Number(minor) < window.oldest ? 'ended' : 'supported'
}
