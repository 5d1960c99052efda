/** Stored records of guilds and applications: roles, bot members, sounds, emoji, entitlements, subscriptions, settings. */
import type { StoredMember } from './records.ts'

export interface StoredRole {
  readonly id: string
  readonly guildId: string
  readonly name: string
  readonly position: number
  readonly permissions: string
  /** One to three colors of a gradient. */
  readonly colors: readonly [number, ...number[]]
  readonly memberIds: readonly string[]
  /** Hash of the icon. */
  readonly icon?: string | null
  readonly unicodeEmoji?: string | null
  /** The bot of every application has the role too. */
  readonly hasBots?: boolean
  /** Absent: of every role with a position. */
  readonly isHoisted?: boolean
  readonly isMentionable?: boolean
}

/** The guild profile of an application's bot. */
export interface StoredBotMember extends StoredMember {
  readonly nick: string | null
  /** Hashes of images. */
  readonly avatar: string | null
  readonly banner: string | null
  readonly bio: string | null
}

export interface StoredSound {
  readonly id: string
  readonly guildId: string
  readonly name: string
  readonly volume: number
  readonly emojiId: string | null
  readonly emojiName: string | null
  /** The bot that uploaded it. */
  readonly creatorId: string
}

export interface StoredEmoji {
  readonly id: string
  readonly applicationId: string
  readonly name: string
  readonly animated: boolean
}

/** A test entitlement. Entitlements of subscriptions derive from the seed. */
export interface StoredEntitlement {
  readonly id: string
  readonly applicationId: string
  readonly skuId: string
  readonly userId: string | null
  readonly guildId: string | null
  readonly type: number
  readonly consumed: boolean
  readonly deleted: boolean
}

/** A subscription that the control interface changed. Unchanged ones derive from the seed. */
export interface StoredSubscription {
  readonly id: string
  readonly applicationId: string
  readonly userId: string
  readonly skuId: string
  readonly entitlementId: string
  /** The SKUs from the next renewal on. */
  readonly renewalSkuIds: readonly string[]
  /** 0 active, 1 inactive, 2 active but ending. */
  readonly status: 0 | 1 | 2
  /** Milliseconds since the epoch; so are the times below. */
  readonly startedAt: number
  readonly periodStart: number
  readonly periodEnd: number
  readonly canceledAt: number | null
  /** Null until it ends, also when it will not be renewed. */
  readonly endedAt: number | null
  /** When its entitlement was migrated, by a renewal during the migration. */
  readonly migratedAt: number | null
  /** The purchase was refunded: it counts as never bought. */
  readonly refunded: boolean
}

/** Changed settings of an application in the wire form; images as hashes. */
export interface StoredApplicationSettings {
  readonly changed: Readonly<Record<string, unknown>>
}
