/** What the commands of invites, join requests and launches use. */
import type { Activity } from '@sallyport/protocol'
import type { AccountKey } from '@sallyport/core/account-key'
import type { GameInvites } from './game-invites.ts'
import type { GameLauncher } from './launch/launcher.ts'

export interface Social {
  readonly gameInvites: Pick<GameInvites, 'onMessage' | 'consumeRequest' | 'reopenRequest' | 'accept'>
  readonly launcher: Pick<GameLauncher, 'register'>
  /** The activity of the account, if other users can join it. */
  joinableActivity(account: AccountKey): Activity | undefined
  /** The platform's session that shows the account's activity; undefined without one. */
  sessionOf(account: AccountKey): string | undefined
}
