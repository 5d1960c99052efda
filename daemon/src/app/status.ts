/** What GET_BRIDGE_STATUS answers: the bridge as a whole, and of the connections the one that asks. */
import type { DataOf } from '@sallyport/protocol'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { VERSION } from '@sallyport/core/version'
import type { Clock } from '@sallyport/core/clock'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Peers } from '../identity/systems.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { Showing } from './presence.ts'
import type { EventProviders } from '../events/providers.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { Warnings } from '../platform/api/warnings.ts'

type Status = DataOf<'GET_BRIDGE_STATUS'>

export interface BridgeStatusParts {
  readonly platform: string
  readonly ipc: readonly string[]
  readonly localPeers: Pick<Peers, 'unknown'>
  readonly tcpPeers: Pick<TcpPeers, 'areKnown'>
  readonly clock: Clock
  readonly registry: Pick<SessionRegistry, 'all'>
  readonly presence: Pick<PresenceArbiter, 'current'>
  readonly showing: Pick<Showing, 'status'>
  readonly sources: Pick<EventProviders, 'health'>
  readonly warnings: Pick<Warnings, 'current'>
  readonly webhooks: { readonly counters: NonNullable<Status['webhooks']> } | undefined
  /** Of the websocket transport; undefined while it does not listen. */
  readonly websocket: () => string | undefined
}

const SECOND_MS = 1000

/** Uptime counts from this call. Without a caller the operator asks, who is told of all connections. */
export function bridgeStatus(parts: BridgeStatusParts): (caller?: Session) => Status {
  const { platform, ipc, localPeers, tcpPeers, clock, registry, presence, showing, sources, warnings, webhooks } = parts
  const startedAt = clock.now()
  return (caller) => {
    const websocket = parts.websocket()
    const callers = registry.all()
    return {
      version: VERSION,
      contract: CONTRACT_VERSION,
      platform,
      uptime_s: Math.floor((clock.now() - startedAt) / SECOND_MS),
      pid: process.pid,
      ipc: [...ipc],
      connections: callers.length,
      peers: localPeers.unknown === undefined ? { state: 'held' } : { state: 'unknown', reason: localPeers.unknown },
      sessions: (caller === undefined ? callers : [caller]).map(({ applicationId, connection: { peer }, signedIn }) => ({
        application_id: applicationId,
        ...(peer.pid === undefined ? {} : { pid: peer.pid }),
        ...(peer.executable === undefined ? {} : { executable: peer.executable }),
        ...(peer.origin === undefined ? {} : { origin: peer.origin }),
        authenticated: signedIn !== undefined,
      })),
      ...(websocket === undefined ? {} : { websocket }),
      web_users_checked: tcpPeers.areKnown,
      presence: showing.status(),
      presences: presence.current().length,
      ...(webhooks === undefined ? {} : { webhooks: { ...webhooks.counters } }),
      sources: sources.health().map((source) => ({ ...source })),
      warnings: warnings.current().map(({ kind, message, endsAt }) => ({ kind, message, ends_at: new Date(endsAt).toISOString() })),
    }
  }
}
