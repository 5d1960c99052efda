/** What the dashboard is told of the running bridge. */
import type { TokenKeeper } from './auth/auth.ts'
import type { BridgeCounters } from './bridge.ts'
import { type DashboardSnapshot, presenceCard } from './dashboard/snapshot.ts'
import type { CallerRegistry } from './dispatch/registry.ts'
import type { LatestPresence } from './presence/sinks/latest.ts'
import type { SubscriptionHub } from './subscriptions/hub.ts'

export interface SnapshotParts {
  readonly version: string
  readonly platform: string
  readonly ipc: readonly string[]
  readonly sandboxOrigin: string | undefined
  readonly registry: CallerRegistry
  readonly hub: SubscriptionHub
  readonly shown: LatestPresence
  readonly keeper: TokenKeeper
  readonly counters: BridgeCounters
}

export async function bridgeSnapshot({
  registry,
  hub,
  shown,
  keeper,
  counters,
  sandboxOrigin,
  ...fixed
}: SnapshotParts): Promise<DashboardSnapshot> {
  return {
    ...fixed,
    sandboxOrigin: sandboxOrigin ?? null,
    sessions: registry.all().map((caller) => {
      const { id, peer } = caller.channel
      return {
        id: String(id),
        applicationId: caller.applicationId,
        trust: peer.trust,
        ...(peer.pid === undefined ? {} : { pid: peer.pid }),
        ...(peer.executable === undefined ? {} : { executable: peer.executable }),
        ...(caller.signedIn === undefined ? {} : { user: { id: caller.signedIn.userId, username: caller.signedIn.username } }),
        subscriptions: hub.desiredBy(caller).map((event) => event.name),
      }
    }),
    presences: shown.all().map(({ applicationId, stored }) => presenceCard(applicationId, stored.activity)),
    accounts: (await keeper.list()).map(({ tokens }) => ({
      applicationId: tokens.applicationId,
      userId: tokens.userId,
      scopes: tokens.scopes,
    })),
    counters: { ...counters },
  }
}
