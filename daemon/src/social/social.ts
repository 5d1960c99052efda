/** What commands about joining work with. */
import type { Activity } from '@sallyport/protocol'
import type { Party } from './activity-message.ts'
import type { Joins } from './joins.ts'
import type { Launches } from './launch/launches.ts'

export interface Social {
  readonly joins: Pick<Joins, 'heard' | 'takeRequest' | 'reopen' | 'take'>
  readonly launches: Pick<Launches, 'register'>
  /** What the account shows, if others can join it. */
  joinable(party: Party): Activity | undefined
  /** The platform's session that shows the account's activity; undefined while none does. */
  sessionOf(party: Party): string | undefined
}
