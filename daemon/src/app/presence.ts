/** Opens presence: the arbiter, where it is sent, invites to what users play, and the feed for web pages. */
import type { BridgeState } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Grants } from '../auth/grants/grants.ts'
import type { Settings } from '../config/load.ts'
import type { OpenPorts } from '../start/open-ports.ts'
import type { PresencePort } from '../start/presence-port.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { PresenceArbiter } from '../presence/arbiter.ts'
import { HeadlessSessions } from '../presence/channels/headless-sessions.ts'
import { type OpenedPresenceFeed, openPresenceFeed } from '../presence/feed/open.ts'
import { latestPerApplication } from '../presence/latest-per-application.ts'
import { OutboundPresence } from '../presence/outbound-presence.ts'
import { type PlacesOf, sinkAt, WEB } from '../presence/places.ts'
import { createPresenceStore } from '../presence/presence-store.ts'
import { SessionOwners } from '../presence/session-owners.ts'
import type { PresenceSink } from '../presence/sink.ts'
import { placesOfSession } from '../sessions/chosen-places.ts'
import { GameInvites } from '../social/game-invites.ts'
import { joinSecretFetcher } from '../social/join-secrets.ts'
import { joinableActivityOf } from '../social/joinable.ts'
import type { GameLauncher } from '../social/launch/launcher.ts'
import { playStateOf } from '../social/play-state.ts'
import type { Clients } from './client-parts.ts'
import type { OpenedEvents } from './events.ts'
import type { Host } from './host.ts'
import type { OpenedSessions } from './sessions.ts'

export interface PresenceParts {
  readonly host: Pick<Host, 'clock' | 'log' | 'uid'>
  readonly sessions: Pick<OpenedSessions, 'api' | 'lifecycle' | 'registry'>
  readonly grants: Pick<Grants, 'presenceOf' | 'placesOf' | 'placesOfAll'>
  readonly events: Pick<OpenedEvents, 'imageOrigin' | 'publish'>
  readonly clients: Pick<Clients, 'channels' | 'desktopClient'>
  readonly launcher: Pick<GameLauncher, 'launch'>
  /** Web pages, which show the latest presence of each application. */
  readonly pages: readonly PresenceSink[]
  /** Whether the user has paused presence before this start. */
  readonly isPaused: boolean
}

export type OpenedPresence = ReturnType<typeof openPresence>

/** Presence, and the invites that it makes possible. */
export function openPresence({ host, sessions, grants, events, clients, launcher, pages, isPaused }: PresenceParts) {
  const { clock, log, uid } = host
  const { api, lifecycle, registry } = sessions
  const { imageOrigin, publish } = events
  const store = createPresenceStore()
  const headless = new HeadlessSessions({ clock, log: log.child({ part: 'headless-sessions' }), registry, lifecycle, api })
  const placesOf: PlacesOf = ({ sessionId }) => placesOfSession(sessionId, { grants, registry })
  const outbound = new OutboundPresence([...clients.channels, headless], placesOf)
  const web = pages.map((sink) => sinkAt(WEB, sink, placesOf))
  const owners = new SessionOwners(registry, lifecycle)
  const userOf = (sessionId: number) => owners.of(sessionId)
  const isHidden = (sessionId: number): boolean => {
    const session = registry.find(sessionId)
    return session !== undefined && grants.presenceOf(session.program, session.applicationId) !== 'shown'
  }
  const arbiter = new PresenceArbiter({ clock, sinks: [store, ...web, outbound], userOf, isPaused, isHidden })
  owners.changed.on(({ applicationId }) => arbiter.usersChanged(applicationId))
  const joinableActivity = joinableActivityOf(arbiter)
  const invites = new GameInvites({
    clock,
    log: log.child({ part: 'invites' }),
    publish,
    isLinked: (account) => clients.desktopClient.isConnected(account),
    joinableActivity,
    fetchSecret: joinSecretFetcher({ registry, api, uid }),
    playState: playStateOf(registry, userOf),
    launch: (applicationId) => launcher.launch(applicationId),
    imageOrigin,
  })
  lifecycle.on('activityMessage', ({ account, message }) => invites.onMessage(account, message))
  lifecycle.on('accountEnded', (account) => invites.deleteAccount(account))
  const placesChanged = (): void => {
    outbound.placesChanged()
    for (const sink of web) sink.placesChanged()
  }
  return Object.freeze({ arbiter, outbound, placesChanged, userOf, store, headless, invites, joinableActivity })
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

/** Undefined when the feed is off. */
export function openFeed({ settings, ports, profile, clock, log, peers }: FeedParts): PresenceFeedAt | undefined {
  if (ports.presence === undefined) return undefined
  const { held, ...at } = ports.presence
  const { bridgeOrigins: origins = profile.presenceOrigins } = settings
  return { ...openPresenceFeed({ held, origins, clock, log, peers }), ...at }
}

/** A page has no user, so the feed gets the latest presence of each application. */
export const feedSinks = (feed: OpenedPresenceFeed | undefined): readonly PresenceSink[] =>
  feed === undefined ? [] : [{ show: latestPerApplication((applicationId, newest) => feed.sink.show(applicationId, newest)) }]

/** Where pages find the feed, and how many do; undefined when it is off. */
export const presenceFeedState = (feed: PresenceFeedAt | undefined): BridgeState['presence_feed'] =>
  feed && {
    ...(feed.address === undefined ? {} : { address: feed.address }),
    ...(feed.reason === undefined ? {} : { reason: feed.reason }),
    pages: feed.sink.subscriberCount,
  }
