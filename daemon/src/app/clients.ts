/** Opens the parts that connect to the platform for events and presence: the gateway, the desktop client and webhooks. */
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Quiet } from '@sallyport/core/quiet'
import type { TurnQueue } from '@sallyport/core/turn-queue'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Settings } from '../config/load.ts'
import type { OpenPorts } from '../start/open-ports.ts'
import { publicKeysOf } from '../config/public-keys.ts'
import { noBotRequests } from '../events/providers/gateway/bot-requests.ts'
import { noUserRequests } from '../events/providers/gateway/user-requests.ts'
import type { WebhookProvider } from '../events/providers/webhook/provider.ts'
import type { NetworkOptions } from '../platform/api/dispatchers.ts'
import type { ClientParts, Clients } from './client-parts.ts'
import { openDesktopClient } from './desktop.ts'
import { openGateway } from './gateway.ts'

export interface ClientOptions extends ClientParts {
  readonly settings: Settings
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly turns: TurnQueue
  readonly quiet: Pick<Quiet, 'start'>
  readonly network: NetworkOptions
  /** The public key of an application's webhooks, if the platform makes it known. */
  readonly webhookKey: (applicationId: string) => string | undefined
  /** The listener of webhooks; undefined when it is off. */
  readonly webhookPort: OpenPorts['webhooks']
  /** Sockets of this bridge, which are no desktop client. */
  readonly ownAddresses: () => readonly string[]
}

/** Webhooks are off by default, so their module is loaded when they are on. */
export async function openClients({ webhookPort, webhookKey, ownAddresses, ...parts }: ClientOptions): Promise<Clients> {
  const { settings } = parts
  const gateway = settings.gateway === 'off' ? undefined : openGateway(parts)
  const webhooks = webhookPort === undefined ? undefined : await openWebhooks(parts, webhookPort, webhookKey)
  const desktop = openDesktopClient({ ...parts, ownAddresses })
  return Object.freeze<Clients>({
    providers: [...(webhooks === undefined ? [] : [webhooks]), ...(gateway === undefined ? [] : [gateway.provider]), ...desktop.providers],
    channels: [...desktop.channels, ...(gateway === undefined ? [] : [gateway.presence])],
    desktopClient: desktop.desktopClient,
    roster: desktop.roster,
    botRequests: gateway?.botRequests ?? noBotRequests,
    userRequests: gateway?.userRequests ?? noUserRequests,
    webhooks,
    gatewayStates: () => gateway?.provider.states() ?? [],
    sessionOf: (account) => gateway?.sessionOf(account),
  })
}

type WebhookParts = Pick<ClientOptions, 'accounts' | 'api' | 'clock' | 'grants' | 'history' | 'hub' | 'log' | 'publish' | 'settings'>

async function openWebhooks(
  { accounts, api, clock, grants, history, hub, log, publish, settings }: WebhookParts,
  held: HeldPort,
  webhookKey: ClientOptions['webhookKey'],
): Promise<WebhookProvider> {
  const { WebhookProvider: Provider } = await import('../events/providers/webhook/provider.ts')
  const configuredKeys = publicKeysOf(settings.webhookPublicKeys)
  return new Provider({
    clock,
    log: log.child({ part: 'webhooks' }),
    held,
    keyOf: (applicationId) => configuredKeys.get(applicationId) ?? webhookKey(applicationId),
    deps: {
      accounts,
      hub,
      publish,
      api,
      history,
      authorizedAfter: (account, at) => grants.ofAccount(account).some(({ grantedAt }) => grantedAt > at),
    },
  })
}
