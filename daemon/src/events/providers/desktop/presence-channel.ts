/**
 * Sends presence via the desktop client, as if the game were connected to it: for the user of the client, and for games without sign-in. The
 * client shows one presence per application. Clients that the user chose show it for other users too.
 */
import { OwnerMap } from '../../../presence/owner-map.ts'
import type { PresenceChannel } from '../../../presence/channel.ts'
import { latestPerApplication, newestOf } from '../../../presence/latest-per-application.ts'
import type { Presence } from '../../../presence/sink.ts'
import type { DesktopClientProvider } from './provider.ts'

type Client = Pick<DesktopClientProvider, 'canShow' | 'isOwn' | 'show' | 'prepare' | 'placesChanged' | 'shownOn' | 'changed'>

export function desktopClientChannel(client: Client): PresenceChannel {
  const showing = new OwnerMap<Presence>()
  return {
    name: 'desktop-client',
    canShow: (owner, places) => client.canShow(owner, places),
    isOwn: (owner, places) => client.isOwn(owner, places),
    show: latestPerApplication((applicationId, presence) => client.show(applicationId, presence)),
    prepare(player, presence) {
      if (presence !== undefined) showing.set(player, presence)
      else showing.delete(player)
      client.prepare(player.applicationId, newestOf(showing.of(player.applicationId)))
    },
    placesChanged: ({ applicationId }) => client.placesChanged(applicationId),
    shownOn: (owner) => client.shownOn(owner),
    changed: client.changed,
  }
}
