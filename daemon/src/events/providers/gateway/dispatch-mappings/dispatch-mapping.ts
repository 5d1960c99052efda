/** The form of a mapping: which dispatches become which event for games, with which data. */
import type { EventName, ScopeName } from '@sallyport/protocol'
import type { GuildCache, GuildChange } from '../cache/guild-cache.ts'
import type { UserCache } from '../cache/user-cache.ts'
import type { GatewayIdentity } from '../../../../platform/gateway/gateway.ts'
import { type Fields, idOf, textOf } from '@sallyport/core/json-read'

/** A dispatch, and the state of its connection. */
export interface DispatchContext {
  readonly d: Fields
  readonly identity: GatewayIdentity
  /** What it changed in the guild cache. */
  readonly guild: GuildChange | undefined
  readonly guilds: GuildCache
  readonly users: UserCache
  /** Where the platform serves images, e.g. `https://cdn.example.com`. */
  readonly imageOrigin: string
}

export interface MappedEvent {
  /** Arguments of the matching subscriptions; absent: none. */
  readonly args?: object
  /** Data that does not match the row of the event is not published. */
  readonly data: unknown
  /** The only user who receives it; absent: all users of the connection. */
  readonly owner?: string
  /** A scope that the session must have besides. */
  readonly scope?: ScopeName
  /** The dedupe key for a recipient. */
  readonly dedupeKey?: (userId: string) => string
}

type Mapped = MappedEvent | readonly MappedEvent[] | undefined

export interface DispatchMapping {
  readonly event: EventName
  /** Intents without which the platform does not send it. */
  readonly intents: number
  /** By dispatch: one event, several, or undefined for none. */
  readonly from: Readonly<Record<string, (context: DispatchContext) => Mapped>>
}

/** Fields that distinguish the versions of a message. */
export const messageVersion = (d: Fields) => ({
  id: idOf(d['id']) ?? '',
  content: textOf(d['content'], Number.POSITIVE_INFINITY),
  edited_timestamp: textOf(d['edited_timestamp']),
})
