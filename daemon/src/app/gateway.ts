/** Joins what the gateway needs: the source with its connections, presence over them, and the questions that games may ask. */
import type { BotTokens } from '../auth/tokens/bot-tokens.ts'
import type { TokenStore } from '../auth/auth.ts'
import type { Settings } from '../config/load.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { MessageHistory } from '../messages/history.ts'
import { type ActivityMessageListener, DirectMessageSync } from '../events/providers/gateway/direct-message-sync.ts'
import type { GatewayConnection, GatewayConnectionOptions, GatewayIdentity } from '../platform/gateway/gateway.ts'
import { GuildStatuses } from '../events/providers/gateway/guild-statuses.ts'
import type { IdentifyThrottle } from '../platform/gateway/identify-throttle.ts'
import { createGatewayCredentials } from '../events/providers/gateway/credentials.ts'
import { GatewayPresenceChannel } from '../events/providers/gateway/presence-channel.ts'
import { type BotRequests, createBotRequests } from '../events/providers/gateway/bot-requests.ts'
import { GatewayProvider, type GatewayProviderDeps } from '../events/providers/gateway/provider.ts'
import type { Publish } from '../events/outgoing-event.ts'
import type { LastGuildStatuses } from '../events/last-guild-statuses.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import type { NetworkOptions } from '../platform/api/dispatchers.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'

export interface GatewaySideParts {
  readonly settings: Pick<Settings, 'gatewayCompress' | 'gatewayObfuscation'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly hub: SubscriptionRegistry<Session>
  readonly registry: SessionRegistry
  readonly tokenStore: TokenStore
  readonly botTokens: BotTokens
  readonly forwarder: Forwarder
  readonly history: MessageHistory
  /** How connections leave this machine. */
  readonly egress: NetworkOptions
  readonly tell: Publish
  readonly told: LastGuildStatuses
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly otherwise: GatewayProviderDeps['fallback']
  /** Hears of direct messages that carry an activity. */
  readonly onActivityMessage: ActivityMessageListener
}

export interface GatewaySide {
  readonly source: GatewayProvider
  readonly presence: GatewayPresenceChannel
  readonly questions: BotRequests
  /** The platform's session that shows the activity of an account, if a connection to the gateway does. */
  sessionOf(applicationId: string, userId: string): string | undefined
}

/** Opens links; what a link needs is loaded at the first one. Each party has its own limit of new sessions, whatever becomes of its links. */
function linkOpener({ clock, log, egress }: Pick<GatewaySideParts, 'clock' | 'log' | 'egress'>) {
  const identifies = new Map<string, IdentifyThrottle>()
  return async (options: GatewayConnectionOptions, party: string): Promise<GatewayConnection> => {
    const [{ createGatewayConnection }, { gatewayDialer }, limits] = await Promise.all([
      import('../platform/gateway/connection.ts'),
      import('../platform/gateway/websocket.ts'),
      import('../platform/gateway/identify-throttle.ts'),
    ])
    const now = clock.now()
    for (const [key, one] of identifies) if (one.isUnused(now)) identifies.delete(key)
    const limit = identifies.get(party) ?? new limits.IdentifyThrottle()
    identifies.set(party, limit)
    return createGatewayConnection(options, { clock, log, random: Math.random, identifyThrottle: limit, dial: gatewayDialer(egress) })
  }
}

export function openGateway(parts: GatewaySideParts): GatewaySide {
  const { settings, clock, hub, registry, history, tell, told, imageOrigin, otherwise, onActivityMessage } = parts
  const log = parts.log.child({ part: 'gateway' })
  const source = new GatewayProvider({
    hub,
    clock,
    log,
    publish: tell,
    sessions: () => registry.all(),
    credentials: createGatewayCredentials(parts),
    statuses: new GuildStatuses({ hub, publish: tell, lastStatuses: told, imageOrigin }),
    directMessages: new DirectMessageSync({ history, log, onActivityMessage }),
    imageOrigin,
    compress: settings.gatewayCompress,
    isObfuscated: settings.gatewayObfuscation,
    openConnection: linkOpener({ clock, log, egress: parts.egress }),
    presenceOf: (party) => presence.of(party),
    onConnection: (party) => presence.identityChanged(party),
    fallback: otherwise,
  })
  const presence = new GatewayPresenceChannel({
    sessions: (applicationId) => registry.signedIn(applicationId),
    canServe: (party) => source.canServe(party),
    acquire: (wanted) => source.acquire(wanted),
    send: (party, op, d) => source.send(party, op, d),
  })
  registry.onChange((caller) => {
    source.sessionChanged(caller)
    presence.sessionChanged(caller)
  })
  return {
    source,
    presence,
    questions: createBotRequests(source),
    sessionOf(applicationId, userId) {
      const party: GatewayIdentity = { kind: 'user', applicationId, userId }
      return presence.of(party) === undefined ? undefined : source.sessionOf(party)
    },
  }
}
