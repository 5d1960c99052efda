/**
 * Presence by way of the platform's own client, which shows it as if the game had come to it directly: that of its own user, and of games that
 * nobody signed in on. It shows one for an application.
 */
import { ByPlayer } from '../../../presence/by-player.ts'
import type { PresenceCarrier } from '../../../presence/carrier.ts'
import { newestOfApplication } from '../../../presence/newest-of-application.ts'
import type { DesktopClientSource } from './source.ts'

export function desktopClientCarrier(client: Pick<DesktopClientSource, 'canShow' | 'show' | 'expect' | 'onChange'>): PresenceCarrier {
  const showing = new ByPlayer<true>()
  return {
    name: 'desktop-client',
    canShow: ({ applicationId, userId }) => client.canShow(applicationId, userId),
    show: newestOfApplication((applicationId, presence) => client.show(applicationId, presence)),
    expect(player, isShowing) {
      if (isShowing) showing.set(player, true)
      else showing.delete(player)
      client.expect(player.applicationId, showing.of(player.applicationId).length > 0)
    },
    onChange: (listener) => client.onChange(listener),
  }
}
