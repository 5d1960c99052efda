/** Joins the sources of events with the hub: the second half of the picture in compose.ts. */
import type { DataOf } from '@sallyport/protocol'
import type { Accounts } from '../auth/accounts/accounts.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Settings } from '../config/load.ts'
import { publicKeysOf } from '../config/public-keys.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Session } from '../sessions/session.ts'
import type { GatewaySide, GatewaySideParts } from './gateway.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { MessageHistory } from '../messages/history.ts'
import { type GameInvitesDeps, GameInvites } from '../social/game-invites.ts'
import { GuildStatusPoll } from '../events/providers/poll/guild-status-poll.ts'
import type { EventProvider } from '../events/provider.ts'
import { EventProviders } from '../events/providers.ts'
import type { Publish } from '../events/outgoing-event.ts'
import { LastGuildStatuses } from '../events/last-guild-statuses.ts'
import type { WebhookOptions, WebhookProvider } from '../events/providers/webhook/provider.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'

export interface LiveParts {
  readonly settings: Pick<Settings, 'gateway' | 'webhookPort' | 'webhookPublicKeys'> & GatewaySideParts['settings']
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly hub: SubscriptionRegistry<Session>
  readonly accounts: Accounts
  readonly grants: Grants
  readonly history: MessageHistory
  readonly joining: Omit<GameInvitesDeps, 'clock' | 'log' | 'publish'>
  /** The platform's own client, where there may be one. */
  readonly client: readonly EventProvider[]
  readonly tell: Publish
  /** What connections to the gateway are made of. */
  readonly gateway: Pick<GatewaySideParts, 'botTokens' | 'egress' | 'forwarder' | 'tokenStore' | 'registry'>
  /** The public key of an application's webhooks, where the platform is one that we know the keys of. */
  readonly webhookKey: (applicationId: string) => string | undefined
  /** A call in the name of a session, as if its game had made it. */
  readonly call: (caller: Session, cmd: string, args: unknown) => unknown
}

export interface Live {
  readonly sources: EventProviders
  /** Undefined when webhooks are off. */
  readonly webhooks: WebhookProvider | undefined
  readonly joins: GameInvites
  /** Undefined when it is off. */
  readonly gateway: GatewaySide | undefined
}

/** Images come the way the API does: by https, but for a sandbox. */
const imageOrigin = ({ baseUrl, cdnHost }: Pick<PlatformProfile, 'baseUrl' | 'cdnHost'>): string =>
  `${new URL(baseUrl).protocol}//${cdnHost}`

/** Undefined when webhooks are off; then nothing of it is loaded. */
async function webhookSource(
  { webhookPort, webhookPublicKeys }: Pick<LiveParts['settings'], 'webhookPort' | 'webhookPublicKeys'>,
  ownKey: (applicationId: string) => string | undefined,
  parts: Omit<WebhookOptions, 'port' | 'keyOf'>,
): Promise<WebhookProvider | undefined> {
  if (webhookPort === 'off') return undefined
  const { WebhookProvider } = await import('../events/providers/webhook/provider.ts')
  const given = publicKeysOf(webhookPublicKeys)
  return new WebhookProvider({ ...parts, port: webhookPort, keyOf: (applicationId) => given.get(applicationId) ?? ownKey(applicationId) })
}

/** Undefined when it is off; then nothing of it is loaded. */
async function gatewaySide({ gateway }: Pick<LiveParts['settings'], 'gateway'>, parts: GatewaySideParts): Promise<GatewaySide | undefined> {
  if (gateway === 'off') return undefined
  const { openGateway } = await import('./gateway.ts')
  return openGateway(parts)
}

export async function openSources(parts: LiveParts): Promise<Live> {
  const { settings, profile, clock, log, hub, accounts, grants, history, webhookKey, joining, client, tell, call } = parts
  const webhooks = await webhookSource(settings, webhookKey, {
    clock,
    log: log.child({ part: 'webhooks' }),
    deps: {
      accounts,
      hub,
      publish: tell,
      readLobby: async (caller, lobby_id) => call(caller, 'GET_LOBBY_MESSAGES', { lobby_id, limit: 1 }),
      history,
      authorizedAfter: (applicationId, userId, at) => grants.ofAccount(applicationId, userId).some(({ grantedAt }) => grantedAt > at),
    },
  })
  const joins = new GameInvites({ ...joining, clock, log: log.child({ part: 'joins' }), publish: tell })
  const told = new LastGuildStatuses()
  const gateway = await gatewaySide(settings, {
    ...parts.gateway,
    settings,
    profile,
    clock,
    log,
    hub,
    history,
    tell,
    told,
    imageOrigin: imageOrigin(profile),
    onActivityMessage: (message, account) => joins.onMessage(account, message),
    otherwise: {
      confirm: (caller, event) => poll.confirm(caller, event),
      reconsider: () => {
        for (const source of [...client, poll]) source.reconcile(hub.selectors())
      },
    },
  })
  const poll = new GuildStatusPoll({
    hub,
    clock,
    log: log.child({ part: 'guild-status-poll' }),
    random: Math.random,
    imageOrigin: imageOrigin(profile),
    lastStatuses: told,
    isCoveredElsewhere: (caller) => gateway?.source.coversGuildsFor(caller) === true,
    read: async (caller) => call(caller, 'GET_CURRENT_USER_GUILDS', { with_counts: true }) as Promise<DataOf<'GET_CURRENT_USER_GUILDS'>>,
  })
  const sources = [
    joins,
    ...(webhooks === undefined ? [] : [webhooks]),
    ...(gateway === undefined ? [] : [gateway.source]),
    ...client,
    poll,
  ]
  return { sources: new EventProviders(hub, sources), webhooks, joins, gateway }
}
