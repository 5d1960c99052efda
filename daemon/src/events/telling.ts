/** What sources tell games through. The same news may reach us by several ways (gateway, webhook, desktop client); each is told once. */
import type { EventName } from '@sallyport/protocol'
import type { Session } from '../sessions/session.ts'

interface About {
  readonly name: EventName
  /** Of the subscriptions it is for. */
  readonly args: object
  readonly data: unknown
  readonly isFor: (caller: Session) => boolean
}

/** What several may tell. */
interface Known {
  /** Equal for the same news to the same user of an application, whoever tells it, as `news.ts` makes it; undefined: always told. */
  readonly key: string | undefined
  /** Who tells it. A change that one and the same tells twice was made twice. */
  readonly by: string
}

export type Telling = About & (Known | { readonly key: undefined })

/** Gives how many sessions were told. */
export type Tell = (telling: Telling) => number
