/** A connection of a session that no game reads. */
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import type { SessionConnection } from '#daemon/src/sessions/session.ts'

export const unreadConnection = (id: number, peer: PeerIdentity = { trust: 'directory' }): SessionConnection => ({
  id,
  peer,
  encoding: { name: 'json' },
  maxPayloadBytes: 65_528,
  isOpen: true,
  encodeEvent: () => Buffer.alloc(0),
  deliver: () => {},
  close: () => {},
  proveSender: async () => true,
})
