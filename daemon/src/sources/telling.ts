/** What sources tell games through. The same news may reach us by several ways (gateway, webhook, desktop client); each is told once. */
import type { EventName } from '@sallyport/protocol'
import type { Caller } from '../dispatch/caller.ts'

export interface Telling {
  readonly name: EventName
  /** Of the subscriptions it is for. */
  readonly args: object
  readonly data: unknown
  readonly isFor: (caller: Caller) => boolean
  /**
   * Equal for the same news told by different sources to the same user of an application, as `news.ts` makes it; undefined: always told.
   */
  readonly key: string | undefined
}

/** Gives how many sessions were told. */
export type Tell = (telling: Telling) => number
