/** Presence: the arbiter, where it is sent, and the feed for web pages. */
import type { BridgeStatus } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Settings } from '../config/load.ts'
import type { OpenPorts } from '../start/open-ports.ts'
import type { PresencePort } from '../start/presence-port.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { PresenceArbiter } from '../presence/arbiter.ts'
import type { PresenceChannel } from '../presence/channel.ts'
import { HeadlessSessions } from '../presence/channels/headless-sessions.ts'
import type { OpenedPresenceFeed } from '../presence/feed/open.ts'
import { latestPerApplication } from '../presence/latest-per-application.ts'
import { OutboundPresence } from '../presence/outbound-presence.ts'
import { createPresenceStore, type PresenceStore } from '../presence/presence-store.ts'
import { SessionOwners } from '../presence/session-owners.ts'
import type { PresenceSink } from '../presence/sink.ts'
import type { ApiClient } from '../sessions/api-client.ts'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import type { SessionRegistry } from '../sessions/registry.ts'

export interface PresenceParts {
  readonly clock: Clock
  readonly log: Logger
  readonly registry: SessionRegistry
  readonly lifecycle: LifecycleEvents
  readonly api: ApiClient
  readonly sinks: readonly PresenceSink[]
  /** Preferred to a headless session, the best first. */
  readonly channels: readonly PresenceChannel[]
  /** Whether the user has paused presence before this start. */
  readonly isPaused: boolean
  /** What is shown has changed. */
  readonly onChange: () => void
}

export interface OpenedPresence {
  readonly arbiter: PresenceArbiter
  readonly owners: SessionOwners
  readonly store: PresenceStore
  readonly headless: HeadlessSessions
}

export function openPresence({ clock, log, registry, lifecycle, api, sinks, channels, isPaused, onChange }: PresenceParts): OpenedPresence {
  const store = createPresenceStore(onChange)
  const headless = new HeadlessSessions({ clock, log: log.child({ part: 'headless-sessions' }), registry, lifecycle, api })
  const outbound = new OutboundPresence([...channels, headless])
  const owners = new SessionOwners(registry, lifecycle)
  const arbiter = new PresenceArbiter({ clock, sinks: [store, ...sinks, outbound], userOf: (sessionId) => owners.of(sessionId), isPaused })
  owners.onChange((applicationId) => arbiter.usersChanged(applicationId))
  return { arbiter, owners, store, headless }
}

export interface FeedParts {
  readonly settings: Pick<Settings, 'bridgeOrigins'>
  readonly ports: Pick<OpenPorts, 'presence'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
}

/** The feed, and where pages find it. */
export type PresenceFeedAt = OpenedPresenceFeed & Omit<PresencePort, 'held'>

/** Undefined when the feed is off; then its module is not loaded. */
export async function openFeed({ settings, ports, profile, clock, log, peers }: FeedParts): Promise<PresenceFeedAt | undefined> {
  if (ports.presence === undefined) return undefined
  const { held, ...at } = ports.presence
  const { openPresenceFeed } = await import('../presence/feed/open.ts')
  const { bridgeOrigins: origins = profile.presenceOrigins } = settings
  return { ...openPresenceFeed({ held, origins, clock, log, peers }), ...at }
}

/** A page has no user, so the feed gets the latest presence of each application. */
export const feedSinks = (feed: OpenedPresenceFeed | undefined): readonly PresenceSink[] =>
  feed === undefined ? [] : [{ show: latestPerApplication((applicationId, newest) => feed.sink.show(applicationId, newest)) }]

export const presenceStatus = ({ headless }: OpenedPresence, feed: PresenceFeedAt | undefined): NonNullable<BridgeStatus['presence']> => ({
  headless_sessions: { ...headless.health() },
  ...(feed === undefined
    ? {}
    : {
        bridge: {
          ...(feed.address === undefined ? {} : { address: feed.address }),
          ...(feed.reason === undefined ? {} : { reason: feed.reason }),
          pages: feed.sink.subscriberCount,
        },
      }),
})
