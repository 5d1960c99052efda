/** A fake system that reports the same peer for every connection. */
import type { PeerOwner, TcpPeers } from '#daemon/src/loopback/tcp-peer.ts'

export const peersOf = (owner: PeerOwner): TcpPeers => ({ areKnown: owner !== 'unknown', ownerOf: async () => owner })
