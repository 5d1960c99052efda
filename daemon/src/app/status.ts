/** The response of GET_BRIDGE_STATUS. */
import { SECOND_MS } from '@sallyport/core/durations'
import type { DataOf } from '@sallyport/protocol'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { VERSION } from '@sallyport/core/version'
import type { Clock } from '@sallyport/core/clock'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Peers } from '../identity/systems.ts'
import type { ReadyLine } from '../start/ready-line.ts'
import type { Clients } from './client-parts.ts'
import { type OpenedPresence, type PresenceFeedAt, presenceStatus } from './presence.ts'
import type { EventProviders } from '../events/providers.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { Warnings } from '../platform/api/warnings.ts'

type Status = DataOf<'GET_BRIDGE_STATUS'>

/** What does not change while the bridge runs. */
export interface StatusFacts {
  readonly ready: Pick<ReadyLine, 'ipc' | 'websocket'>
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly localPeers: Pick<Peers, 'unknown'>
  readonly tcpPeers: Pick<TcpPeers, 'areKnown'>
  readonly feed: PresenceFeedAt | undefined
}

export interface StatusParts extends StatusFacts {
  readonly platform: string
  readonly clock: Clock
  readonly registry: Pick<SessionRegistry, 'all'>
  readonly presence: Pick<OpenedPresence, 'arbiter' | 'headless'>
  readonly providers: Pick<EventProviders, 'health'>
  readonly warnings: Pick<Warnings, 'current'>
  readonly webhooks: Clients['webhooks']
}

/** A session learns of itself only; without one the operator asks, who learns of all. */
export function bridgeStatus(parts: StatusParts): (session?: Session) => Status {
  const { platform, clock, ready, startedAt, localPeers, tcpPeers, feed, registry, presence, providers, warnings, webhooks } = parts
  return (session) => {
    const sessions = registry.all()
    return {
      version: VERSION,
      contract: CONTRACT_VERSION,
      platform,
      uptime_s: Math.floor((clock.now() - startedAt) / SECOND_MS),
      pid: process.pid,
      ipc: [...ready.ipc],
      connections: sessions.length,
      peers: localPeers.unknown === undefined ? { state: 'held' } : { state: 'unknown', reason: localPeers.unknown },
      sessions: (session === undefined ? sessions : [session]).map(({ applicationId, connection: { peer }, signedIn }) => ({
        application_id: applicationId,
        ...(peer.pid === undefined ? {} : { pid: peer.pid }),
        ...(peer.executable === undefined ? {} : { executable: peer.executable }),
        ...(peer.origin === undefined ? {} : { origin: peer.origin }),
        authenticated: signedIn !== undefined,
      })),
      ...(ready.websocket === undefined ? {} : { websocket: ready.websocket }),
      web_users_checked: tcpPeers.areKnown,
      presence: presenceStatus(presence, feed),
      presences: presence.arbiter.current().length,
      ...(webhooks === undefined ? {} : { webhooks: { ...webhooks.counters } }),
      sources: providers.health().map((provider) => ({ ...provider })),
      warnings: warnings.current().map(({ kind, message, endsAt }) => ({ kind, message, ends_at: new Date(endsAt).toISOString() })),
    }
  }
}
