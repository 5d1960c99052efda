/** Joins what the gateway needs: the source with its connections, presence over them, and the questions that games may ask. */
import type { BotTokens } from '../auth/tokens/bot-tokens.ts'
import type { TokenKeeper } from '../auth/auth.ts'
import type { Settings } from '../config/load.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { MessageHistory } from '../messages/history.ts'
import { type ActivityMessageListener, Conversations } from '../events/providers/gateway/conversations.ts'
import type { GatewayLink, GatewayLinkOptions, GatewayParty } from '../platform/gateway/gateway.ts'
import { GuildStatuses } from '../events/providers/gateway/guild-statuses.ts'
import type { IdentifyLimit } from '../platform/gateway/identify-limit.ts'
import { createPlatformSide } from '../events/providers/gateway/platform-side.ts'
import { GatewayPresence } from '../events/providers/gateway/presence-carrier.ts'
import { type GatewayQuestions, gatewayQuestions } from '../events/providers/gateway/questions.ts'
import { GatewaySource, type GatewaySourceParts } from '../events/providers/gateway/source.ts'
import type { Tell } from '../events/telling.ts'
import type { ToldStatuses } from '../events/told-statuses.ts'
import type { SubscriptionHub } from '../events/hub.ts'
import type { Egress } from '../platform/api/dispatchers.ts'
import type { Forwarder } from '../platform/api/upstream.ts'

export interface GatewaySideParts {
  readonly settings: Pick<Settings, 'gatewayCompress' | 'gatewayObfuscation'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly hub: SubscriptionHub<Session>
  readonly registry: SessionRegistry
  readonly keeper: TokenKeeper
  readonly botTokens: BotTokens
  readonly forwarder: Forwarder
  readonly history: MessageHistory
  /** How connections leave this machine. */
  readonly egress: Egress
  readonly tell: Tell
  readonly told: ToldStatuses
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly otherwise: GatewaySourceParts['otherwise']
  /** Hears of direct messages that carry an activity. */
  readonly onActivityMessage: ActivityMessageListener
}

export interface GatewaySide {
  readonly source: GatewaySource
  readonly presence: GatewayPresence
  readonly questions: GatewayQuestions
  /** The platform's session that shows the activity of an account, if a connection to the gateway does. */
  sessionOf(applicationId: string, userId: string): string | undefined
}

/** Opens links; what a link needs is loaded at the first one. Each party has its own limit of new sessions, whatever becomes of its links. */
function linkOpener({ clock, log, egress }: Pick<GatewaySideParts, 'clock' | 'log' | 'egress'>) {
  const identifies = new Map<string, IdentifyLimit>()
  return async (options: GatewayLinkOptions, party: string): Promise<GatewayLink> => {
    const [{ createGatewayLink }, { gatewayDialer }, limits] = await Promise.all([
      import('../platform/gateway/link.ts'),
      import('../platform/gateway/websocket.ts'),
      import('../platform/gateway/identify-limit.ts'),
    ])
    const now = clock.now()
    for (const [key, one] of identifies) if (one.isUnused(now)) identifies.delete(key)
    const limit = identifies.get(party) ?? new limits.IdentifyLimit()
    identifies.set(party, limit)
    return createGatewayLink(options, { clock, log, random: Math.random, identifies: limit, dial: gatewayDialer(egress) })
  }
}

export function openGateway(parts: GatewaySideParts): GatewaySide {
  const { settings, clock, hub, registry, history, tell, told, imageOrigin, otherwise, onActivityMessage } = parts
  const log = parts.log.child({ part: 'gateway' })
  const source = new GatewaySource({
    hub,
    clock,
    log,
    tell,
    sessions: () => registry.all(),
    platform: createPlatformSide(parts),
    statuses: new GuildStatuses({ hub, tell, told, imageOrigin }),
    conversations: new Conversations({ history, log, onActivityMessage }),
    imageOrigin,
    compress: settings.gatewayCompress,
    isObfuscated: settings.gatewayObfuscation,
    openLink: linkOpener({ clock, log, egress: parts.egress }),
    presenceOf: (party) => presence.of(party),
    onConnection: (party) => presence.changed(party),
    otherwise,
  })
  const presence = new GatewayPresence({
    sessions: (applicationId) => registry.signedIn(applicationId),
    canServe: (party) => source.canServe(party),
    hold: (wanted) => source.hold(wanted),
    send: (party, op, d) => source.send(party, op, d),
  })
  registry.onChange((caller) => {
    source.sessionChanged(caller)
    presence.sessionChanged(caller)
  })
  return {
    source,
    presence,
    questions: gatewayQuestions(source),
    sessionOf(applicationId, userId) {
      const party: GatewayParty = { kind: 'user', applicationId, userId }
      return presence.of(party) === undefined ? undefined : source.sessionOf(party)
    },
  }
}
