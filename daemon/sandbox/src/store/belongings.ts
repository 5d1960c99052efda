/** What the sandbox platform keeps of guilds and applications besides themselves: roles, memberships of bots, sounds, emoji, entitlements, settings. */

export interface StoredRole {
  readonly id: string
  readonly guildId: string
  readonly name: string
  readonly position: number
  readonly permissions: string
  /** One to three colors of a gradient. */
  readonly colors: readonly [number, ...number[]]
  readonly memberIds: readonly string[]
}

/** What the bot of one application made of its membership in one guild. */
export interface StoredBotMember {
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

/** An entitlement made for a test; those of subscriptions follow from the seed. */
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

/** A subscription as it stands since the control interface changed it; one that is not stored is as the seed has it. */
export interface StoredSubscription {
  readonly id: string
  readonly applicationId: string
  readonly userId: string
  readonly skuId: string
  readonly entitlementId: string
  /** What the user will hold from the next renewal on. */
  readonly renewalSkuIds: readonly string[]
  /** 0 active, 1 inactive, 2 active but ending. */
  readonly status: 0 | 1 | 2
  /** Milliseconds since the epoch, these and those below. */
  readonly startedAt: number
  readonly periodStart: number
  readonly periodEnd: number
  readonly canceledAt: number | null
  /** Null while it goes on, also when it will not be renewed. */
  readonly endedAt: number | null
  /** When its entitlement was migrated, by a renewal in the days of the migration. */
  readonly migratedAt: number | null
  /** The money was given back: it counts as never bought. */
  readonly refunded: boolean
}

/** What an application changed of itself, in the words of the wire; images as hashes. */
export interface StoredApplicationSettings {
  readonly changed: Readonly<Record<string, unknown>>
}
