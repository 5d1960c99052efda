/** Opens the gateway: the provider with its connections, presence over them, and the requests of bots. */
import type { Settings } from '../config/load.ts'
import type { ClientParts } from './client-parts.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { AccountKey } from '@sallyport/core/account-key'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Quiet } from '@sallyport/core/quiet'
import type { TurnQueue } from '@sallyport/core/turn-queue'
import { DirectMessageSync } from '../events/providers/gateway/direct-message-sync.ts'
import type { GatewayConnection, GatewayConnectionOptions, GatewayIdentity } from '../platform/gateway/gateway.ts'
import { GuildStatuses } from '../events/providers/gateway/guild-statuses.ts'
import type { IdentifyThrottle as Throttle } from '../platform/gateway/identify-throttle.ts'
import { createGatewayCredentials } from '../events/providers/gateway/credentials.ts'
import { GatewayPresenceChannel } from '../events/providers/gateway/presence-channel.ts'
import { type BotRequests, createBotRequests } from '../events/providers/gateway/bot-requests.ts'
import { createUserRequests, type UserRequests } from '../events/providers/gateway/user-requests.ts'
import { GatewayProvider } from '../events/providers/gateway/provider.ts'
import { DesiredPresence } from '../events/providers/gateway/desired-presence.ts'
import type { NetworkOptions } from '../platform/api/dispatchers.ts'

export interface GatewayParts extends ClientParts {
  readonly settings: Pick<Settings, 'gatewayCompress' | 'gatewayObfuscation'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly turns: TurnQueue
  readonly quiet: Pick<Quiet, 'start'>
  /** How connections leave this machine. */
  readonly network: NetworkOptions
}

export interface Gateway {
  readonly provider: GatewayProvider
  readonly presence: GatewayPresenceChannel
  readonly botRequests: BotRequests
  readonly userRequests: UserRequests
  /** The platform's session that shows the activity of an account, if a gateway connection does. */
  sessionOf(account: AccountKey): string | undefined
}

/** Opens connections and loads their modules at the first one. The limit of new sessions belongs to the identity and outlives connections. */
function connectionOpener({ network, ...deps }: Pick<GatewayParts, 'clock' | 'log' | 'turns' | 'quiet' | 'network'>) {
  const throttles = new Map<string, Throttle>()
  return async (options: GatewayConnectionOptions, identity: string): Promise<GatewayConnection> => {
    const [{ createGatewayConnection }, { gatewayDialer }, { IdentifyThrottle }] = await Promise.all([
      import('../platform/gateway/connection.ts'),
      import('../platform/gateway/websocket.ts'),
      import('../platform/gateway/identify-throttle.ts'),
    ])
    const now = deps.clock.now()
    for (const [key, throttle] of throttles) if (throttle.isUnused(now)) throttles.delete(key)
    const identifyThrottle = throttles.get(identity) ?? new IdentifyThrottle()
    throttles.set(identity, identifyThrottle)
    return createGatewayConnection(options, { ...deps, random: Math.random, identifyThrottle, dial: gatewayDialer(network) })
  }
}

export function openGateway(parts: GatewayParts): Gateway {
  const { settings, clock, hub, registry, lifecycle, history, publish, routing, imageOrigin } = parts
  const log = parts.log.child({ part: 'gateway' })
  const desiredPresence = new DesiredPresence()
  const provider = new GatewayProvider({
    hub,
    clock,
    log,
    publish,
    signedInAs: (account) => registry.signedInAs(account),
    credentials: createGatewayCredentials(parts),
    statuses: new GuildStatuses({ hub, imageOrigin }),
    directMessages: new DirectMessageSync({
      history,
      log,
      onActivityMessage: (message, account) => lifecycle.emit('activityMessage', { message, account }),
    }),
    imageOrigin,
    compress: settings.gatewayCompress,
    isObfuscated: settings.gatewayObfuscation,
    openConnection: connectionOpener({ clock, log, turns: parts.turns, quiet: parts.quiet, network: parts.network }),
    desiredPresence,
    routing,
  })
  const presence = new GatewayPresenceChannel({
    sessions: (applicationId) => registry.signedIn(applicationId),
    canServe: (identity) => provider.canServe(identity),
    acquire: (demand) => provider.acquire(demand),
    send: (identity, op, d) => provider.send(identity, op, d),
    desiredPresence,
  })
  provider.connectionChanged.on((identity) => presence.identityChanged(identity))
  lifecycle.on('sessionChanged', (session) => {
    provider.sessionChanged(session)
    presence.sessionChanged(session)
  })
  lifecycle.on('tokensDeleted', (account) => provider.closeAccount(account))
  lifecycle.on('botTokenChanged', ({ applicationId }) => provider.botChanged(applicationId))
  return {
    provider,
    presence,
    botRequests: createBotRequests(provider),
    userRequests: createUserRequests(provider),
    sessionOf({ applicationId, userId }) {
      const identity: GatewayIdentity = { kind: 'user', applicationId, userId }
      return desiredPresence.of(identity) === undefined ? undefined : provider.sessionOf(identity)
    },
  }
}
