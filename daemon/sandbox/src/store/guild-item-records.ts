/** Stored records that members create in a guild: emoji, stickers, scheduled events; and records of role connections and permissions. */
import type { RoleConnectionMetadata } from '@sallyport/protocol'

/** What every item of a guild has. */
export interface GuildItem {
  readonly id: string
  readonly guildId: string
  /** The user or bot that created it. */
  readonly creatorId: string
}

export interface StoredGuildEmoji extends GuildItem {
  readonly name: string
  readonly animated: boolean
  readonly roleIds: readonly string[]
}

export interface StoredSticker extends GuildItem {
  readonly name: string
  readonly tags: string
  readonly description: string | null
  /** 1 PNG, 3 Lottie, 4 GIF. */
  readonly format: number
}

export interface StoredScheduledEvent extends GuildItem {
  readonly name: string
  readonly description: string | null
  /** Hash of the cover image. */
  readonly image: string | null
  /** ISO times, as given. */
  readonly startTime: string
  readonly endTime: string | null
  readonly status: number
  readonly placeType: number
  readonly channelId: string | null
  readonly location: string | null
  readonly recurrence: object | null
  readonly exceptions: readonly StoredEventException[]
  /** Interested users. */
  readonly interestedIds: readonly string[]
}

export interface StoredEventException {
  readonly id: string
  readonly originalStart: string
  readonly startTime: string | null
  readonly endTime: string | null
  readonly isCanceled: boolean
}

/** Metadata records of role connections of an application. */
export interface StoredRoleConnectionRecords {
  readonly records: readonly RoleConnectionMetadata[]
}

/** Values of a user with an application. */
export interface StoredRoleConnection {
  readonly platformName: string | null
  readonly platformUsername: string | null
  readonly metadata: Readonly<Record<string, string>>
}

/** Permissions of a command, or of an application, in a guild. */
export interface StoredCommandPermissions {
  readonly id: string
  readonly applicationId: string
  readonly guildId: string
  readonly permissions: readonly { readonly id: string; readonly type: number; readonly permission: boolean }[]
}

export interface StoredGuildBan {
  readonly guildId: string
  readonly userId: string
  readonly reason: string | null
}

/** The users who reacted to a message with one emoji. */
export interface StoredReaction {
  readonly messageId: string
  readonly emoji: string
  readonly userIds: readonly string[]
}
