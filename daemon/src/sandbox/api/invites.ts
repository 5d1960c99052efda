/** Invites to channels that still work. */
import { applicationOf } from '../platform.ts'
import type { StoredInvite } from '../store/records.ts'
import { textChannelFor } from './channel-access.ts'
import type { Handler } from './handlers.ts'
import { botView } from './user-view.ts'
import { isoTime } from './wire-time.ts'

/** When the invite stops working, in ms since the epoch. */
export const inviteEnd = ({ createdAt, maxAgeSeconds }: StoredInvite): number => createdAt + maxAgeSeconds * 1000

export const getChannelInvites: Handler<'GET_CHANNEL_INVITES'> = ({ channel_id }, operation) => {
  const { platform } = operation
  const { store, clock } = platform
  const channel = textChannelFor(operation, channel_id, 'MANAGE_CHANNELS')
  const guild = store.guilds.get(channel.guildId)
  return store.invites
    .group(channel.id)
    .filter((invite) => inviteEnd(invite) > clock.now())
    .map((invite) => ({
      type: 0,
      code: invite.code,
      guild: { id: invite.guildId, name: guild?.name ?? '' },
      channel: { id: channel.id, name: channel.name, type: channel.type },
      inviter: botView(applicationOf(platform, invite.inviterId)),
      expires_at: isoTime(inviteEnd(invite)),
      // The sandbox has no operation that takes an invite.
      uses: 0,
      max_uses: invite.maxUses,
      max_age: invite.maxAgeSeconds,
      temporary: false,
      created_at: isoTime(invite.createdAt),
    }))
}
