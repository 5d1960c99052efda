/** Slowmode of a channel: who must wait between two messages, and who need not. */
import { holdsOn, type PermissionName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { StoredChannel } from '../store/records.ts'
import { mayIn } from './channel-access.ts'
import type { Operation } from './handlers.ts'

/** Any one of these lets a member write without waiting: those for managing, until there was one of its own. */
const exempting = (now: number): readonly PermissionName[] =>
  holdsOn('slowmode-needs-own-permission', now) ? ['BYPASS_SLOWMODE'] : ['MANAGE_CHANNELS', 'MANAGE_MESSAGES', 'MANAGE_THREADS']

/** Throws slowmode, with the seconds to wait, when the caller wrote here too short a while ago. */
export function checkSlowmode(operation: Operation, channel: StoredChannel): void {
  const { platform, caller } = operation
  const now = platform.clock.now()
  if (channel.slowmodeSeconds === undefined || exempting(now).some((name) => mayIn(operation, channel, name))) return
  const last = platform.store.channelMessages.group(channel.id).findLast(({ authorId }) => authorId === caller.id)
  const waitMs = last === undefined ? 0 : snowflakeTime(last.id) + channel.slowmodeSeconds * 1000 - now
  if (waitMs > 0) throw new PlatformError('slowmode', { extra: { retry_after: waitMs / 1000, global: false } })
}
