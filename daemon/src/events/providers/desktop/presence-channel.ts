/**
 * Sends presence via the desktop client, as if the game were connected to it: for the user of the client, and for games without sign-in. The
 * client shows one presence per application.
 */
import { OwnerMap } from '../../../presence/owner-map.ts'
import type { PresenceChannel } from '../../../presence/channel.ts'
import { latestPerApplication } from '../../../presence/latest-per-application.ts'
import type { DesktopClientProvider } from './provider.ts'

export function desktopClientChannel(client: Pick<DesktopClientProvider, 'canShow' | 'show' | 'prepare' | 'changed'>): PresenceChannel {
  const showing = new OwnerMap<true>()
  return {
    name: 'desktop-client',
    canShow: (owner) => client.canShow(owner),
    show: latestPerApplication((applicationId, presence) => client.show(applicationId, presence)),
    prepare(player, isShowing) {
      if (isShowing) showing.set(player, true)
      else showing.delete(player)
      client.prepare(player.applicationId, showing.of(player.applicationId).length > 0)
    },
    changed: client.changed,
  }
}
