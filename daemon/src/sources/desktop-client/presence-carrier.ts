/** Presence by way of the platform's own client, which shows it as if the game had come to it directly. */
import type { PresenceCarrier } from '../../presence/carrier.ts'
import type { DesktopClientSource } from './source.ts'

export const desktopClientCarrier = (client: DesktopClientSource): PresenceCarrier => ({
  name: 'desktop-client',
  canShow: (applicationId) => client.canShow(applicationId),
  show: (applicationId, presence) => client.show(applicationId, presence),
  expect: (applicationId, isShowing) => client.expect(applicationId, isShowing),
  onChange: (listener) => client.onChange(listener),
})
