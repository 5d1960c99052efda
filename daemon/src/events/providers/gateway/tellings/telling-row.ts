/** How a row of the tellings is written: which event for games comes of which dispatches, by whose connection, and what it says. */
import type { EventName, ScopeName } from '@sallyport/protocol'
import type { GuildCache, GuildNews } from '../cache/guild-cache.ts'
import type { People } from '../cache/people.ts'
import type { GatewayParty } from '../../../../platform/gateway/gateway.ts'
import type { Fields } from '../../../../platform/gateway/reading.ts'

/** One dispatch, and what it comes to. */
export interface GatewayNews {
  readonly d: Fields
  readonly party: GatewayParty
  /** What it changed among guilds and channels. */
  readonly guild: GuildNews | undefined
  readonly guilds: GuildCache
  readonly people: People
  /** Where the platform serves images, e.g. `https://cdn.example.com`. */
  readonly imageOrigin: string
}

export interface Told {
  /** Of the subscriptions it is for; absent: none are needed. */
  readonly args?: object
  /** What does not fit the event's row is not told. */
  readonly data: unknown
  /** Whose it is; absent: of everybody whom the connection speaks for. */
  readonly owner?: string
  /** Without this scope nobody is told. */
  readonly scope?: ScopeName
  /** Given whom it is told, by what other sources know the same news. */
  readonly key?: (userId: string) => string
}

export interface TellingRow {
  readonly event: EventName
  /** `application`: what the bot knows too, and better; `user`: what only the user's own connection tells. */
  readonly by: 'application' | 'user'
  /** Intents without which the platform does not send it. */
  readonly intents: number
  /** By dispatch; undefined when nothing is to be told. */
  readonly from: Readonly<Record<string, (news: GatewayNews) => Told | undefined>>
}
