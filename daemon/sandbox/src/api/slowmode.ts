/** Slowmode of a channel: checks the time between two messages. */
import { isInEffect, type PermissionName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { StoredChannel } from '../store/records.ts'
import { mayIn } from './channel-access.ts'
import type { Operation } from './handlers.ts'

/** Any of these permissions bypasses slowmode: the managing ones until the bypass permission exists. */
const exempting = (now: number): readonly PermissionName[] =>
  isInEffect('slowmode-needs-own-permission', now) ? ['BYPASS_SLOWMODE'] : ['MANAGE_CHANNELS', 'MANAGE_MESSAGES', 'MANAGE_THREADS']

/** Throws slowmode, with the seconds to wait, after a too recent message of the caller. */
export function checkSlowmode(operation: Operation, channel: StoredChannel): void {
  const { platform, caller } = operation
  const now = platform.clock.now()
  if (channel.slowmodeSeconds === undefined || exempting(now).some((name) => mayIn(operation, channel, name))) return
  const last = platform.store.channelMessages.group(channel.id).findLast(({ authorId }) => authorId === caller.id)
  const waitMs = last === undefined ? 0 : snowflakeTime(last.id) + channel.slowmodeSeconds * 1000 - now
  if (waitMs > 0) throw new PlatformError('slowmode', { extra: { retry_after: waitMs / 1000, global: false } })
}
